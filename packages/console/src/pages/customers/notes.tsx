/** Notes of the workspace's people about a customer. Notes are append-only, and the public API does not return them. */
import { useState } from "react";
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import { useMay, useRead } from "../../api/platform.ts";
import { t } from "../../text/messages.ts";
import { Button } from "../../ui/button.tsx";
import { Waiting } from "../../ui/states.tsx";
import { OutsideText, OutsideWord, Time } from "../../ui/values.tsx";

const PAGE = 25;
const MOST = 100;

export function Notes({ customerId }: { readonly customerId: string }) {
  const may = useMay("customers.write");
  const [limit, setLimit] = useState(PAGE);
  const reading = useRead<"listCustomerNotes">(
    { method: "GET", path: ["customers", customerId, "notes"], query: { limit } },
    { keepsPrevious: true },
  );
  return (
    <div className="flex flex-col items-start gap-3">
      {may && <ActButton spec={add(customerId)}>{t("notes.add")}</ActButton>}
      <Waiting reading={reading}>
        {({ data, hasMore }) =>
          data.length === 0 ? (
            <p className="text-soft">{t("notes.empty")}</p>
          ) : (
            <>
              <ul className="w-full">
                {data.map(({ id, author, note, createdAt }) => (
                  <li key={id} className="border-line border-b py-2">
                    <p className="flex items-center justify-between gap-3 text-caption text-soft">
                      <OutsideWord text={author.name} />
                      <Time at={createdAt} />
                    </p>
                    <p className="pt-1 text-form">
                      <OutsideText text={note} />
                    </p>
                  </li>
                ))}
              </ul>
              {hasMore && limit < MOST && (
                <Button onPress={() => setLimit(MOST)}>{t("notes.older")}</Button>
              )}
            </>
          )
        }
      </Waiting>
    </div>
  );
}

function add(customerId: string): ActSpec<"createCustomerNote"> {
  return {
    title: t("notes.add"),
    verb: t("act.save"),
    intro: t("notes.intro"),
    fields: [{ name: "note", label: "form.note", kind: "long" }],
    toCall: ({ note = "" }) => ({
      method: "POST",
      path: ["customers", customerId, "notes"],
      body: { note },
    }),
  };
}

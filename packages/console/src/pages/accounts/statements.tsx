/** Statements of an account. They are created for past days and downloaded as files. */
import type { Statement } from "@florin/client";
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import type { Call } from "../../api/operations.ts";
import { useMay } from "../../api/platform.ts";
import type { ListSpec } from "../../list/list-spec.ts";
import { ResourceList } from "../../list/resource-list.tsx";
import { t } from "../../text/messages.ts";
import { monthBounds } from "../../text/time.ts";
import { plainChoices } from "../../ui/choices.ts";
import { FileLink } from "../../ui/file-link.tsx";
import { StatePill } from "../../ui/pill.tsx";
import { Amount, Time } from "../../ui/values.tsx";

function periodOf({ from, to }: Statement): string {
  return from === to ? from : `${from} \u2013 ${to}`;
}

function SaveFile({ statement }: { readonly statement: Statement }) {
  const { id, state } = statement;
  if (state !== "READY") return <StatePill state={state} />;
  return <FileLink path={`/statements/${id}/file`} text={t("statements.save")} />;
}

function statementList(accountId: string): ListSpec<"listStatements"> {
  return {
    name: "statements",
    title: "statements.title",
    call: (query) =>
      ({
        method: "GET",
        path: ["statements"],
        query: { ...query, accountId },
      }) as Call<"listStatements">,
    rowId: ({ id }) => id,
    columns: [
      {
        id: "period",
        title: "statements.period",
        cell: (row) => <span className="whitespace-nowrap tabular-nums">{periodOf(row)}</span>,
      },
      {
        id: "opening",
        title: "statements.opening",
        isEnd: true,
        isExtra: true,
        cell: ({ openingBalance }) => openingBalance && <Amount amount={openingBalance} />,
      },
      {
        id: "closing",
        title: "statements.closing",
        isEnd: true,
        cell: ({ closingBalance }) => closingBalance && <Amount amount={closingBalance} isStrong />,
      },
      { id: "format", title: "exports.format", cell: ({ format }) => format },
      {
        id: "file",
        title: "statements.file",
        isEnd: true,
        cell: (row) => <SaveFile statement={row} />,
      },
      {
        id: "created",
        title: "column.created",
        isEnd: true,
        isExtra: true,
        cell: ({ createdAt }) => <Time at={createdAt} />,
      },
    ],
    filters: [],
    card: (row) => ({
      lead: <span className="font-medium text-ink tabular-nums">{periodOf(row)}</span>,
      under: row.closingBalance && <Amount amount={row.closingBalance} />,
      end: <SaveFile statement={row} />,
    }),
    isMoving: ({ state }) => state === "PENDING",
    empty: "statements.empty",
    curl: `/statements?accountId=${accountId}`,
  };
}

function makeStatement(accountId: string): ActSpec<"createStatement"> {
  const [first, last] = monthBounds(-1).map((at) => at.slice(0, 10));
  return {
    title: t("statements.make"),
    verb: t("statements.make"),
    intro: t("statements.intro"),
    fields: [
      { name: "from", label: "statements.from", kind: "text", initial: first },
      { name: "to", label: "statements.to", kind: "text", initial: last },
      {
        name: "format",
        label: "exports.format",
        kind: "choice",
        initial: "CSV",
        choices: plainChoices(["CSV", "JSON"]),
      },
    ],
    toCall: ({ from = "", to = "", format = "CSV" }) => ({
      method: "POST",
      path: ["statements"],
      body: { accountId, from, to, format: format as Statement["format"] },
    }),
  };
}

export function Statements({ accountId }: { readonly accountId: string }) {
  const may = useMay("statements.read");
  if (!may) return <p className="py-4 text-form text-soft">{t("statements.refused")}</p>;
  return (
    <>
      <div className="flex justify-end pt-3">
        <ActButton spec={makeStatement(accountId)}>{t("statements.make")}</ActButton>
      </div>
      <ResourceList spec={statementList(accountId)} isEmbedded isBeside />
    </>
  );
}

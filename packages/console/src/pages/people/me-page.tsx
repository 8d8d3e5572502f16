/** The signed-in person's own passkeys and sessions. */
import { useQueryClient } from "@tanstack/react-query";
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import type { Passkey, PersonSession } from "../../api/own-operations.ts";
import { useRead } from "../../api/platform.ts";
import { sessionQuery } from "../../api/session.ts";
import { Facts, Section } from "../../detail/facts.tsx";
import { browserWords } from "../../text/browser-word.ts";
import { t } from "../../text/messages.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { Pill } from "../../ui/pill.tsx";
import { Waiting } from "../../ui/states.tsx";
import { OutsideText, Time } from "../../ui/values.tsx";
import { Passkeys } from "./passkeys.tsx";
import { rolesText } from "./roles.ts";
import { AddPasskey, SecondPasskey } from "./second-passkey.tsx";

export function MePage() {
  const client = useQueryClient();
  const readSession = () => void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  const me = useRead<"getMe">({ method: "GET", path: ["me"] });
  const sessions = useRead<"listMySessions">({ method: "GET", path: ["me", "sessions"] });
  return (
    <>
      <PageHead title={t("me.title")} />
      <div className="max-w-2xl">
        <Waiting reading={me} rows={6}>
          {(person) => (
            <>
              <Facts
                facts={[
                  [t("column.name"), <OutsideText key="name" text={person.name} />],
                  [t("customers.email"), <OutsideText key="email" text={person.email} />],
                  [t("team.roles"), rolesText(person)],
                ]}
              />
              <Section title={t("team.passkeys")} act={<AddPasskey />}>
                <SecondPasskey hasButton={false} />
                <Passkeys
                  passkeys={person.passkeys}
                  actOf={(passkey) =>
                    person.passkeys.length > 1 ? (
                      <ActButton spec={removePasskey(passkey, readSession)} weight="quiet">
                        {t("act.delete")}
                      </ActButton>
                    ) : undefined
                  }
                />
              </Section>
            </>
          )}
        </Waiting>
        <Section title={t("me.sessions")}>
          <Waiting reading={sessions}>
            {({ data }) => (
              <ul>
                {data.map((session) => (
                  <SessionRow key={session.id} session={session} />
                ))}
              </ul>
            )}
          </Waiting>
        </Section>
      </div>
    </>
  );
}

function SessionRow({ session }: { readonly session: PersonSession }) {
  const words = browserWords(session.userAgent);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-2">
      <div className="min-w-0 flex-1 basis-64">
        <OutsideText
          text={words === undefined ? session.userAgent : t("me.browserOn", { ...words })}
          isLine
        />
        <span className="text-caption text-soft">
          {session.address} {"\u00b7"} <Time at={session.lastActAt} isOfServer />
        </span>
      </div>
      {session.isCurrent ? (
        <Pill word={t("me.thisSession")} tone="good" />
      ) : (
        <ActButton spec={endSession(session)} weight="quiet">
          {t("me.end")}
        </ActButton>
      )}
    </li>
  );
}

function removePasskey({ id, nickname }: Passkey, onDone: () => void): ActSpec<"deletePasskey"> {
  return {
    title: t("me.deletePasskey"),
    verb: t("act.delete"),
    intro: t("me.deletePasskeyIntro", { name: nickname }),
    isDanger: true,
    fields: [],
    toCall: () => ({ method: "DELETE", path: ["me", "passkeys", id] }),
    onDone,
  };
}

function endSession({ id }: PersonSession): ActSpec<"endMySession"> {
  return {
    title: t("me.endSession"),
    verb: t("me.end"),
    intro: t("me.endIntro"),
    fields: [],
    toCall: () => ({ method: "DELETE", path: ["me", "sessions", id] }),
  };
}

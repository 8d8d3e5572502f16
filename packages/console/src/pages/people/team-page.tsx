import { useParams } from "@tanstack/react-router";
import type { Call } from "../../api/operations.ts";
import type { Person } from "../../api/own-operations.ts";
import { useMay, useRead } from "../../api/platform.ts";
import { Detail, DetailOf } from "../../detail/detail.tsx";
import { Facts, Section } from "../../detail/facts.tsx";
import { ListPage } from "../../detail/list-page.tsx";
import type { ListSpec } from "../../list/list-spec.ts";
import { t, wordOf } from "../../text/messages.ts";
import { StatePill } from "../../ui/pill.tsx";
import { Missing, OutsideText, OutsideWord, Time } from "../../ui/values.tsx";
import { Invite } from "./invite.tsx";
import { Passkeys } from "./passkeys.tsx";
import { PersonActs } from "./person-acts.tsx";
import { rolesText } from "./roles.ts";
import { TeamTabs } from "./team-tabs.tsx";

const spec: ListSpec<"listWorkspacePeople"> = {
  name: "people",
  title: "team.title",
  call: (query) =>
    ({ method: "GET", path: ["workspace", "people"], query }) as Call<"listWorkspacePeople">,
  rowId: ({ id }) => id,
  place: ({ id }) => `team/${id}`,
  columns: [
    {
      id: "name",
      title: "column.name",
      cell: ({ name }) => (
        <span className="font-medium">
          <OutsideText text={name} isLine />
        </span>
      ),
    },
    {
      id: "email",
      title: "customers.email",
      cell: ({ email }) => <OutsideText text={email} isLine />,
    },
    { id: "state", title: "column.status", cell: ({ state }) => <StatePill state={state} /> },
    { id: "roles", title: "team.roles", cell: (row) => rolesText(row) },
    {
      id: "passkeys",
      title: "team.passkeys",
      isEnd: true,
      cell: ({ passkeys }) => <span className="tabular-nums">{passkeys.length}</span>,
    },
    {
      id: "seen",
      title: "team.seen",
      isEnd: true,
      cell: ({ lastSeenAt }) =>
        lastSeenAt === undefined ? <Missing /> : <Time at={lastSeenAt} isOfServer />,
    },
  ],
  filters: [
    {
      name: "state",
      label: "column.status",
      kind: "choice",
      choices: ["INVITED", "ACTIVE", "SUSPENDED", "REMOVED"].map((value) => ({
        value,
        label: wordOf("state", value),
      })),
    },
  ],
  card: (row) => ({
    lead: (
      <span className="font-medium text-ink">
        <OutsideText text={row.name} isLine />
      </span>
    ),
    under: rolesText(row),
    end: <StatePill state={row.state} />,
    endUnder: row.lastSeenAt === undefined ? undefined : <Time at={row.lastSeenAt} isOfServer />,
  }),
  empty: "team.empty",
};

export function TeamPage() {
  const acts = useMay("people.write") ? <Invite /> : undefined;
  return <ListPage spec={spec} place="team" acts={acts} above={<TeamTabs />} />;
}

/** Finds the person in the first page of people, because there is no operation for one person. */
export function PersonDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"listWorkspacePeople">({
    method: "GET",
    path: ["workspace", "people"],
    query: { limit: 100 },
  });
  return (
    <DetailOf reading={reading}>
      {({ data }) => {
        const person = data.find((one) => one.id === id);
        return person === undefined ? (
          <p className="py-8 text-soft">{t("team.gone")}</p>
        ) : (
          <Shown person={person} />
        );
      }}
    </DetailOf>
  );
}

function Shown({ person }: { readonly person: Person }) {
  return (
    <Detail
      kind={t("kind.Person")}
      lead={<OutsideText text={person.name} />}
      under={<OutsideWord text={person.email} />}
      state={<StatePill state={person.state} />}
      id={person.id}
      acts={<PersonActs person={person} />}
      json={person}
      tabs={[
        {
          id: "overview",
          title: t("detail.overview"),
          content: (
            <>
              <Facts
                facts={[
                  [t("team.roles"), rolesText(person)],
                  [t("team.operator"), t(person.isOperator ? "word.yes" : "word.no")],
                  person.approvesFrom !== undefined && [
                    t("team.approvesFrom"),
                    <Time key="approves" at={person.approvesFrom} isExact />,
                  ],
                  person.lastSeenAt !== undefined && [
                    t("team.seen"),
                    <Time key="seen" at={person.lastSeenAt} isExact />,
                  ],
                  [t("column.created"), <Time key="created" at={person.createdAt} isExact />],
                ]}
              />
              <Section title={t("team.passkeys")}>
                <Passkeys passkeys={person.passkeys} />
              </Section>
            </>
          ),
        },
      ]}
    />
  );
}

import type { RailConnection } from "@florin/client";
import { useParams } from "@tanstack/react-router";
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import type { Call } from "../../api/operations.ts";
import { useMay, useRead } from "../../api/platform.ts";
import { Detail, DetailOf } from "../../detail/detail.tsx";
import { Facts, memberFacts } from "../../detail/facts.tsx";
import { ListPage } from "../../detail/list-page.tsx";
import type { ListSpec } from "../../list/list-spec.ts";
import { ResourceList } from "../../list/resource-list.tsx";
import { t, wordOf } from "../../text/messages.ts";
import { plainChoices, stateChoices } from "../../ui/choices.ts";
import { FileLink } from "../../ui/file-link.tsx";
import { Pill, StatePill } from "../../ui/pill.tsx";
import { IdText } from "../../ui/place-link.tsx";
import { Missing, OutsideText, Time } from "../../ui/values.tsx";
import { entryAct } from "./entry-act.ts";
import { queueList } from "./queue-page.tsx";
import { RailTabs } from "./rail-tabs.tsx";
import { ReconciliationTab } from "./reconciliation.tsx";

const spec: ListSpec<"listRailConnections"> = {
  name: "connections",
  title: "rails.title",
  call: (query) =>
    ({ method: "GET", path: ["rails", "connections"], query }) as Call<"listRailConnections">,
  rowId: ({ id }) => id,
  place: ({ id }) => `rails/${id}`,
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
    { id: "kind", title: "column.type", cell: ({ kind }) => wordOf("railKind", kind) },
    { id: "status", title: "column.status", cell: ({ status }) => <StatePill state={status} /> },
    {
      id: "currencies",
      title: "column.currencies",
      cell: currenciesOf,
    },
    {
      id: "queued",
      title: "rails.waiting",
      isEnd: true,
      cell: ({ health }) =>
        health === undefined ? <Missing /> : <span className="tabular-nums">{health.queued}</span>,
    },
    {
      id: "unknown",
      title: "rails.unknown",
      isEnd: true,
      cell: ({ health }) =>
        health === undefined ? <Missing /> : <span className="tabular-nums">{health.unknown}</span>,
    },
    {
      id: "items",
      title: "rails.items",
      isEnd: true,
      cell: ({ health }) =>
        health === undefined ? (
          <Missing />
        ) : (
          <span className="tabular-nums">{health.openItems}</span>
        ),
    },
    { id: "id", title: "column.id", isExtra: true, cell: ({ id }) => <IdText id={id} /> },
  ],
  filters: [
    {
      name: "status",
      label: "column.status",
      kind: "choice",
      choices: stateChoices(["SETUP", "ACTIVE", "PAUSED", "DEGRADED", "ARCHIVED"]),
    },
    {
      name: "kind",
      label: "column.type",
      kind: "choice",
      choices: plainChoices(["HTTP", "MANUAL", "SANDBOX"]),
    },
    { name: "currency", label: "column.currency", kind: "text", placeholder: "USD" },
  ],
  card: (row) => ({
    lead: (
      <span className="font-medium text-ink">
        <OutsideText text={row.name} isLine />
      </span>
    ),
    under: currenciesOf(row),
    end: <StatePill state={row.status} />,
  }),
  empty: "rails.empty",
  curl: "/rails/connections",
};

/** The built-in layer has all that there are. */
function currenciesOf({ kind, currencies }: RailConnection): string {
  return kind === "SANDBOX" ? t("rails.everyCurrency") : currencies.join(" ");
}

export function ConnectionsPage() {
  return <ListPage spec={spec} place="rails" above={<RailTabs />} />;
}

export function ConnectionDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"getRailConnection">({
    method: "GET",
    path: ["rails", "connections", id],
  });
  return (
    <DetailOf reading={reading}>
      {(connection) => (
        <Detail
          kind={t("kind.RailConnection")}
          lead={<OutsideText text={connection.name} />}
          under={wordOf("railKind", connection.kind)}
          state={<StatePill state={connection.status} />}
          id={connection.id}
          acts={<Acts connection={connection} />}
          json={connection}
          path={`/rails/connections/${connection.id}`}
          tabs={[
            {
              id: "overview",
              title: t("detail.overview"),
              content: <Overview connection={connection} />,
            },
            {
              id: "queue",
              title: t("rails.queue"),
              content: (
                <ResourceList
                  spec={queueList({ connectionId: connection.id })}
                  isEmbedded
                  isBeside
                />
              ),
            },
            {
              id: "reconciliation",
              title: t("rails.reconciliation"),
              content: <ReconciliationTab connection={connection} />,
            },
          ]}
        />
      )}
    </DetailOf>
  );
}

function Overview({ connection }: { readonly connection: RailConnection }) {
  const { health, account, settlement = [], missing = [] } = connection;
  return (
    <Facts
      facts={[
        [t("column.currencies"), currenciesOf(connection)],
        [t("rails.control"), wordOf("control", connection.control.approval ?? "NONE")],
        health !== undefined && [t("rails.waiting"), String(health.queued)],
        health !== undefined && [t("rails.sending"), String(health.sending)],
        health !== undefined && [t("rails.unknown"), String(health.unknown)],
        health !== undefined && [t("rails.awaited"), String(health.awaited)],
        health !== undefined && [t("rails.conflicts"), String(health.conflicts)],
        health !== undefined && [t("rails.items"), String(health.openItems)],
        health?.lastReportAt !== undefined && [
          t("rails.lastReport"),
          <Time key="report" at={health.lastReportAt} isExact />,
        ],
        health?.lastError !== undefined && [
          t("rails.lastError"),
          <OutsideText key="error" text={health.lastError.message} />,
        ],
        settlement.length > 0 && [
          t("rails.layers"),
          <TextLines key="layers" lines={settlement.map(layerLine)} />,
        ],
        missing.length > 0 && [t("rails.leftOut"), <TextLines key="missing" lines={missing} />],
        ...memberFacts(account),
        [t("column.created"), <Time key="created" at={connection.createdAt} isExact />],
      ]}
    />
  );
}

type Layer = NonNullable<RailConnection["settlement"]>[number];

function layerLine({ layer, send, receive, assets }: Layer): string {
  const currencies = [...new Set(assets.map(({ currency }) => currency))].join(" ");
  if (!send && !receive) return t("rails.layerNone", { layer });
  const word = send && receive ? "Both" : receive ? "Makes" : "Pays";
  return t(`rails.layer${word}`, { layer, currencies });
}

function TextLines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>
          <OutsideText text={line} />
        </li>
      ))}
    </ul>
  );
}

function Acts({ connection }: { readonly connection: RailConnection }) {
  const may = useMay("rails.write");
  const mayBook = useMay("reconciliation.write") && connection.kind === "MANUAL";
  if (!may && !mayBook) return undefined;
  const booking = mayBook && (
    <>
      <ActButton spec={entryAct(connection)}>{t("rails.typeEntry")}</ActButton>
      <FileLink path={`/rails/connections/${connection.id}/queue.csv`} text={t("rails.queueCsv")} />
    </>
  );
  if (!may) return booking;
  const { status } = connection;
  return (
    <>
      {booking}
      <ActButton spec={test(connection)}>{t("rails.test")}</ActButton>
      {status === "SETUP" && (
        <ActButton spec={change(connection, "activate")} weight="primary">
          {t("rails.activate")}
        </ActButton>
      )}
      {(status === "ACTIVE" || status === "DEGRADED") && (
        <ActButton spec={pause(connection)}>{t("rails.pause")}</ActButton>
      )}
      {status === "PAUSED" && (
        <ActButton spec={change(connection, "resume")} weight="primary">
          {t("rails.resume")}
        </ActButton>
      )}
    </>
  );
}

function test({ id }: RailConnection): ActSpec<"testRailConnection"> {
  return {
    title: t("rails.test"),
    verb: t("rails.test"),
    intro: t("rails.testIntro"),
    fields: [],
    toCall: () => ({ method: "POST", path: ["rails", "connections", id, "test"] }),
    after: ({ checks }) => (
      <ul>
        {checks.map((check) => (
          <li key={check.name} className="flex items-start gap-3 border-line border-b py-2">
            <Pill
              word={t(check.ok ? "rails.passed" : "rails.failed")}
              tone={check.ok ? "good" : "bad"}
            />
            <span className="min-w-0 flex-1">
              {check.name} <OutsideText text={check.message} />
            </span>
          </li>
        ))}
      </ul>
    ),
  };
}

function change(
  { id }: RailConnection,
  verb: "activate" | "resume",
): ActSpec<"activateRailConnection" | "resumeRailConnection"> {
  return {
    title: t(`rails.${verb}`),
    verb: t(`rails.${verb}`),
    intro: t(`rails.${verb}Intro`),
    fields: [],
    toCall: () => ({ method: "POST", path: ["rails", "connections", id, verb] }) as never,
  };
}

function pause({ id, name }: RailConnection): ActSpec<"pauseRailConnection"> {
  return {
    title: t("rails.pause"),
    verb: t("rails.pause"),
    intro: t("rails.pauseIntro"),
    isDanger: true,
    typedName: name,
    fields: [
      {
        name: "newPayments",
        label: "rails.newPayments",
        kind: "choice",
        initial: "QUEUE",
        choices: stateChoices(["QUEUE", "REFUSE"], "newPayments"),
      },
    ],
    toCall: ({ newPayments = "QUEUE" }) =>
      ({
        method: "POST",
        path: ["rails", "connections", id, "pause"],
        body: { newPayments },
      }) as never,
  };
}

/** What was exchanged with other institutions in the last 30 days, and how each exchange ended. */
import type { UmaExchange } from "@florin/client";
import type { Call } from "../../api/operations.ts";
import { useMay } from "../../api/platform.ts";
import type { ListSpec } from "../../list/list-spec.ts";
import { ResourceList } from "../../list/resource-list.tsx";
import { t, wordOf } from "../../text/messages.ts";
import { Pill } from "../../ui/pill.tsx";
import { IdLink, PlaceLink } from "../../ui/place-link.tsx";
import { Missing, OutsideText, Time } from "../../ui/values.tsx";
import { UmaTabs } from "./uma-tabs.tsx";

const OK = "OK";

/** A code of the protocol is shown as it is: the guides and the other institution name it so. */
function Outcome({ outcome }: Pick<UmaExchange, "outcome">) {
  if (outcome === OK) return <Pill word={t("uma.answered")} tone="good" />;
  return <span className="font-mono text-code text-bad [overflow-wrap:anywhere]">{outcome}</span>;
}

function what({ direction, kind }: UmaExchange): string {
  return wordOf("umaExchange", `${direction}.${kind}`);
}

type Exchanges = ListSpec<"listUmaExchanges">;

const institution: Exchanges["columns"][number] = {
  id: "institution",
  title: "uma.institution",
  cell: ({ vaspDomain }) => <InstitutionLink domain={vaspDomain} />,
};

/** Who may not read institutions gets the name alone. */
export function InstitutionLink({ domain }: { readonly domain: string }) {
  if (!useMay("settings.read")) return <OutsideText text={domain} isLine />;
  return (
    <PlaceLink
      place={`uma-counterparties/${domain}`}
      className="block min-w-0 truncate text-accent hover:underline"
    >
      <OutsideText text={domain} isLine />
    </PlaceLink>
  );
}

const columns: Exchanges["columns"] = [
  { id: "what", title: "uma.exchange", cell: (row) => what(row) },
  { id: "outcome", title: "uma.outcome", cell: (row) => <Outcome outcome={row.outcome} /> },
  {
    id: "payment",
    title: "kind.Transaction",
    cell: ({ transactionId }) =>
      transactionId === undefined ? <Missing /> : <IdLink id={transactionId} />,
  },
  {
    id: "ms",
    title: "uma.took",
    isEnd: true,
    cell: ({ ms }) => <span className="tabular-nums">{t("unit.ms", { ms })}</span>,
  },
  {
    id: "version",
    title: "uma.version",
    isExtra: true,
    cell: ({ umaVersion }) =>
      umaVersion === undefined ? <Missing /> : <OutsideText text={umaVersion} isLine />,
  },
  { id: "at", title: "column.time", isEnd: true, cell: ({ at }) => <Time at={at} isOfServer /> },
];

/** The exchanges with all institutions, or with one. */
export function exchangeList(vaspDomain?: string): Exchanges {
  const isOfOne = vaspDomain !== undefined;
  return {
    name: "uma-exchanges",
    title: isOfOne ? "uma.exchanges" : "uma.title",
    call: (query) =>
      ({
        method: "GET",
        path: ["uma", "exchanges"],
        query: isOfOne ? { ...query, vaspDomain } : query,
      }) as Call<"listUmaExchanges">,
    rowId: ({ id }) => id,
    columns: isOfOne ? columns : [institution, ...columns],
    filters: isOfOne
      ? []
      : [
          {
            name: "vaspDomain",
            label: "uma.institution",
            kind: "text",
            placeholder: "bank.example",
          },
        ],
    card: (row) => ({
      lead: isOfOne ? what(row) : <InstitutionLink domain={row.vaspDomain} />,
      under: (
        <span className="flex flex-col">
          {!isOfOne && <span>{what(row)}</span>}
          {row.outcome !== OK && <Outcome outcome={row.outcome} />}
        </span>
      ),
      end: row.outcome === OK && <Outcome outcome={row.outcome} />,
      endUnder: <Time at={row.at} isOfServer />,
    }),
    empty: "uma.noExchange",
  };
}

const all = exchangeList();

export function ExchangesPage() {
  return <ResourceList spec={all} above={<UmaTabs />} />;
}

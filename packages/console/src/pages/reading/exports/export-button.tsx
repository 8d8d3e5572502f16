/** Exports the rows that a list shows, or one month of them. The server writes the file, and the dialog waits until it is ready. */
import { ActButton } from "../../../act/act-dialog.tsx";
import type { ActSpec } from "../../../act/act-spec.ts";
import { useMay, useRead } from "../../../api/platform.ts";
import type { Filter, ListTab } from "../../../list/list-spec.ts";
import { type Search, useListState } from "../../../list/list-state.ts";
import { metadataNames } from "../../../list/metadata-filters.ts";
import { ExportKey } from "../../../list/row-keys.tsx";
import { type MessageKey, t } from "../../../text/messages.ts";
import { monthBounds, zoneName } from "../../../text/time.ts";
import { FileLink } from "../../../ui/file-link.tsx";
import { StatePill } from "../../../ui/pill.tsx";
import { Waiting } from "../../../ui/states.tsx";
import { OutsideText } from "../../../ui/values.tsx";

/** The parameters that bound a list to a period. */
const PERIODS = {
  LEDGER: ["since", "until"],
  TRANSACTIONS: ["startDate", "endDate"],
  CUSTOMERS: ["createdAfter", "createdBefore"],
  EVENTS: ["since", "until"],
  DELIVERIES: ["since", "until"],
  REQUESTS: ["since", "until"],
} as const;

export type ExportedKind = keyof typeof PERIODS;

interface Shown {
  readonly filters: readonly Filter[];
  readonly tabs?: readonly ListTab[] | undefined;
  readonly search?: MessageKey | undefined;
}

export function ExportButton({
  kind,
  list,
}: {
  readonly kind: ExportedKind;
  readonly list: Shown;
}) {
  const may = useMay("exports.create");
  const { query, search } = useListState(list);
  if (!may) return undefined;
  const { limit: _, cursor: __, ...shown } = query;
  return (
    <ExportKey>
      <ActButton spec={exportOf(kind, shown, introFor(search))}>{t("exports.export")}</ActButton>
    </ExportKey>
  );
}

type Query = Readonly<Record<string, string | readonly string[]>>;

/** An export has no filter by metadata. */
const introFor = (search: Search) =>
  metadataNames(search).length === 0
    ? t("exports.intro")
    : `${t("exports.intro")} ${t("exports.withoutMetadata")}`;

function exportOf(kind: ExportedKind, shown: Query, intro: string): ActSpec<"createExport"> {
  const isLedger = kind === "LEDGER";
  const hasPeopleForm = isLedger || kind === "TRANSACTIONS" || kind === "CUSTOMERS";
  return {
    title: t("exports.export"),
    verb: t("exports.make"),
    intro,
    fields: [
      {
        name: "period",
        label: "exports.what",
        kind: "choice",
        initial: isLedger ? "last" : "shown",
        choices: (["shown", "last", "this"] as const).map((value) => ({
          value,
          label: t(`exports.what.${value}`),
        })),
      },
      {
        name: "format",
        label: "exports.format",
        kind: "choice",
        initial: hasPeopleForm ? "PEOPLE" : "CSV",
        choices: (hasPeopleForm ? FORMS : FORMS.slice(1)).map((value) => ({
          value,
          label: t(`exports.format.${value}`),
        })),
      },
    ],
    toCall: ({ period = "shown", format = "CSV" }) => ({
      method: "POST",
      path: ["exports"],
      body: { kind, ...formOf(format), filter: filterOf(kind, shown, period) } as never,
    }),
    after: ({ id }) => <Progress id={id} />,
  };
}

/** A file for people is CSV; its times are those of the person who asks for it. */
const FORMS = ["PEOPLE", "CSV", "JSONL"] as const;

const formOf = (form: string) =>
  form === "PEOPLE"
    ? { format: "CSV", audience: "PEOPLE", timeZone: zoneName() }
    : { format: form };

/** Converts the list's query parameters to the members of the export's body. */
function filterOf(kind: ExportedKind, shown: Query, period: string) {
  const [from, to] = PERIODS[kind];
  const filter = Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [name, memberOf(name, value)]),
  );
  if (period === "shown") return filter;
  const [since, until] = monthBounds(period === "last" ? -1 : 0);
  return { ...filter, [from]: since, [to]: until };
}

/** Parameters that are arrays in the body. Only event types, which contain a dot: a payment's `type` stays one value. */
const LISTS = new Set(["type", "eventType"]);
const NUMBERS = new Set(["status", "minLatencyMs", "minAmount", "maxAmount"]);

function memberOf(name: string, value: string | readonly string[]): unknown {
  if (typeof value !== "string") return value;
  if (value === "true" || value === "false") return value === "true";
  if (NUMBERS.has(name) && /^\d+$/.test(value)) return Number(value);
  return LISTS.has(name) && value.includes(".") ? [value] : value;
}

function Progress({ id }: { readonly id: string }) {
  const reading = useRead<"getExport">(
    { method: "GET", path: ["exports", id] },
    { isMoving: ({ state }) => state === "PENDING" },
  );
  return (
    <Waiting reading={reading}>
      {({ state, rows, failure }) => (
        <div role="status" className="flex flex-wrap items-center gap-3 text-form">
          <StatePill state={state} />
          <span className="tabular-nums">{t("exports.rows", { count: rows })}</span>
          {failure !== undefined && <OutsideText text={failure} />}
          {state === "READY" && (
            <FileLink path={`/exports/${id}/file`} text={t("exports.save")} isMain />
          )}
        </div>
      )}
    </Waiting>
  );
}

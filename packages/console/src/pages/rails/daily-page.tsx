/** Reconciliation of all connections day by day. A day opens its breaks, with what may explain them. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Check, Minus, TriangleAlert } from "lucide-react";
import type { DailyBook, DailyBooks, ReconciledDay } from "../../api/desk-operations.ts";
import { useRead } from "../../api/platform.ts";
import { t } from "../../text/messages.ts";
import { amountLine, amountText } from "../../text/money.ts";
import { columnDay } from "../../text/time.ts";
import { classes } from "../../ui/classes.ts";
import { ChoiceInput, TextInput } from "../../ui/fields.tsx";
import { FileLink } from "../../ui/file-link.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { PlaceLink } from "../../ui/place-link.tsx";
import { Empty, Waiting } from "../../ui/states.tsx";
import { Amount, Missing, OutsideText } from "../../ui/values.tsx";
import { Breaks } from "./day-breaks.tsx";
import { RailTabs } from "./rail-tabs.tsx";

const SPANS = [
  { value: "7", label: t("daily.week") },
  { value: "14", label: t("daily.fortnight") },
  { value: "31", label: t("daily.month") },
] as const;

type Search = Readonly<Record<string, string>>;

/** Everything is in the URL: the span, and the day that is open. */
function useSpan() {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const days = SPANS.find(({ value }) => value === search.days)?.value ?? "7";
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(search.to ?? "");
  return {
    search,
    days,
    to: search.to ?? "",
    query: { days, ...(isDay ? { to: search.to ?? "" } : {}) },
    change(parts: Readonly<Record<string, string>>) {
      const next = Object.entries({ ...search, ...parts }).filter(([, value]) => value !== "");
      void navigate({ to: ".", search: Object.fromEntries(next) as never, replace: true });
    },
  };
}

export function DailyPage() {
  const { search, days, to, query, change } = useSpan();
  const reading = useRead<"getDailyReconciliation">(
    {
      method: "GET",
      path: ["rails", "desk", "reconciliation"],
      query: { ...query, days: Number(query.days) },
    },
    { keepsPrevious: true },
  );
  const { connectionId, currency, day } = search;
  return (
    <>
      <PageHead title={t("rails.reconciliation")}>
        <FileLink path="/rails/desk/reconciliation.csv" query={query} text={t("rails.csv")} />
      </PageHead>
      <RailTabs />
      <div className="flex flex-wrap items-end gap-3 pb-4">
        <div className="w-36">
          <ChoiceInput
            label={t("daily.span")}
            choices={SPANS}
            value={days}
            onChange={(value) => change({ days: value })}
            placeholder={t("form.choose")}
          />
        </div>
        <div className="w-40">
          <TextInput
            label={t("daily.to")}
            value={to === "" ? (reading.data?.days.at(-1) ?? "") : to}
            onChange={(value) => change({ to: value })}
            type="date"
          />
        </div>
      </div>
      <Waiting reading={reading} rows={6}>
        {(found) =>
          found.books.length === 0 ? (
            <Empty sentence={t("daily.empty")} />
          ) : (
            <>
              <Grid found={found} search={search} />
              <Totals books={found.books} />
              {connectionId !== undefined && currency !== undefined && day !== undefined && (
                <Breaks
                  key={`${connectionId} ${currency} ${day}`}
                  of={{ connectionId, currency, day }}
                  name={nameIn(found.books, connectionId)}
                />
              )}
            </>
          )
        }
      </Waiting>
    </>
  );
}

function nameIn(books: readonly DailyBook[], id: string): string {
  return books.find(({ connectionId }) => connectionId === id)?.connectionName ?? "";
}

/** On a narrow screen the table scrolls, and the newest days are at its end. */
function showEnd(section: HTMLElement | null): void {
  if (section !== null) section.scrollLeft = section.scrollWidth;
}

function Grid({ found, search }: { readonly found: DailyBooks; readonly search: Search }) {
  return (
    <section
      aria-label={t("rails.reconciliation")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
      tabIndex={0}
      ref={showEnd}
      className="overflow-x-auto"
    >
      <table className="w-full border-separate border-spacing-0 text-body">
        <caption className="sr-only">{t("rails.reconciliation")}</caption>
        <thead>
          <tr>
            <Head isStart>{t("daily.book")}</Head>
            {found.days.map((day) => (
              <Head key={day}>{columnDay(day)}</Head>
            ))}
            <Head>{t("daily.total")}</Head>
          </tr>
        </thead>
        <tbody>
          {found.books.map((book) => (
            <tr key={`${book.connectionId} ${book.currency}`}>
              <th
                scope="row"
                className="sticky start-0 z-10 max-w-44 border-line border-b bg-ground py-1.5 pe-3 text-start font-medium"
              >
                <OutsideText text={book.connectionName} isLine />
                <span className="text-caption font-normal text-soft">{book.currency}</span>
              </th>
              {book.days.map((daily) => (
                <td key={daily.day} className="border-line border-b p-0.5">
                  <Cell book={book} daily={daily} search={search} />
                </td>
              ))}
              <td className="border-line border-b ps-3 text-end">
                <LastUnexplained book={book} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Head({
  isStart = false,
  children,
}: {
  readonly isStart?: boolean;
  readonly children: string;
}) {
  return (
    <th
      scope="col"
      className={classes(
        "border-line border-b px-1 py-2 text-caption font-semibold whitespace-nowrap text-soft",
        isStart ? "sticky start-0 z-10 bg-ground ps-0 text-start" : "text-center last:text-end",
      )}
    >
      {children}
    </th>
  );
}

const LOOKS: Readonly<Record<ReconciledDay["state"], string>> = {
  GREEN: "text-good",
  RED: "tint-bad font-semibold",
  CARRIED: "text-bad",
  NONE: "text-soft",
};

/** A day of a book is a link, so that it opens in a tab and is kept in the URL. */
function Cell({
  book: { connectionId, currency, connectionName },
  daily,
  search,
}: {
  readonly book: DailyBook;
  readonly daily: ReconciledDay;
  readonly search: Search;
}) {
  const { day, state, begun, items, untold } = daily;
  const open = items + untold;
  const isCurrent =
    search.connectionId === connectionId && search.currency === currency && search.day === day;
  const word = stateWord(daily);
  return (
    <PlaceLink
      place="rail-reconciliation"
      search={{ ...search, connectionId, currency, day }}
      label={t("daily.cell", { name: connectionName, currency, day, state: word })}
      className={classes(
        "flex min-h-11 min-w-16 flex-col items-center justify-center rounded-control px-1 text-caption tabular-nums hover:bg-panel",
        LOOKS[state],
        isCurrent && "outline-2 outline-accent",
      )}
    >
      {state === "GREEN" && <Check size={15} aria-hidden />}
      {state === "NONE" && <Minus size={15} aria-hidden />}
      {state === "CARRIED" && <span>{t("daily.state.CARRIED")}</span>}
      {state === "RED" && begun !== undefined && (
        <span className="flex items-center gap-1 whitespace-nowrap">
          <TriangleAlert size={12} aria-hidden />
          {amountText(begun).number}
        </span>
      )}
      {open > 0 && <span className="text-soft">{t("daily.open", { count: open })}</span>}
    </PlaceLink>
  );
}

function stateWord({ state, begun }: ReconciledDay): string {
  if (state === "RED" && begun !== undefined)
    return t("daily.state.RED", { amount: amountLine(begun) });
  return t(
    state === "GREEN"
      ? "daily.state.GREEN"
      : state === "CARRIED"
        ? "daily.state.CARRIED"
        : "daily.state.NONE",
  );
}

const lastOf = ({ days }: DailyBook) =>
  days.findLast(({ unexplained }) => unexplained !== undefined)?.unexplained;

function LastUnexplained({ book }: { readonly book: DailyBook }) {
  const last = lastOf(book);
  if (last === undefined) return <Missing />;
  return (
    <span className={classes(BigInt(last.amount) === 0n ? "text-good" : "font-semibold text-bad")}>
      <Amount amount={last} />
    </span>
  );
}

/** Different currencies are never added up. */
function Totals({ books }: { readonly books: readonly DailyBook[] }) {
  const currencies = [...new Set(books.map(({ currency }) => currency))];
  return (
    <ul className="pt-3 text-caption text-soft">
      {currencies.map((currency) => {
        const own = books.filter((book) => book.currency === currency);
        const sum = own.reduce((total, book) => total + BigInt(lastOf(book)?.amount ?? 0), 0n);
        const red = own.flatMap(({ days }) => days).filter(({ state }) => state === "RED").length;
        const amount = amountLine({ amount: String(sum), currency });
        return <li key={currency}>{t("daily.totals", { currency, red, amount })}</li>;
      })}
    </ul>
  );
}

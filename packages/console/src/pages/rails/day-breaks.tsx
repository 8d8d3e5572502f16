/** The breaks of a day of a book: its difference, what may explain it, and what of the day is still open. */
import type { RailEntry, RailPayment } from "@florin/client";
import type { ReactNode } from "react";
import type { DayBreaks, ReconciledDay } from "../../api/desk-operations.ts";
import { useRead } from "../../api/platform.ts";
import { Section } from "../../detail/facts.tsx";
import { t, wordOf } from "../../text/messages.ts";
import { amountLine } from "../../text/money.ts";
import { ageOf, daysSince, dayText } from "../../text/time.ts";
import { IdLink } from "../../ui/place-link.tsx";
import { Waiting } from "../../ui/states.tsx";
import { Amount, OutsideWord } from "../../ui/values.tsx";

interface BookDay {
  readonly connectionId: string;
  readonly currency: string;
  readonly day: string;
}

export function Breaks({ of, name }: { readonly of: BookDay; readonly name: string }) {
  const reading = useRead<"getDayBreaks">({
    method: "GET",
    path: ["rails", "desk", "breaks"],
    query: of,
  });
  return (
    <section aria-live="polite" className="mt-6 border-line border-t pt-4 wide:max-w-3xl">
      <h2 className="text-section font-semibold">
        <OutsideWord text={`${name} \u00b7 ${of.currency} \u00b7 ${dayText(of.day)}`} />
      </h2>
      <Waiting reading={reading} rows={5}>
        {(found) => <Found found={found} day={of.day} />}
      </Waiting>
    </section>
  );
}

function Found({ found, day }: { readonly found: DayBreaks; readonly day: string }) {
  const { daily, explanations, items, untold } = found;
  const isRed = daily?.state === "RED";
  return (
    <>
      {daily !== undefined && <p className="pt-1 text-form">{differenceOf(daily, day)}</p>}
      {isRed && (
        <Section title={t("daily.mayExplain")}>
          {explanations.length === 0 && <p className="text-soft">{t("daily.nothingExplains")}</p>}
          <ul>
            {explanations.map(({ kind, entry, payment }) => (
              <Row key={entry?.id ?? payment?.id ?? kind} why={wordOf("daily.why", kind)}>
                {entry !== undefined && <EntryLine entry={entry} />}
                {payment !== undefined && <OrderLine order={payment} />}
              </Row>
            ))}
          </ul>
        </Section>
      )}
      {items.length > 0 && (
        <Section title={t("daily.items")}>
          <ul>
            {items.map(({ item, entry }) => (
              <Row key={item.id} why={wordOf("itemReason", item.reason)}>
                <EntryLine entry={entry} id={item.id} />
              </Row>
            ))}
          </ul>
        </Section>
      )}
      {untold.length > 0 && (
        <Section title={t("daily.untold")}>
          <ul>
            {untold.map((order) => (
              <Row key={order.id}>
                <OrderLine order={order} />
              </Row>
            ))}
          </ul>
        </Section>
      )}
      {!isRed && items.length + untold.length === 0 && (
        <p className="pt-2 text-soft">{t("daily.all")}</p>
      )}
    </>
  );
}

function differenceOf({ state, begun, unexplained }: ReconciledDay, day: string): string {
  if (state === "RED" && begun !== undefined) {
    const isLess = begun.amount.startsWith("-");
    const amount = amountLine({ ...begun, amount: begun.amount.replace("-", "") });
    const days = daysSince(day);
    return t(isLess ? "daily.less" : "daily.more", { amount, days });
  }
  if (state === "CARRIED" && unexplained !== undefined)
    return t("daily.carriedNote", { amount: amountLine(unexplained) });
  return t(state === "GREEN" ? "daily.greenNote" : "daily.noneNote");
}

function Row({ why, children }: { readonly why?: string; readonly children: ReactNode }) {
  return (
    <li className="flex flex-col gap-0.5 border-line border-b py-2">
      {children}
      {why !== undefined && <span className="text-caption text-soft">{why}</span>}
    </li>
  );
}

/** The link leads to the line, or to the object that is given. */
function EntryLine({ entry, id = entry.id }: { readonly entry: RailEntry; readonly id?: string }) {
  const { amount, direction, payer, bankReference, bookedOn, remittance } = entry;
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <Amount amount={amount} sign={direction === "CREDIT" ? "plus" : "minus"} isStrong />
      <OutsideWord text={payer?.name ?? remittance ?? ""} />
      <IdLink id={id}>
        <OutsideWord text={bankReference} />
      </IdLink>
      <span className="text-soft">{dayText(bookedOn)}</span>
    </span>
  );
}

function OrderLine({ order }: { readonly order: RailPayment }) {
  const { id, amount, direction, counterparty, reference, state, createdAt } = order;
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <Amount amount={amount} sign={direction === "PULL" ? "plus" : "minus"} isStrong />
      <OutsideWord text={counterparty.name ?? counterparty.identifierMasked} />
      <IdLink id={id}>
        <OutsideWord text={reference} />
      </IdLink>
      <span className="text-soft">
        {wordOf("state", state)} {"\u00b7"} {ageOf(createdAt)}
      </span>
    </span>
  );
}

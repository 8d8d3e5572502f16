/** What an approval asks for: the members of the order, as they were sent. */
import type { Approval } from "@florin/client";
import type { ReactNode } from "react";
import { type Fact, Facts } from "../../detail/facts.tsx";
import { readId } from "../../std/ids.ts";
import { fieldWord } from "../../text/field-word.ts";
import { t } from "../../text/messages.ts";
import { IdLink, IdText } from "../../ui/place-link.tsx";
import { Amount, OutsideText } from "../../ui/values.tsx";
import { useIsHere } from "./people.tsx";

type Content = Readonly<Record<string, unknown>>;

/** Amounts of an order, with the member that names their currency. The summary has the others. */
const AMOUNTS: Readonly<Record<string, (content: Content) => unknown>> = {
  amount: ({ currency }) => currency,
  minReceived: ({ receivingCurrency }) => receivingCurrency,
  maxSent: ({ sendingCurrency }) => sendingCurrency,
  lockedCurrencyAmount: ({ lockedCurrencySide, sendingCurrency, receivingCurrency }) =>
    lockedCurrencySide === "SENDING" ? sendingCurrency : receivingCurrency,
};

export function Content({
  approval: { content, platformId },
}: {
  readonly approval: Pick<Approval, "content" | "platformId">;
}) {
  const isHere = useIsHere()(platformId);
  if (content === undefined) return <p className="text-soft">{t("json.none")}</p>;
  const facts = Object.entries(content).flatMap(([name, value]): readonly Fact[] => {
    const currencyOf = AMOUNTS[name];
    if (currencyOf === undefined || typeof value !== "number") return factsOf(name, value, isHere);
    const currency = currencyOf(content);
    if (typeof currency !== "string") return [];
    const amount = { amount: String(value), currency };
    return [[fieldWord(name), <Amount key={name} amount={amount} isStrong />]];
  });
  return <Facts facts={facts} />;
}

function factsOf(path: string, value: unknown, isHere: boolean): readonly Fact[] {
  const isObject = typeof value === "object" && value !== null;
  if (isObject && !isPlainList(value)) {
    return Object.entries(value).flatMap(([name, one]) => factsOf(`${path}.${name}`, one, isHere));
  }
  return [[fieldWord(path), shownValue(value, isHere)]];
}

function isPlainList(value: object): value is readonly unknown[] {
  return Array.isArray(value) && value.every((one) => typeof one !== "object");
}

function shownValue(value: unknown, isHere: boolean): ReactNode {
  if (typeof value === "string" && readId(value) !== undefined)
    return isHere ? <IdLink id={value} /> : <IdText id={value} />;
  if (value === null) return t("json.none");
  return <OutsideText text={Array.isArray(value) ? value.join(", ") : String(value)} />;
}

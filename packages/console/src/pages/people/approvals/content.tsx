/** The content of an approval: the order's members as they were sent. */
import type { Agent, Approval } from "@florin/client";
import type { ReactNode } from "react";
import { type Fact, Facts } from "../../../detail/facts.tsx";
import { readId } from "../../../std/ids.ts";
import { fieldWord } from "../../../text/field-word.ts";
import { t, wordOf } from "../../../text/messages.ts";
import { IdLink, IdText } from "../../../ui/place-link.tsx";
import { Amount, OutsideText, Time } from "../../../ui/values.tsx";
import { useIsHere } from "./people.tsx";
import { PolicyChange, PolicyFacts } from "./policy-facts.tsx";

type Content = Readonly<Record<string, unknown>>;

/** Amount members of an order, each with the currency that applies to it. The summary shows other amounts. */
const AMOUNTS: Readonly<Record<string, (content: Content) => unknown>> = {
  amount: ({ currency }) => currency,
  minReceived: ({ receivingCurrency }) => receivingCurrency,
  maxSent: ({ sendingCurrency }) => sendingCurrency,
  lockedCurrencyAmount: ({ lockedCurrencySide, sendingCurrency, receivingCurrency }) =>
    lockedCurrencySide === "SENDING" ? sendingCurrency : receivingCurrency,
};

type Shown = Pick<Approval, "content" | "operation" | "platformId">;

export function Content({ approval }: { readonly approval: Shown }) {
  const { content, operation } = approval;
  if (content === undefined) return <p className="text-soft">{t("json.none")}</p>;
  switch (operation) {
    case "updateAgentPolicy": {
      const { before, changes, ...rest } = content as unknown as ChangedPolicy;
      return (
        <>
          <Members approval={{ ...approval, content: rest }} />
          <PolicyChange before={before} changes={changes} />
        </>
      );
    }
    case "createAgent": {
      const { policy, ...rest } = content as unknown as NewAgent;
      return (
        <>
          <Members approval={{ ...approval, content: rest }} />
          <PolicyFacts policy={policy} />
        </>
      );
    }
    case "updateSso": {
      const { issuers, ...rest } = content as unknown as ChangedSso;
      // The encrypted client secret has no meaning to a person, so it is left out.
      const shown = issuers.map(({ secret: _, ...issuer }) => issuer);
      return <Members approval={{ ...approval, content: { ...rest, issuers: shown } }} />;
    }
    default:
      return <Members approval={approval} />;
  }
}

interface ChangedPolicy {
  readonly agentId: string;
  readonly before: Agent["policy"];
  readonly changes: Partial<Agent["policy"]>;
}

interface NewAgent {
  readonly policy: Agent["policy"];
}

interface ChangedSso {
  readonly issuers: readonly { readonly secret?: unknown }[];
}

function Members({ approval: { content = {}, platformId } }: { readonly approval: Shown }) {
  const isHere = useIsHere()(platformId);
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

/** Members whose values are API constants, with the prefix of their texts. */
const WORDS: Readonly<Record<string, string>> = {
  reason: "freezeReason",
  scope: "freezeScope",
  reasonCode: "verificationError",
  outcome: "state",
};

/** The name of this member is left out of the labels of an account's details. */
const UNNAMED = "accountInfo";

function factsOf(path: string, value: unknown, isHere: boolean): readonly Fact[] {
  const isObject = typeof value === "object" && value !== null;
  if (isObject && !isPlainList(value)) {
    const prefix = path === UNNAMED ? "" : `${path}.`;
    return Object.entries(value).flatMap(([name, one]) => factsOf(`${prefix}${name}`, one, isHere));
  }
  const name = path.split(".").at(-1) ?? "";
  return [[fieldWord(path), shownValue(name, value, isHere)]];
}

function isPlainList(value: object): value is readonly unknown[] {
  return Array.isArray(value) && value.every((one) => typeof one !== "object");
}

function shownValue(name: string, value: unknown, isHere: boolean): ReactNode {
  if (typeof value === "string" && readId(value) !== undefined)
    return isHere ? <IdLink id={value} /> : <IdText id={value} />;
  if (value === null) return t("json.none");
  if (name === "since" && typeof value === "string") return <Time at={value} isExact />;
  const words = WORDS[name];
  if (words !== undefined && typeof value === "string")
    return <OutsideText text={wordOf(words, value)} />;
  return <OutsideText text={Array.isArray(value) ? value.join(", ") : String(value)} />;
}

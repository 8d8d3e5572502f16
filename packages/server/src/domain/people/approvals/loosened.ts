/**
 * The names of the settings that a change loosens, so that more money may be paid, taken in or asserted than before, or by fewer
 * people. Empty for a change that only tightens or does not affect money. A setting without a rule here counts as loosened whenever it
 * changes.
 */
import { canonicalJson, type JsonObject } from "../../../std/json.ts";
import { UMA_ADDRESS } from "../../payments/carrier/carrier.port.ts";
import type { FxLimit } from "../../prices/fx-positions/set-fx-limits.ts";
import { ANY, type FeeRule, type SpreadRule } from "../../prices/price-rules/price-rules.ts";
import {
  type ConnectionControl,
  type RailConnection,
  USUAL_RETURN_DAYS,
} from "../../rails/connections/rail-connection.ts";
import type { RailRoute } from "../../rails/routes/rail-route.ts";

export type Loosened = readonly string[];

/** The names of the members for which `isLooser` is true. */
function named<Row extends object>(
  before: Row,
  after: Row,
  isLooser: (name: string, was: unknown, is: unknown) => boolean,
): Loosened {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const [was, is] = [before, after] as unknown as [JsonObject, JsonObject];
  return names.filter((name) => isLooser(name, was[name], is[name]));
}

function differ(was: unknown, is: unknown): boolean {
  return canonicalJson(was ?? null) !== canonicalJson(is ?? null);
}

type Bound = bigint | string | null;

/** For an upper bound; null is no bound. */
function isRaised(was: Bound, is: Bound): boolean {
  if (was === null) return false;
  return is === null || BigInt(is) > BigInt(was);
}

/** For a lower bound; null is no bound. */
function isLowered(was: Bound, is: Bound): boolean {
  if (was === null) return false;
  return is === null || BigInt(is) < BigInt(was);
}

/** For an allowlist; null allows everything. */
function isWider(was: readonly string[] | null, is: readonly string[] | null): boolean {
  if (was === null) return false;
  return is === null || is.some((one) => !was.includes(one));
}

export function loosenedControl(before: ConnectionControl, after: ConnectionControl): Loosened {
  return named(before, after, (name, was, is) => {
    switch (name) {
      case "approval":
        return was === "FOUR_EYES" && is !== "FOUR_EYES";
      case "payoutCeiling":
      case "creditCeiling":
        return isRaised(was as Bound, is as Bound);
      case "importers":
        return isWider(was as readonly string[] | null, is as readonly string[] | null);
      case "returnDays":
        return Number(is ?? USUAL_RETURN_DAYS) > Number(was ?? USUAL_RETURN_DAYS);
      default:
        return differ(was, is);
    }
  }).map((name) => `control.${name}`);
}

/** Settings that affect neither where money goes nor what is believed about it. */
const TECHNICAL: ReadonlySet<string> = new Set([
  "timeoutMs",
  "concurrency",
  "pollSeconds",
  "instructionsNote",
]);

/** In SETUP only the control settings count: the connection carries nothing until it is activated, and the activation waits too. */
export function loosenedConnection(before: RailConnection, after: RailConnection): Loosened {
  const control = loosenedControl(before.control, after.control);
  if (before.status === "SETUP") return control;
  const settings = named(before.settings, after.settings, (name, was, is) => {
    if (TECHNICAL.has(name)) return false;
    if (name === "holdDays") return Number(is ?? 0) < Number(was ?? 0);
    if (name !== "accountTypes" && name !== "paymentRails") return differ(was, is);
    return isWider((was ?? []) as readonly string[], (is ?? []) as readonly string[]);
  });
  const secrets = named(before.secretFacts, after.secretFacts, (name, was, is) => {
    const isEnd = name.startsWith("previous") && is === undefined;
    return differ(was, is) && !isEnd;
  });
  return [
    ...control,
    ...settings.map((name) => `settings.${name}`),
    ...secrets.map((name) => `secrets.${name}`),
    ...(differ(before.account, after.account) ? ["account"] : []),
    ...(differ(before.funding, after.funding) ? ["funding"] : []),
  ];
}

const TECHNICAL_OF_ROUTES: ReadonlySet<string> = new Set(["name", "createdAt", "updatedAt"]);

/** Enabling a route loosens as a whole, because a disabled route lets nothing through. */
export function loosenedRoute(before: RailRoute | undefined, after: RailRoute): Loosened {
  if (!after.enabled || after.deletedAt !== null) return [];
  if (before?.enabled !== true) return ["enabled"];
  return named(before, after, (name, was, is) => {
    if (TECHNICAL_OF_ROUTES.has(name)) return false;
    switch (name) {
      // Routing takes the route with the lower number.
      case "priority":
        return Number(is) < Number(was);
      case "minMinor":
        return isLowered(was as Bound, is as Bound);
      case "maxMinor":
        return isRaised(was as Bound, is as Bound);
      case "accountTypes":
        return addsUmaAddress(was as Names, is as Names) || isWider(was as Names, is as Names);
      case "paymentRails":
        return isWider(was as readonly string[] | null, is as readonly string[] | null);
      default:
        return was !== is;
    }
  });
}

type Names = readonly string[] | null;

/** A route of any account type does not carry payments to UMA addresses. */
function addsUmaAddress(was: Names, is: Names): boolean {
  return is?.includes(UMA_ADDRESS) === true && was?.includes(UMA_ADDRESS) !== true;
}

interface RuleOf<Rule> {
  readonly placeOf: (rule: Rule) => string;
  /** Whether one payment may match both rules. */
  readonly overlap: (one: Rule, other: Rule) => boolean;
  readonly isBelow: (rule: Rule, than: Rule) => boolean;
}

/**
 * The rules that may lower the price of a payment: old rules that were lowered or removed, and new rules below an old rule that they
 * overlap. Without any, no payment gets cheaper, because its rule is one that it had or a new one that overlaps it.
 */
function loosenedTable<Rule>(
  before: readonly Rule[],
  after: readonly Rule[],
  { placeOf, overlap, isBelow }: RuleOf<Rule>,
): Loosened {
  const kept = new Map(after.map((rule) => [placeOf(rule), rule]));
  const known = new Set(before.map(placeOf));
  const lowered = before.filter((rule) => {
    const now = kept.get(placeOf(rule));
    return now === undefined || isBelow(now, rule);
  });
  const undercutting = after.filter(
    (rule) =>
      !known.has(placeOf(rule)) &&
      before.some((other) => overlap(rule, other) && isBelow(rule, other)),
  );
  return [...lowered, ...undercutting].map(placeOf);
}

const meet = (one: string | null, other: string | null) =>
  one === other || one === ANY || other === ANY || one === null || other === null;

export function loosenedFees(before: readonly FeeRule[], after: readonly FeeRule[]): Loosened {
  return loosenedTable(before, after, {
    placeOf: ({ from, to, accountType, paymentRail }) =>
      [from, to, accountType, paymentRail].filter((one) => one !== null).join(" "),
    overlap: (one, other) =>
      meet(one.from, other.from) &&
      meet(one.to, other.to) &&
      meet(one.accountType, other.accountType) &&
      meet(one.paymentRail, other.paymentRail),
    isBelow: (rule, than) =>
      BigInt(rule.fixed) < BigInt(than.fixed) ||
      rule.bps < than.bps ||
      isLowered(than.least, rule.least) ||
      // A fee without an upper bound is never below one with an upper bound.
      (rule.most !== null && (than.most === null || BigInt(rule.most) < BigInt(than.most))),
  });
}

export function loosenedSpreads(
  before: readonly SpreadRule[],
  after: readonly SpreadRule[],
): Loosened {
  return loosenedTable(before, after, {
    placeOf: ({ from, to }) => `${from} ${to}`,
    overlap: (one, other) => meet(one.from, other.from) && meet(one.to, other.to),
    isBelow: (rule, than) => rule.bps < than.bps,
  });
}

/** A currency that `after` does not list loses its limits. */
export function loosenedLimits(before: readonly FxLimit[], after: readonly FxLimit[]): Loosened {
  return before.flatMap(({ currency, maxLong, maxShort }) => {
    const now = after.find((limit) => limit.currency === currency);
    const isLooser =
      isRaised(maxLong, now?.maxLong ?? null) || isRaised(maxShort, now?.maxShort ?? null);
    return isLooser ? [currency] : [];
  });
}

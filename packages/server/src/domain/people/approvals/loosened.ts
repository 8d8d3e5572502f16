/**
 * What a change of configuration loosens, in words: by which more money may be paid, taken in or asserted, or by fewer people, than before.
 * Nothing for a change that only tightens, or that has no bearing on money. A member that is not named here loosens when it changes.
 */
import { canonicalJson, type JsonObject } from "../../../std/json.ts";
import type { FxLimit } from "../../prices/fx-positions/set-fx-limits.ts";
import { ANY, type FeeRule, type SpreadRule } from "../../prices/price-rules/price-rules.ts";
import {
  type ConnectionControl,
  type RailConnection,
  USUAL_RETURN_DAYS,
} from "../../rails/connections/rail-connection.ts";
import type { RailRoute } from "../../rails/routes/rail-route.ts";

export type Loosened = readonly string[];

/** The names of the members of which `isLooser` says so. */
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

/** An upper bound; null is none. */
function isRaised(was: Bound, is: Bound): boolean {
  if (was === null) return false;
  return is === null || BigInt(is) > BigInt(was);
}

/** A lower bound; null is none. */
function isLowered(was: Bound, is: Bound): boolean {
  if (was === null) return false;
  return is === null || BigInt(is) < BigInt(was);
}

/** A list of what is let through; null is all. */
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

/** Settings without a bearing on where money goes, and on what is believed about it. */
const TECHNICAL: ReadonlySet<string> = new Set([
  "timeoutMs",
  "concurrency",
  "pollSeconds",
  "instructionsNote",
]);

/** Of one in SETUP only its control counts: it carries nothing before it is activated, which waits, too. */
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

/** A route that was disabled let nothing through. */
export function loosenedRoute(before: RailRoute | undefined, after: RailRoute): Loosened {
  if (!after.enabled || after.deletedAt !== null) return [];
  if (before?.enabled !== true) return ["enabled"];
  return named(before, after, (name, was, is) => {
    if (TECHNICAL_OF_ROUTES.has(name)) return false;
    switch (name) {
      // The route with the lower one is taken.
      case "priority":
        return Number(is) < Number(was);
      case "minMinor":
        return isLowered(was as Bound, is as Bound);
      case "maxMinor":
        return isRaised(was as Bound, is as Bound);
      case "accountTypes":
      case "paymentRails":
        return isWider(was as readonly string[] | null, is as readonly string[] | null);
      default:
        return was !== is;
    }
  });
}

interface RuleOf<Rule> {
  readonly placeOf: (rule: Rule) => string;
  /** Whether a payment may fit both. */
  readonly overlap: (one: Rule, other: Rule) => boolean;
  readonly isBelow: (rule: Rule, than: Rule) => boolean;
}

/**
 * A table whose rules are all kept or raised, and whose new rules are nowhere below a rule that they may come before, asks for no less of any
 * payment: the rule that a payment has now is one that it had, or a new one that overlaps with that.
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
      // Without an upper bound a fee is never below one with it.
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

/** A currency that `after` does not name has no limits any more. */
export function loosenedLimits(before: readonly FxLimit[], after: readonly FxLimit[]): Loosened {
  return before.flatMap(({ currency, maxLong, maxShort }) => {
    const now = after.find((limit) => limit.currency === currency);
    const isLooser =
      isRaised(maxLong, now?.maxLong ?? null) || isRaised(maxShort, now?.maxShort ?? null);
    return isLooser ? [currency] : [];
  });
}

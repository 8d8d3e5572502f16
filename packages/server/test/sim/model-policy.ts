/** The verdict of a policy on an action, from the published rules. Shares no code with the product. */
import type { Limits, Permission, Policy, PolicyPatch } from "./agent-orders.ts";
import type { Verdict } from "./verdict.ts";

const DAY_MS = 86_400_000;

export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}

export function startOfDay(day: number): number {
  return day * DAY_MS;
}

export function monthOf(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

interface Currencies {
  readonly from: string;
  readonly to: string;
}

/** One dollar is 0.92 euros. Rounded up, so that an amount cannot pass a limit by rounding. */
export function measured(minor: bigint, { from, to }: Currencies): bigint {
  const [times, by] = rateOf({ from, to });
  return (minor * times + by - 1n) / by;
}

function rateOf({ from, to }: Currencies): readonly [bigint, bigint] {
  if (from === to) return [1n, 1n];
  return to === "EUR" ? [23n, 25n] : [25n, 23n];
}

/** Limits that the patch does not set are converted to the new currency, rounded down. */
export function patched(policy: Policy, { limits, ...rest }: PolicyPatch): Policy {
  const to = limits?.currency ?? policy.limits.currency;
  const [times, by] = rateOf({ from: policy.limits.currency, to });
  const convert = (limit: number) => Number((BigInt(limit) * times) / by);
  const orNone = (limit: number | null) => (limit === null ? null : convert(limit));
  const { perTransaction, day, month, count } = policy.limits;
  const converted: Limits = {
    ...{ currency: to, count, perTransaction: convert(perTransaction) },
    ...{ day: orNone(day), month: orNone(month) },
  };
  const rules = policy.rules.map((rule) => ({
    ...rule,
    perTransaction: orNone(rule.perTransaction),
  }));
  return { ...policy, rules, ...rest, limits: { ...converted, ...limits } };
}

export interface Facts {
  readonly needs: Permission;
  readonly accounts: readonly string[];
  /** The external account that is paid, and the one of a pull. */
  readonly payee: string | null;
  readonly funding: string | null;
  readonly currency: string;
  readonly minor: bigint;
}

export interface Figures {
  readonly count: bigint;
  readonly day: bigint;
  readonly month: bigint;
}

export interface Counted {
  readonly least: Figures;
  readonly most: Figures;
}

/** The violated rule, or OK; several verdicts when the usage is uncertain. */
export function verdictsOfPolicy(
  policy: Policy,
  facts: Facts,
  { least, most }: Counted,
): readonly Verdict[] {
  const { limits } = policy;
  const forbidden = forbiddenSide(policy, facts);
  if (forbidden !== undefined) return [forbidden];
  const minor = countedOf(policy, facts);
  if (rulesFor(policy, facts).some(({ perTransaction }) => minor > BigInt(perTransaction)))
    return ["PER_TRANSACTION_LIMIT"];
  const found: Verdict[] = [];
  for (const [rule, limit, atLeast, atMost] of [
    ["DAILY_TRANSACTION_LIMIT", limits.count, least.count + 1n, most.count + 1n],
    ["DAILY_LIMIT", limits.day, least.day + minor, most.day + minor],
    ["MONTHLY_LIMIT", limits.month, least.month + minor, most.month + minor],
  ] as const) {
    if (limit === null || atMost <= BigInt(limit)) continue;
    found.push(rule);
    if (atLeast > BigInt(limit)) return found;
  }
  return [...found, "OK"];
}

export function forbiddenSide(
  { allowed, payees, funding }: Policy,
  facts: Pick<Facts, "accounts" | "payee" | "funding">,
): Verdict | undefined {
  if (allowed !== null && facts.accounts.some((id) => !allowed.includes(id)))
    return "ACCOUNT_NOT_ALLOWED";
  if (funding !== null && facts.funding !== null && !funding.includes(facts.funding))
    return "FUNDING_ACCOUNT_NOT_ALLOWED";
  if (payees !== null && facts.payee !== null && !payees.includes(facts.payee))
    return "PAYEE_NOT_ALLOWED";
  return undefined;
}

export function countedOf({ limits }: Policy, { currency, minor }: Facts): bigint {
  return measured(minor, { from: currency, to: limits.currency });
}

export function mustWait(policy: Policy, facts: Facts): boolean {
  const { amount, currency } = policy.threshold;
  const minor = measured(facts.minor, { from: facts.currency, to: currency });
  if (amount !== null && minor > BigInt(amount)) return true;
  return rulesFor(policy, facts).some(({ mode }) => mode === "APPROVAL_REQUIRED");
}

/** The rules of each account of the action; the common rules for an action without accounts. */
function rulesFor({ rules, mode, limits }: Policy, { accounts }: Facts) {
  const common = { mode, perTransaction: limits.perTransaction };
  if (accounts.length === 0) return [common];
  return accounts.map((id) => {
    const own = rules.find(({ accountId }) => accountId === id);
    if (own === undefined) return common;
    return { mode: own.mode, perTransaction: own.perTransaction ?? common.perTransaction };
  });
}

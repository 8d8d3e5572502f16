/** The days of a demo: the clock moves on in steps, and at each step some payments are made side by side. */
import type { Host } from "../host.ts";
import { asObject, asText } from "../json.ts";
import { type Balances, TOLD_DAYS, tellBooks } from "./books.ts";
import { forEach } from "./calls.ts";
import type { DemoTools } from "./customers.ts";
import { workThrough } from "./desks.ts";
import { type Cast, type PaymentKind, type PaymentPlan, planPayment } from "./payments.ts";

export interface Made {
  readonly payments: number;
  readonly byKind: Readonly<Record<string, number>>;
  readonly refunds: number;
  readonly marked: number;
  readonly balances: Balances;
}

interface Wanted {
  readonly cast: Cast;
  readonly payments: number;
  readonly days: number;
}

interface Stage {
  readonly host: Host;
  readonly tools: DemoTools;
  readonly tell: (text: string) => void;
}

/** Hours of a day at which payments are made. */
const HOURS = [7, 10, 14, 19];
const HOUR_S = 3_600;
const DAY_HOURS = 24;
const ONE_REFUND_IN = 25;
const TELL_EVERY_MS = 2_000;

export async function payForDays(stage: Stage, wanted: Wanted): Promise<Made> {
  const { host, tools, tell } = stage;
  const steps = stepsOf(wanted.days);
  const byKind = new Map<PaymentKind, number>();
  let [done, refunds, marked, toldAt] = [0, 0, 0, host.now()];
  let refundable: string[] = [];
  const balances: Balances = new Map();
  for (const [nth, { seconds, isEvening }] of steps.entries()) {
    const { now } = await tools.calls.post("/sandbox/clock/advance", { seconds });
    refunds += await refundAll(tools, refundable);
    const upTo = Math.round((wanted.payments * (nth + 1)) / steps.length);
    const plans = Array.from({ length: upTo - done }, () => planPayment(tools.chance, wanted.cast));
    refundable = await payAll(tools, plans);
    for (const { kind } of plans) byKind.set(kind, (byKind.get(kind) ?? 0) + 1);
    done = upTo;
    if (isEvening) marked += await endDay(tools, wanted, { now: asText(now) ?? "", nth, balances });
    if (host.now() - toldAt < TELL_EVERY_MS) continue;
    toldAt = host.now();
    tell(`${asText(now)?.slice(0, 10)}  ${done} of ${wanted.payments} payments`);
  }
  return { payments: done, byKind: Object.fromEntries(byKind), refunds, marked, balances };
}

/** People work through the desks, and in the last days the banks tell what they paid. The number of marks. */
async function endDay(
  tools: DemoTools,
  { cast: { desks }, days }: Wanted,
  {
    now,
    nth,
    balances,
  }: { readonly now: string; readonly nth: number; readonly balances: Balances },
): Promise<number> {
  const daysLeft = days - 1 - Math.floor(nth / HOURS.length);
  let marks = 0;
  for (const [place, desk] of desks.entries()) {
    const { marked, settled } = await workThrough(tools, desk);
    marks += marked;
    if (daysLeft >= TOLD_DAYS) continue;
    await tellBooks(tools, { desk, place, settled, day: now.slice(0, 10), daysLeft, balances });
  }
  return marks;
}

interface Step {
  readonly seconds: number;
  readonly isEvening: boolean;
}

/** From the hour of one step to that of the next. The clock may have begun at any hour: the hours count from there. */
function stepsOf(days: number): readonly Step[] {
  return Array.from({ length: days * HOURS.length }, (_, nth) => {
    const place = nth % HOURS.length;
    const before = HOURS[(place + HOURS.length - 1) % HOURS.length] ?? 0;
    const hours = ((HOURS[place] ?? 0) - before + DAY_HOURS) % DAY_HOURS;
    return { seconds: hours * HOUR_S, isEvening: place === HOURS.length - 1 };
  });
}

/** Makes the payments. The ids of collections of which the payer will ask the money back. */
async function payAll(
  { calls, chance }: DemoTools,
  plans: readonly PaymentPlan[],
): Promise<string[]> {
  const asked = plans.map((plan) => ({
    plan,
    isRefunded: plan.kind === "collection" && chance.isOneIn(ONE_REFUND_IN),
  }));
  const refundable: string[] = [];
  await forEach(asked, async ({ plan: { path, body, as }, isRefunded }) => {
    const id = asText((await calls.ask(path, body, as))?.id);
    if (isRefunded && id !== undefined) refundable.push(id);
  });
  return refundable.toSorted();
}

const REFUND_REASONS = ["REQUESTED_BY_PAYER", "DUPLICATE", "WRONG_AMOUNT", "OTHER"];

/** The number of refunds that were taken: a collection that failed has nothing to give back. */
async function refundAll({ calls, chance }: DemoTools, ids: readonly string[]): Promise<number> {
  let taken = 0;
  const asked = ids.map((id) => ({ id, reason: chance.pick(REFUND_REASONS) }));
  await forEach(asked, async ({ id, reason }) => {
    const answer = await calls.ask(`/transactions/${id}/refund`, { reason });
    if (asObject(answer) !== undefined) taken += 1;
  });
  return taken;
}

/** Generates orders of several payments, and orders about own accounts. */
import type { AccountOrder, BatchOrder, BulkOrder, Payment } from "./bulk-orders.ts";
import type { Model } from "./model.ts";
import type { Order } from "./orders.ts";
import type { ScheduleOrder } from "./schedule-orders.ts";

interface Draw {
  readonly model: Model;
  readonly chance: (below: number) => number;
  readonly anyId: (ids: Iterable<string>) => string;
  readonly internalId: () => string;
}

const FEWEST_LEGS = 2;

const NO_CUSTOMER = "018f0000-0000-7000-8000-00000000c0de";

/** The first own accounts: one of each customer, two of the platform, and one of a customer who is not there. */
export function firstOwnAccounts({ customers }: Model): readonly AccountOrder[] {
  return [null, null, ...customers.keys(), NO_CUSTOMER].map((customerId, index) => ({
    kind: "open-account",
    name: `first ${index}`,
    currency: index === 1 ? "EUR" : "USD",
    customerId,
  }));
}

export function drawAccountOrder(kind: AccountOrder["kind"], draw: Draw): AccountOrder {
  const { model, chance, anyId } = draw;
  const own = [...model.internals].filter(([, { name }]) => name !== null);
  switch (kind) {
    case "open-account": {
      const customers = [...model.customers];
      const gone = customers.filter(([, { isDeleted }]) => isDeleted);
      const ofDollars = customers.filter(([, { currencies }]) => !currencies.includes("EUR"));
      const [name, currency] = [`own ${own.length}`, chance(3) === 0 ? "EUR" : "USD"] as const;
      if (gone.length > 0 && chance(3) === 0)
        return { kind, name, currency: "USD", customerId: anyId(gone.map(([id]) => id)) };
      if (ofDollars.length > 0 && chance(6) === 0)
        return { kind, name, currency: "EUR", customerId: anyId(ofDollars.map(([id]) => id)) };
      const owner = chance(6) === 0 ? anyId([]) : anyId(customers.map(([id]) => id));
      const customerId = chance(3) === 0 ? null : owner;
      return { kind, name, currency, customerId };
    }
    case "rename-account":
      return { kind, internalId: someOwn(draw), name: `own ${chance(100)}` };
    case "close-account": {
      const empty = own.filter(
        ([id, { isClosed }]) => !isClosed && model.moneyOf(id).balance === 0n,
      );
      const used = empty.filter(([id]) => model.balanceEvents(id) > 0);
      const among = used.length > 0 ? used : empty;
      const isEmpty = among.length > 0 && chance(3) > 0;
      return { kind, internalId: isEmpty ? anyId(among.map(([id]) => id)) : someOwn(draw) };
    }
  }
}

/** Mostly an open own account, sometimes a closed or a default one. */
function someOwn({ model, chance, anyId }: Draw): string {
  if (chance(12) === 0) return anyId([]);
  const fitting = [...model.internals].filter(
    ([, { name, isClosed }]) => (name !== null && !isClosed) || chance(10) === 0,
  );
  return anyId(fitting.map(([id]) => id));
}

/** Legs that can be paid, every second time with one among them that must be refused. */
export function drawBulkOrder(kind: BulkOrder["kind"], draw: Draw): BulkOrder {
  const { chance } = draw;
  const payments: Payment[] = [];
  const length = FEWEST_LEGS + chance(5);
  const faultAt = chance(2) === 0 ? chance(length) : undefined;
  while (payments.length < length) {
    const good = drawGood(payments, draw);
    payments.push(payments.length === faultAt ? spoilt(good, payments, draw) : good);
  }
  return { kind, legs: payments };
}

/** Mostly a payment that can be made. Among several schedules, mostly one that the order fits. */
export function drawScheduleOrder(kind: ScheduleOrder["kind"], draw: Draw): ScheduleOrder {
  const { model, chance, anyId } = draw;
  if (kind === "create-schedule") {
    const good = drawItem([], draw);
    return { kind, payment: chance(4) === 0 ? spoilt(good, [], draw) : good, days: 1 + chance(4) };
  }
  const all = [...model.schedules.all];
  const wanted = kind === "resume-schedule" ? "PAUSED" : "ACTIVE";
  const fitting = all.filter(([, { status }]) => status === wanted);
  const among = fitting.length > 0 && chance(4) > 0 ? fitting : all;
  return { kind, scheduleId: anyId(among.map(([id]) => id)) };
}

/** The first schedules: small daily payments of the accounts in dollars, which leaps in time find with several days due. */
export function firstSchedules({ internals }: Model): readonly ScheduleOrder[] {
  const dollars = [...internals].filter(([, { currency }]) => currency === "USD");
  const ids = dollars.map(([id]) => id);
  return ids.flatMap((sourceId, at) => {
    const destinationId = ids[at + 1];
    if (destinationId === undefined) return [];
    const payment = { kind: "BOOK", sourceId, destinationId, minor: 700n } as const;
    return [{ kind: "create-schedule" as const, payment, days: 40 }];
  });
}

const EVERY_ACT = [
  "pause-schedule",
  "resume-schedule",
  "skip-run",
  "run-schedule",
  "end-schedule",
] as const;

/** Ends the schedules, so that no later run of the simulation has their jobs. Then asks what an ended one refuses. */
export function lastSchedules({ schedules }: Model): readonly ScheduleOrder[] {
  const open = [...schedules.all].filter(([, { status }]) => status !== "ENDED");
  const ends = open.map(([scheduleId]) => ({ kind: "end-schedule" as const, scheduleId }));
  const [ended] = schedules.all.keys();
  const acts = ended === undefined ? [] : EVERY_ACT;
  return [...ends, ...acts.map((kind) => ({ kind, scheduleId: ended ?? "" }))];
}

/** Legs of which the second is from an account that is frozen while they are asked for. */
export function firstFrozenLegs(model: Model): readonly Order[] {
  const dollars = [...model.internals].filter(([id, { currency }]) => {
    return currency === "USD" && canPay(id, model) && model.moneyOf(id).balance > 1n;
  });
  const [payer, frozen] = dollars.map(([id]) => id);
  const payee = [...model.internals]
    .filter(([id, { currency }]) => currency === "USD" && canPay(id, model))
    .map(([id]) => id)
    .find((id) => id !== payer && id !== frozen);
  if (payer === undefined || frozen === undefined || payee === undefined) return [];
  const leg = (sourceId: string): Payment => ({
    ...{ kind: "BOOK", sourceId, destinationId: payee, minor: 1n },
  });
  return [
    { kind: "freeze", internalId: frozen },
    { kind: "book-legs", legs: [leg(payer), leg(frozen)] },
    { kind: "unfreeze", internalId: frozen },
  ];
}

const MOST_ITEMS = { INDEPENDENT: 40, ALL_OR_NOTHING: 20 } as const;

/** Mostly of payments that can be made; of an independent batch any may be spoilt. */
export function drawBatchOrder(kind: BatchOrder["kind"], draw: Draw): BatchOrder {
  const { model, chance, anyId } = draw;
  if (kind === "cancel-batch") {
    const { all } = model.batches;
    const waiting = [...all].filter(([, batch]) => model.batches.isUnderWay(batch));
    const among = waiting.length > 0 && chance(4) > 0 ? waiting : [...all];
    return { kind, batchId: anyId(among.map(([id]) => id)) };
  }
  const mode = chance(2) === 0 ? "INDEPENDENT" : "ALL_OR_NOTHING";
  const length = 1 + chance(chance(2) === 0 ? 4 : MOST_ITEMS[mode]);
  const faultAt = chance(2) === 0 ? chance(length) : undefined;
  const items: Payment[] = [];
  while (items.length < length) {
    const good = drawItem(items, draw);
    const isSpoilt = items.length === faultAt || (mode === "INDEPENDENT" && chance(5) === 0);
    items.push(isSpoilt ? spoilt(good, items, draw) : good);
  }
  return { kind, mode, requiresFunds: chance(4) === 0, items };
}

/** A book transfer, or a payout to an account that the source may pay. */
function drawItem(before: readonly Payment[], draw: Draw): Payment {
  const { model, chance } = draw;
  const good = drawGood(before, draw);
  const { customerId, currency } = model.internals.get(good.sourceId) ?? {};
  const payees = [...model.externals].filter(
    ([, other]) =>
      other.currency === currency &&
      !other.isDeleted &&
      (other.customerId === null || other.customerId === customerId),
  );
  const payee = payees[chance(payees.length)]?.[0];
  if (payee === undefined || currency !== "USD" || chance(2) === 0) return good;
  return { ...good, kind: "TRANSFER_OUT", destinationId: payee };
}

/** What these payments leave on an account. */
function leftOn(id: string, { model }: Draw, payments: readonly Payment[]): bigint {
  let left = model.internals.has(id) ? model.moneyOf(id).balance : 0n;
  for (const { kind, sourceId, destinationId, minor } of payments) {
    if (sourceId === id) left -= minor;
    if (kind === "BOOK" && destinationId === id) left += minor;
  }
  return left;
}

/** Often from an account that earlier payments have paid, and often all of its money. */
function drawGood(before: readonly Payment[], draw: Draw): Payment {
  const { model, chance, anyId, internalId } = draw;
  const ready = [...model.internals.keys()].filter((id) => canPay(id, model));
  const solvent = ready.filter((id) => leftOn(id, draw, before) > 0n);
  const paid = before
    .map(({ destinationId }) => destinationId)
    .filter((id) => solvent.includes(id));
  const sources = paid.length > 0 && chance(2) === 0 ? paid : solvent;
  const sourceId = sources[chance(sources.length)] ?? internalId();
  const { currency } = model.internals.get(sourceId) ?? {};
  const payees = ready.filter(
    (id) => id !== sourceId && model.internals.get(id)?.currency === currency,
  );
  const destinationId = payees[chance(payees.length)] ?? anyId([]);
  const left = leftOn(sourceId, draw, before);
  const small = BigInt(1 + chance(300));
  const minor = left > 0n && (chance(3) === 0 || small > left) ? left : small;
  return { kind: "BOOK", sourceId, destinationId, minor };
}

/** The payment with a fault. */
function spoilt(good: Payment, before: readonly Payment[], draw: Draw): Payment {
  const { model, chance, anyId } = draw;
  const { sourceId, destinationId } = good;
  const { currency } = model.internals.get(sourceId) ?? {};
  const some = unfitFor(currency, draw) ?? sourceId;
  const foreign = [...model.internals].filter(([, other]) => other.currency !== currency);
  const faults: readonly Partial<Payment>[] = [
    { minor: leftOn(sourceId, draw, before) + 1n },
    { minor: 100_000_000_001n },
    { destinationId: sourceId },
    chance(2) === 0 ? { sourceId: anyId([]) } : { destinationId: anyId([]) },
    { destinationId: anyId(foreign.map(([id]) => id)) },
    some === destinationId ? { sourceId: destinationId } : { sourceId: some },
    some === sourceId ? { destinationId: sourceId } : { destinationId: some },
  ];
  const isUnfit = some !== sourceId && chance(3) === 0;
  const at = isUnfit ? faults.length - 1 - chance(2) : chance(faults.length);
  return { ...good, ...faults[at] };
}

/** A closed account, a frozen one, or one whose owner is not ready. */
function unfitFor(currency: string | undefined, { model, chance }: Draw): string | undefined {
  const all = [...model.internals].filter(([, account]) => account.currency === currency);
  const stopped = [
    all.filter(([, { isFrozen, isClosed }]) => isFrozen && !isClosed),
    all.filter(([, { customerId, isClosed }]) => !isClosed && !isReady(customerId, model)),
  ].filter((kind) => kind.length > 0);
  // Frozen accounts and unready owners are rare, closed accounts are not.
  const isOpen = stopped.length > 0 && chance(4) > 0;
  const kinds = isOpen ? stopped : [all.filter(([, { isClosed }]) => isClosed)];
  const kind = kinds[chance(kinds.length)] ?? [];
  return kind[chance(kind.length)]?.[0];
}

function isReady(customerId: string | null, { customers }: Model): boolean {
  const owner = customers.get(customerId ?? "");
  return owner === undefined || (owner.isApproved && !owner.isDeleted);
}

function canPay(id: string, model: Model): boolean {
  const account = model.internals.get(id);
  if (account === undefined || account.isFrozen || account.isClosed) return false;
  return /^(USD|EUR)$/.test(account.currency) && isReady(account.customerId, model);
}

/** Generates the next order: mostly payments between existing accounts, sometimes one that must be refused. */
import { present } from "../../src/std/assert.ts";
import { drawAgentOrder, drawAgentQuote } from "./draw-agent-order.ts";
import {
  drawAccountOrder,
  drawBatchOrder,
  drawBulkOrder,
  drawScheduleOrder,
} from "./draw-bulk-order.ts";
import { drawHoldOrder } from "./draw-hold-order.ts";
import { drawQuoteOrder } from "./draw-quote-order.ts";
import type { Model } from "./model.ts";
import { leftOf } from "./model-holds.ts";
import type { Order } from "./orders.ts";

interface Draw {
  readonly chance: (below: number) => number;
  /** `money`: only orders whose answer is predictable while payments end concurrently. */
  readonly from: "all" | "money";
}

const NOWHERE = "018f0000-0000-7000-8000-00000000dead";
const SUFFIXES = ["000", "001", "002", "003", "004", "005", "102", "103", "104", "105", "107"];
const NAMES = ["Ana Ruiz", "Bo Lind", "Cleo Moss 001", "Dan Oak 002", "Eva Pine 003"];
const KINDS = [
  ...["transfer-out", "transfer-out", "transfer-out", "transfer-out", "transfer-in", "transfer-in"],
  ...["book-transfer", "book-transfer", "book-transfer"],
  ...["book-legs", "book-legs", "book-legs", "book-legs", "book-legs"],
  ...["fund", "fund"],
  ...["make-quote", "make-quote", "make-quote", "make-quote", "make-quote"],
  ...["execute-quote", "execute-quote"],
  ...["fund-quote", "fund-quote"],
  ...["submit", "submit", "submit", "submit", "submit", "submit", "submit"],
  ...["submit", "submit", "submit", "submit", "submit", "submit"],
  ...["decide", "decide", "decide", "decide"],
  ...["create-hold", "create-hold", "capture-hold", "capture-hold", "capture-hold", "release-hold"],
  ...["create-external", "create-external", "create-customer"],
  ...["refund", "refund", "refund", "refund"],
  ...["delete-external", "delete-customer", "set-limits", "advance", "advance"],
  ...["freeze", "unfreeze", "unfreeze"],
  ...["create-batch", "create-batch", "create-batch", "create-batch", "cancel-batch"],
  ...["create-schedule", "create-schedule", "create-schedule", "run-schedule", "run-schedule"],
  ...["pause-schedule", "resume-schedule", "skip-run", "end-schedule"],
  ...["open-account", "rename-account", "close-account", "close-account", "close-account"],
  ...["create-agent", "redeem-code", "issue-code", "delete-agent"],
  ...["update-agent", "update-agent", "update-policy", "update-policy", "update-policy"],
] as readonly Order["kind"][];
const MONEY_KINDS = 48;

export function openings(): readonly Order[] {
  return [1, 2].map((count) => ({
    kind: "create-customer",
    fullName: "Ana Ruiz",
    platformCustomerId: `first${count}`,
    currencies: ["USD", "EUR"],
  }));
}

export function accountsFor(model: Model): readonly Order[] {
  return [null, ...model.customers.keys()].flatMap((customerId) =>
    (["USD 000", "USD 002", "USD 004", "EUR 000"] as const).map((account) => ({
      kind: "create-external" as const,
      customerId,
      currency: account.startsWith("USD") ? ("USD" as const) : ("EUR" as const),
      accountNumber: `222222${account.slice(-3)}`,
    })),
  );
}

export function moneyFor(model: Model): readonly Order[] {
  const [first] = model.customers.keys();
  return [...model.internals].map(([internalId, { customerId }]) => ({
    kind: "fund",
    internalId,
    // Some accounts have too little money for some orders.
    minor: customerId === null || customerId === first ? 20_000n : 4_200n,
  }));
}

export function drawOrder(model: Model, { chance, from }: Draw): Order {
  const count = from === "money" ? MONEY_KINDS : KINDS.length;
  const kind = present(KINDS[chance(count)], "a kind");
  const pick = <T>(values: Iterable<T>, otherwise: T): T => {
    const all = [...values];
    return all[chance(all.length)] ?? otherwise;
  };
  const anyId = (ids: Iterable<string>) => (chance(30) === 0 ? NOWHERE : pick(ids, NOWHERE));
  const customerId = () => anyId(model.customers.keys());
  const inDollars = [...model.internals].filter(
    ([, { currency, isClosed }]) => (currency === "USD" && !isClosed) || chance(12) === 0,
  );
  const internalId = () => anyId(inDollars.map(([id]) => id));

  switch (kind) {
    case "create-customer": {
      const fullName = chance(2) === 0 ? "Ana Ruiz" : pick(NAMES, "Ana Ruiz");
      const currencies = ["USD"];
      return { kind, fullName, platformCustomerId: `c${chance(40)}`, currencies };
    }
    case "delete-customer":
      return { kind, customerId: customerId() };
    case "create-external": {
      const owner = chance(3) === 0 ? null : customerId();
      const suffix = chance(2) === 0 ? "000" : pick(SUFFIXES, "000");
      const currency = chance(3) === 0 ? "EUR" : "USD";
      return { kind, customerId: owner, currency, accountNumber: `11111${chance(6)}${suffix}` };
    }
    case "delete-external": {
      const awaited = [...model.quotes.all.values()].filter(({ state }) => state === "waiting");
      const isAwaited = awaited.length > 0 && chance(2) === 0;
      const externalId = anyId(
        isAwaited ? awaited.map(({ toId }) => toId) : model.externals.keys(),
      );
      const owner = model.externals.get(externalId)?.customerId;
      return { kind, externalId, isPlatforms: (owner === null) !== (chance(10) === 0) };
    }
    case "fund":
      return { kind, internalId: internalId(), minor: BigInt(1 + chance(50_000)) };
    case "freeze": {
      // A freeze of an account with an open hold is met by captures of it.
      const holds = [...model.holds.all.values()].filter((hold) => leftOf(hold) > 0n);
      const holders = holds.map((hold) => hold.internalId);
      const isOfHolder = holders.length > 0 && chance(3) > 0;
      return { kind, internalId: isOfHolder ? anyId(holders) : internalId() };
    }
    case "unfreeze": {
      const frozen = [...model.internals].filter(([, { isFrozen }]) => isFrozen);
      return { kind, internalId: anyId(frozen.map(([id]) => id)) };
    }
    case "transfer-out":
    case "transfer-in":
      return { kind, ...drawEnds(model, { chance, anyId, internalId }), minor: drawAmount(chance) };
    case "book-transfer": {
      const toId = chance(15) === 0 ? anyId(model.internals.keys()) : internalId();
      const unready = [...model.internals].filter(([, { customerId }]) => {
        const owner = model.customers.get(customerId ?? "");
        return owner !== undefined && (!owner.isApproved || owner.isDeleted);
      });
      const isUnready = unready.length > 0 && chance(12) === 0;
      const payeeId = isUnready ? anyId(unready.map(([id]) => id)) : toId;
      const fromId = internalId();
      const own = model.internals.get(fromId)?.name != null ? model.moneyOf(fromId).balance : 0n;
      // An own account that is empty again can be closed.
      const minor = own > 0n && chance(2) === 0 ? own : drawAmount(chance);
      return { kind, fromId, toId: payeeId, minor };
    }
    case "refund": {
      const incoming = model.refunds.candidates();
      const transactionId = chance(8) === 0 ? anyId(model.transfers.keys()) : anyId(incoming);
      const minor = chance(3) === 0 ? null : BigInt(1 + chance(1_500));
      return { kind, transactionId, minor };
    }
    case "create-hold":
    case "capture-hold":
    case "release-hold":
      return drawHoldOrder(kind, { model, chance, anyId, internalId });
    case "open-account":
    case "rename-account":
    case "close-account":
      return drawAccountOrder(kind, { model, chance, anyId, internalId });
    case "create-batch":
    case "cancel-batch":
      return drawBatchOrder(kind, { model, chance, anyId, internalId });
    case "create-schedule":
    case "run-schedule":
    case "pause-schedule":
    case "resume-schedule":
    case "skip-run":
    case "end-schedule":
      return drawScheduleOrder(kind, { model, chance, anyId, internalId });
    case "book-legs":
      return drawBulkOrder(kind, { model, chance, anyId, internalId });
    case "set-limits":
      return { kind, min: 1 + chance(3), max: chance(3) === 0 ? 20_000 : 100_000_000_000 };
    case "advance":
      return { kind, seconds: chance(3) === 0 ? 300 : 1 + chance(90) };
    case "make-quote": {
      const draw = { model, chance, pick, anyId };
      const ofAgent = chance(2) === 0 ? drawAgentQuote(draw) : undefined;
      return ofAgent ?? drawQuoteOrder(kind, draw);
    }
    case "execute-quote":
    case "fund-quote":
      return drawQuoteOrder(kind, { model, chance, pick, anyId });
    default:
      return drawAgentOrder(kind, { model, chance, pick, anyId });
  }
}

/** Mostly two compatible accounts. */
function drawEnds(
  model: Model,
  {
    chance,
    anyId,
    internalId,
  }: {
    readonly chance: (below: number) => number;
    readonly anyId: (ids: Iterable<string>) => string;
    readonly internalId: () => string;
  },
) {
  const internal = internalId();
  const { customerId: owner, currency } = model.internals.get(internal) ?? {};
  const candidates = [...model.externals].filter(
    ([, external]) => external.currency === "USD" || currency === "USD",
  );
  const fitting = candidates.filter(
    ([, { customerId, currency }]) =>
      currency === "USD" && (customerId === null || customerId === owner),
  );
  const isFitting = fitting.length > 0 && chance(12) > 0;
  const externalId = anyId((isFitting ? fitting : candidates).map(([id]) => id));
  return { internalId: internal, externalId };
}

function drawAmount(chance: (below: number) => number): bigint {
  if (chance(20) === 0) return 100_000_000_001n;
  return BigInt(1 + chance(chance(3) === 0 ? 100_000 : 2_000));
}

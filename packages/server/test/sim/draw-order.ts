/** Draws the next order: mostly money between accounts that exist, with now and then one that must be refused. */
import { present } from "../../src/std/assert.ts";
import type { Model } from "./model.ts";
import type { Order } from "./orders.ts";

interface Draw {
  readonly chance: (below: number) => number;
  /** `money`: only what stays predictable while payments end. */
  readonly from: "all" | "money";
}

const NOWHERE = "018f0000-0000-7000-8000-00000000dead";
const SUFFIXES = ["000", "001", "002", "003", "004", "005", "102", "103", "104", "105", "107"];
const NAMES = ["Ana Ruiz", "Bo Lind", "Cleo Moss 001", "Dan Oak 002", "Eva Pine 003"];
const KINDS = [
  ...["transfer-out", "transfer-out", "transfer-out", "transfer-out", "transfer-in", "transfer-in"],
  ...["fund", "fund"],
  ...["create-external", "create-external", "create-customer"],
  ...["delete-external", "delete-customer", "set-limits", "advance"],
] as readonly Order["kind"][];
const MONEY_KINDS = 8;

export function openings(): readonly Order[] {
  return [1, 2].map((count) => ({
    kind: "create-customer",
    fullName: "Ana Ruiz",
    platformCustomerId: `first${count}`,
  }));
}

export function accountsFor(model: Model): readonly Order[] {
  return [null, ...model.customers.keys()].flatMap((customerId) =>
    ["000", "002", "004"].map((suffix) => ({
      kind: "create-external" as const,
      customerId,
      accountNumber: `222222${suffix}`,
    })),
  );
}

export function moneyFor(model: Model): readonly Order[] {
  return [...model.internals.keys()].map((internalId) => ({
    kind: "fund",
    internalId,
    minor: 20_000n,
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
    ([, { currency }]) => currency === "USD" || chance(12) === 0,
  );
  const internalId = () => anyId(inDollars.map(([id]) => id));

  switch (kind) {
    case "create-customer": {
      const fullName = chance(2) === 0 ? "Ana Ruiz" : pick(NAMES, "Ana Ruiz");
      return { kind, fullName, platformCustomerId: `c${chance(40)}` };
    }
    case "delete-customer":
      return { kind, customerId: customerId() };
    case "create-external": {
      const owner = chance(3) === 0 ? null : customerId();
      const suffix = chance(2) === 0 ? "000" : pick(SUFFIXES, "000");
      return { kind, customerId: owner, accountNumber: `11111${chance(6)}${suffix}` };
    }
    case "delete-external": {
      const externalId = anyId(model.externals.keys());
      const owner = model.externals.get(externalId)?.customerId;
      return { kind, externalId, isPlatforms: (owner === null) !== (chance(10) === 0) };
    }
    case "fund":
      return { kind, internalId: internalId(), minor: BigInt(1 + chance(50_000)) };
    case "transfer-out":
    case "transfer-in":
      return { kind, ...drawEnds(model, { anyId, internalId }), minor: drawAmount(chance) };
    case "set-limits":
      return { kind, min: 1 + chance(3), max: chance(3) === 0 ? 20_000 : 100_000_000_000 };
    case "advance":
      return { kind, seconds: 1 + chance(90) };
  }
}

/** Mostly two accounts that fit together. */
function drawEnds(
  model: Model,
  { anyId, internalId }: { anyId: (ids: Iterable<string>) => string; internalId: () => string },
) {
  const internal = internalId();
  const owner = model.internals.get(internal)?.customerId;
  const fitting = [...model.externals]
    .filter(([, { customerId }]) => customerId === null || customerId === owner)
    .map(([id]) => id);
  const externalId = anyId(fitting.length === 0 ? model.externals.keys() : fitting);
  return { internalId: internal, externalId };
}

function drawAmount(chance: (below: number) => number): bigint {
  if (chance(20) === 0) return 100_000_000_001n;
  return BigInt(1 + chance(chance(3) === 0 ? 100_000 : 2_000));
}

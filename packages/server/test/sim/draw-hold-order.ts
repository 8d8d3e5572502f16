/** Generates orders about holds: mostly of open ones, and of accounts and amounts that fit. */
import type { Model } from "./model.ts";
import { leftOf } from "./model-holds.ts";
import type { HoldOrder } from "./orders.ts";

interface Draw {
  readonly model: Model;
  readonly chance: (below: number) => number;
  readonly anyId: (ids: Iterable<string>) => string;
  readonly internalId: () => string;
}

/** Holds for the first captures, one of which expires early. */
export function firstHolds({ internals, time }: Model): readonly HoldOrder[] {
  const dollars = [...internals].filter(([, { currency }]) => currency === "USD");
  const kind = "create-hold" as const;
  return dollars.flatMap(([internalId]) => [
    { kind, internalId, minor: 1_500n, expiresAt: null },
    { kind, internalId, minor: 100n, expiresAt: time.latest + 60_000 },
  ]);
}

export function drawHoldOrder(kind: HoldOrder["kind"], draw: Draw): HoldOrder {
  const { model, chance, anyId, internalId } = draw;
  const open = [...model.holds.all].filter(([, hold]) => leftOf(hold) > 0n || chance(6) === 0);
  switch (kind) {
    case "create-hold": {
      const minor = BigInt(1 + chance(chance(4) === 0 ? 100_000 : 2_000));
      // Sometimes the end has passed when the order is decided.
      const lifeMs = chance(10) === 0 ? 0 : chance(240) * 1_000;
      const expiresAt = chance(3) === 0 ? null : model.time.latest + lifeMs;
      const frozen = [...model.internals].filter(([, { isFrozen }]) => isFrozen);
      const prefersFrozen = frozen.length > 0 && chance(4) === 0;
      const accountId = prefersFrozen ? anyId(frozen.map(([id]) => id)) : internalId();
      return { kind, internalId: accountId, minor, expiresAt };
    }
    case "release-hold":
      return { kind, holdId: anyId(open.map(([id]) => id)) };
    case "capture-hold": {
      const onFrozen = open.filter(([, hold]) => model.internals.get(hold.internalId)?.isFrozen);
      const among = onFrozen.length > 0 && chance(2) === 0 ? onFrozen : open;
      const holdId = anyId(among.map(([id]) => id));
      const isAll = chance(3) === 0 || (among === onFrozen && chance(2) === 0);
      const minor = isAll ? null : BigInt(1 + chance(900));
      return { kind, holdId, to: payeeOf(holdId, draw), minor, isFinal: chance(3) === 0 };
    }
  }
}

function payeeOf(
  holdId: string,
  { model, chance, anyId, internalId }: Draw,
): Extract<HoldOrder, { kind: "capture-hold" }>["to"] {
  if (chance(2) === 0) return { kind: "INTERNAL", id: internalId() };
  const owner = model.internals.get(model.holds.all.get(holdId)?.internalId ?? "")?.customerId;
  const fitting = [...model.externals].filter(
    ([, { customerId, currency }]) =>
      chance(12) === 0 || (currency === "USD" && (customerId === null || customerId === owner)),
  );
  return { kind: "EXTERNAL", id: anyId(fitting.map(([id]) => id)) };
}

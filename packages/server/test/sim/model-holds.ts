/** The model's holds: the verdicts, what each holds, and when it may have expired. */
import { expect } from "vitest";
import { present } from "../../src/std/assert.ts";
import type { Model } from "./model.ts";
import type { HoldOrder } from "./orders.ts";
import { count, type Tally, type Verdict } from "./verdict.ts";

export interface ModelHold {
  readonly internalId: string;
  readonly minor: bigint;
  readonly expiresAt: number;
  captured: bigint;
  captures: number;
  status: "OPEN" | "CAPTURED" | "RELEASED" | "EXPIRED";
}

/** What a hold without an end of its own is given. */
const LONGEST_MS = 366 * 86_400_000;

type Capture = Extract<HoldOrder, { kind: "capture-hold" }>;

export function leftOf({ status, minor, captured }: ModelHold): bigint {
  return status === "OPEN" ? minor - captured : 0n;
}

export class ModelHolds {
  readonly all = new Map<string, ModelHold>();
  readonly met: Tally = new Map();
  readonly #model: Model;

  constructor(model: Model) {
    this.#model = model;
  }

  of(internalId: string): readonly ModelHold[] {
    return [...this.all.values()].filter((hold) => hold.internalId === internalId);
  }

  heldOn(internalId: string): bigint {
    return this.of(internalId).reduce((sum, hold) => sum + leftOf(hold), 0n);
  }

  /** What comes back to the account where jobs that may be due by now have run. */
  mayComeBack(internalId: string): bigint {
    const due = this.of(internalId).filter(({ expiresAt }) => this.#model.time.latest >= expiresAt);
    return due.reduce((sum, hold) => sum + leftOf(hold), 0n);
  }

  /** Captures are counted with their payments. */
  balanceEvents(internalId: string): number {
    const ended = ({ status }: ModelHold) => status === "RELEASED" || status === "EXPIRED";
    return this.of(internalId).reduce((sum, hold) => sum + (ended(hold) ? 2 : 1), 0);
  }

  eventsOf({ status, captures }: ModelHold): readonly string[] {
    const end = status === "RELEASED" || status === "EXPIRED" ? [status] : [];
    return ["CREATED", ...Array.from({ length: captures }, () => "CAPTURED"), ...end];
  }

  verdicts(order: HoldOrder): readonly Verdict[] {
    if (order.kind === "create-hold") return this.#creation(order);
    const hold = this.all.get(order.holdId);
    if (hold === undefined) return ["REFERENCE_NOT_FOUND"];
    if (hold.status !== "OPEN") return ["CONFLICT"];
    return this.#ifBefore(hold.expiresAt, "CONFLICT", () =>
      order.kind === "release-hold" ? ["OK"] : this.#capture(order, hold),
    );
  }

  #creation(order: Extract<HoldOrder, { kind: "create-hold" }>): readonly Verdict[] {
    const { internalId, minor, expiresAt } = order;
    const internal = this.#model.internals.get(internalId);
    if (internal === undefined) return ["REFERENCE_NOT_FOUND"];
    if (internal.isClosed) return ["INVALID_INPUT"];
    const owner = this.#model.customers.get(internal.customerId ?? "");
    return this.#ifBefore(expiresAt ?? Number.POSITIVE_INFINITY, "INVALID_INPUT", () =>
      owner !== undefined && (!owner.isApproved || owner.isDeleted)
        ? ["USER_NOT_READY"]
        : internal.isFrozen
          ? ["ACCOUNT_FROZEN"]
          : this.#model.affords(internalId, minor),
    );
  }

  /** Around the time itself, both verdicts are possible. */
  #ifBefore(end: number, otherwise: Verdict, then: () => readonly Verdict[]): readonly Verdict[] {
    const { earliest, latest } = this.#model.time;
    if (earliest >= end) return [otherwise];
    return latest < end ? then() : [otherwise, ...then()];
  }

  #capture({ to, minor }: Capture, hold: ModelHold): readonly Verdict[] {
    const left = leftOf(hold);
    const wanted = minor ?? left;
    if (wanted > left) return ["AMOUNT_OUT_OF_RANGE"];
    const { internalId } = hold;
    return to.kind === "INTERNAL"
      ? [this.#model.bookRefusal({ fromId: internalId, toId: to.id, minor: wanted })]
      : [this.#model.transferRefusal({ internalId, externalId: to.id, minor: wanted }, true)];
  }

  apply(order: HoldOrder, made: { readonly id: string; readonly status: string }): void {
    if (order.kind === "create-hold") {
      const { internalId, minor } = order;
      const { createdAt, expiresAt } = made as unknown as Record<string, number>;
      this.#model.learnTime(createdAt ?? 0);
      expect(expiresAt).toBe(order.expiresAt ?? (createdAt ?? 0) + LONGEST_MS);
      const state = { captured: 0n, captures: 0, status: "OPEN" } as const;
      this.all.set(made.id, { internalId, minor, expiresAt: expiresAt ?? 0, ...state });
      return;
    }
    const hold = present(this.all.get(order.holdId), "a hold");
    if (order.kind === "release-hold") hold.status = "RELEASED";
    else this.#take(order, hold, made);
  }

  #take({ to, minor, isFinal }: Capture, hold: ModelHold, made: unknown): void {
    const { transaction } = made as {
      readonly transaction: { readonly id: string; readonly status: string };
    };
    const left = leftOf(hold);
    const wanted = minor ?? left;
    const { internalId } = hold;
    if (to.kind === "INTERNAL") {
      const order = { fromId: internalId, toId: to.id, minor: wanted, refundOf: null };
      this.#model.bookTransfer(order, transaction);
    } else {
      const order = { internalId, externalId: to.id, minor: wanted, agentId: null };
      this.#model.startTransfer({ ...order, type: "TRANSFER_OUT" }, transaction);
      if (this.#model.failureAtOnce(to.id) !== undefined) return;
    }
    hold.captured += wanted;
    hold.captures++;
    if (isFinal || wanted === left) hold.status = "CAPTURED";
  }

  note(order: HoldOrder, verdict: Verdict): void {
    count(this.met, `${order.kind}: ${verdict}`);
  }
}

/** Updates the model with holds that have expired, and compares all. */
export function checkHolds(
  { holds }: Model,
  { rows, now }: { readonly rows: readonly (readonly string[])[]; readonly now: number },
): void {
  expect(rows.map(([id]) => id).sort(), "the holds").toEqual([...holds.all.keys()].sort());
  for (const [id = "", status, captured] of rows) {
    const hold = present(holds.all.get(id), id);
    if (hold.status === "OPEN" && status === "EXPIRED") {
      expect(now, `hold ${id} expired early`).toBeGreaterThanOrEqual(hold.expiresAt);
      hold.status = "EXPIRED";
      count(holds.met, "EXPIRED");
    }
    expect([status, captured], `hold ${id}`).toEqual([hold.status, hold.captured.toString()]);
  }
}

/** The model of orders that make several payments in one commit: each payment is judged after those before it. */
import { expect } from "vitest";
import { present } from "../../src/std/assert.ts";
import type { BulkOrder, Payment } from "./bulk-orders.ts";
import type { Model } from "./model.ts";
import { count, type Tally, type Verdict } from "./verdict.ts";

/** What earlier payments of the same order have changed in each balance. */
export type Shifts = Map<string, bigint>;

export interface MadePayment {
  readonly id: string;
  readonly status: string;
  readonly details?: Readonly<Record<string, string>>;
}

export class ModelBulk {
  readonly met: Tally = new Map();
  /** The number of legs of each group. */
  readonly groups = new Map<string, number>();
  readonly #model: Model;

  constructor(model: Model) {
    this.#model = model;
  }

  verdicts({ legs }: BulkOrder): readonly Verdict[] {
    return this.inTurn(legs);
  }

  /** A refusal names the place of the payment. All refusals are possible up to the first payment that cannot be made. */
  inTurn(payments: readonly Payment[]): readonly Verdict[] {
    const shifts: Shifts = new Map();
    const refusals: Verdict[] = [];
    for (const [place, payment] of payments.entries()) {
      const verdicts = this.paymentVerdicts(payment, shifts);
      refusals.push(...verdicts.filter((one) => one !== "OK").map((one) => `${one} at ${place}`));
      if (!verdicts.includes("OK")) return refusals;
      this.#shift(shifts, payment);
    }
    return ["OK", ...refusals];
  }

  #shift(shifts: Shifts, { kind, sourceId, destinationId, minor }: Payment): void {
    const add = (id: string, change: bigint) => shifts.set(id, (shifts.get(id) ?? 0n) + change);
    if (kind === "BOOK") add(destinationId, minor);
    else if (this.#model.failureAtOnce(destinationId) !== undefined) return;
    add(sourceId, -minor);
  }

  /** The verdicts on one payment, where `shifts` have changed the balances. */
  paymentVerdicts(payment: Payment, shifts: Shifts = new Map()): readonly Verdict[] {
    const { kind, sourceId, destinationId, minor } = payment;
    const refusal =
      kind === "BOOK"
        ? this.#model.bookRefusal({ fromId: sourceId, toId: destinationId, minor })
        : this.#model.transferRefusal(
            { internalId: sourceId, externalId: destinationId, minor },
            true,
          );
    if (refusal !== "OK") return [refusal];
    // What earlier payments took is needed too, what they brought is not.
    return this.#model.affords(sourceId, minor - (shifts.get(sourceId) ?? 0n));
  }

  apply({ legs }: BulkOrder, answered: unknown): void {
    const made = answered as readonly MadePayment[];
    expect(made).toHaveLength(legs.length);
    const groupId = present(made[0]?.details?.groupId, "the id of a group");
    expect(this.groups.has(groupId), "a new group has a new id").toBe(false);
    this.groups.set(groupId, legs.length);
    for (const [place, leg] of legs.entries())
      this.pay(leg, present(made[place], "a leg"), `${groupId} - -`);
  }

  /** Adds a payment that was made to the books of the model. */
  pay(payment: Payment, made: MadePayment, members: string): void {
    const { kind, sourceId, destinationId, minor } = payment;
    if (kind === "BOOK") {
      const terms = { fromId: sourceId, toId: destinationId, minor, refundOf: null };
      this.#model.bookTransfer({ ...terms, members }, made);
    } else {
      const ends = { internalId: sourceId, externalId: destinationId } as const;
      const terms = { type: "TRANSFER_OUT", ...ends, minor, agentId: null } as const;
      this.#model.startTransfer({ ...terms, members }, made);
    }
  }

  note({ kind }: BulkOrder, verdict: Verdict): void {
    const [code = "", at] = verdict.split(" at ");
    const isLate = at !== undefined && at !== "0";
    count(this.met, `${kind}: ${code}${isLate ? " after others" : ""}`);
  }
}

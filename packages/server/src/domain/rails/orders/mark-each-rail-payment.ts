import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import { askForMark, needsSecondToken, type RailMark } from "../marks/rail-mark.ts";
import {
  type Mark,
  markPayments,
  markRailPayments,
  refuseMarks,
  requestOf,
} from "./mark-rail-payments.ts";
import type { RailPayment } from "./rail-payment.ts";

/** What became of the mark of one order. */
export type MarkedOrder = { readonly paymentId: string } & (
  | { readonly result: "MARKED"; readonly payment: RailPayment }
  | { readonly result: "WAITING"; readonly mark: RailMark }
  | { readonly result: "REFUSED"; readonly refusal: Refusal }
);

export interface MarkEachInput {
  readonly marks: readonly Mark[];
}

/**
 * Marks each order by the rules of a mark of its own: a refused mark leaves the others as they are. The marks of a connection with
 * FOUR_EYES wait together, so that the second person confirms them at once.
 */
export const markEachRailPayment: Command<MarkEachInput, readonly MarkedOrder[]> = {
  name: "mark-each-rail-payment",
  isLarge: true,
  needs: (world, { marks }) => markRailPayments.needs(world, { marks, fieldOf }),
  decide(world, { marks }) {
    const judged = marks.map((mark) => ({ mark, ...judge(() => connectionOf(mark)) }));
    const guarded = new Map<string, Mark[]>();
    for (const { mark, connectionId } of judged) {
      if (connectionId === undefined || !needsSecondToken(world, connectionId)) continue;
      guarded.set(connectionId, [...(guarded.get(connectionId) ?? []), mark]);
    }
    const waiting = new Map(
      [...guarded].map(([connectionId, own]) => {
        const request = requestOf({ marks: own });
        return [connectionId, askForMark(world, { connectionId, kind: "MARK", request })];
      }),
    );
    return judged.map(({ mark, connectionId, refusal }): MarkedOrder => {
      const { paymentId } = mark;
      if (refusal !== undefined) return { paymentId, result: "REFUSED", refusal };
      const asked = waiting.get(connectionId ?? "");
      if (asked !== undefined) return { paymentId, result: "WAITING", mark: asked };
      const [payment] = markPayments(world, { marks: [mark] });
      return { paymentId, result: "MARKED", payment: present(payment, "a marked order") };
    });

    function connectionOf(mark: Mark): string {
      const [connectionId] = refuseMarks(world, { marks: [mark], fieldOf });
      return present(connectionId, "the connection of an order");
    }
  },
};

/** Every mark is a call of its own for its refusal, which names the field alone. */
function fieldOf(_index: number, name: string): string {
  return name;
}

interface Judged {
  readonly connectionId?: string;
  readonly refusal?: Refusal;
}

/** The checks of a mark write nothing, so their refusal can be answered for this order alone. */
function judge(check: () => string): Judged {
  try {
    return { connectionId: check() };
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    return { refusal: thrown };
  }
}

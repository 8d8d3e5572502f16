/**
 * A payment rail in which everything goes wrong that can: calls that never arrive, answers that get lost, payments that
 * take their time. What becomes of a key is drawn once, when the rail gets it, and never changes.
 */
import { expect } from "vitest";
import type {
  PaymentRail,
  RailAnswer,
  RailInstruction,
} from "../../src/domain/transfers/payment-rail.port.ts";

type Final = Extract<RailAnswer, { kind: "settled" | "declined" }>;

interface Received {
  readonly instruction: RailInstruction;
  readonly fate: Final;
  /** Whether anybody was ever told how it ended. */
  wasTold: boolean;
}

export interface ChanceRail {
  readonly received: ReadonlyMap<string, Received>;
  /** From now on nothing gets lost and everything is final. */
  calm(): void;
  /** Calls wait while the rail is shut. */
  shut(): void;
  open(): void;
  /** The rail as one server sees it; after `isDead` it is never heard of again. */
  seenBy(server: { readonly isDead: boolean }): PaymentRail;
}

export function createChanceRail(chance: (below: number) => number): ChanceRail {
  const received = new Map<string, Received>();
  let isCalm = false;
  let waiting: (() => void)[] | undefined;

  const oneIn = (count: number) => !isCalm && chance(count) === 0;

  function receive(instruction: RailInstruction): Received {
    const known = received.get(instruction.key);
    if (known !== undefined) {
      const { acceptedAt: _, ...same } = known.instruction;
      expect(instruction).toMatchObject(same);
      return known;
    }
    const isDeclined = chance(3) === 0;
    const fresh: Received = {
      instruction,
      wasTold: false,
      fate: isDeclined
        ? {
            kind: "declined",
            failureReason: "COUNTERPARTY_POST_TX_FAILED",
            refundReason: "TRANSACTION_FAILED",
            wasTakenUp: chance(2) === 0,
          }
        : { kind: "settled" },
    };
    received.set(instruction.key, fresh);
    return fresh;
  }

  function reply(payment: Received): RailAnswer {
    if (oneIn(4)) return { kind: "unknown" };
    if (oneIn(5)) return { kind: "accepted" };
    payment.wasTold = true;
    return payment.fate;
  }

  function opened(): Promise<void> {
    return new Promise((resolve) => {
      if (waiting === undefined) resolve();
      else waiting.push(resolve);
    });
  }

  return {
    received,
    calm() {
      isCalm = true;
    },
    shut() {
      waiting ??= [];
    },
    open() {
      const woken = waiting ?? [];
      waiting = undefined;
      for (const wake of woken) wake();
    },
    seenBy(server) {
      async function call(answer: () => RailAnswer): Promise<RailAnswer> {
        await opened();
        if (server.isDead) await new Promise(() => undefined);
        return answer();
      }
      return {
        name: "chance",
        send: (instruction) =>
          call(() => (oneIn(6) ? { kind: "unknown" } : reply(receive(instruction)))),
        inquire: (instruction) =>
          call(() => {
            const payment = received.get(instruction.key);
            if (payment !== undefined) return reply(payment);
            return oneIn(4) ? { kind: "unknown" } : { kind: "not-received" };
          }),
      };
    },
  };
}

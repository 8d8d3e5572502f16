/**
 * A payment rail with random faults: lost calls, lost answers, delayed payments, returned payments. The course of a key is
 * chosen when the rail receives it first, and does not change.
 */
import { expect } from "vitest";
import type {
  PaymentRail,
  RailAnswer,
  RailInstruction,
} from "../../src/domain/payments/transfers/payment-rail.port.ts";

export type RailReport = Exclude<RailAnswer, { kind: "accepted" | "unknown" | "not-received" }>;

interface Received {
  readonly instruction: RailInstruction;
  /** The sequence of its answers; the last one repeats. */
  readonly course: readonly RailReport[];
  at: number;
  /** Answers that a server has received. */
  readonly reported: Set<RailReport>;
}

export interface ChanceRail {
  readonly received: ReadonlyMap<string, Received>;
  /** The kinds of answers about a key that a server has received. */
  reportsOf(key: string): ReadonlySet<string>;
  /** Ends all faults: nothing is lost, and all payments become final. */
  calm(): void;
  /** Calls wait until `open`. */
  shut(): void;
  open(): void;
  /** The rail for one server; calls of a dead server never return. */
  seenBy(server: { readonly isDead: boolean }): PaymentRail;
}

const settled: RailReport = { kind: "settled" };
const settledForNow: RailReport = { kind: "settled", mayComeBackInMs: 1_000 };

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
    const course = drawCourse(instruction, chance);
    const fresh: Received = { instruction, course, at: 0, reported: new Set() };
    received.set(instruction.key, fresh);
    return fresh;
  }

  function reply(payment: Received): RailAnswer {
    const report = payment.course[payment.at];
    const isMovingOn = payment.at < payment.course.length - 1 && !oneIn(2);
    if (isMovingOn) payment.at++;
    if (report === undefined || oneIn(4)) return { kind: "unknown" };
    if (payment.at === 0 && oneIn(5)) return { kind: "accepted" };
    payment.reported.add(report);
    return report;
  }

  function opened(): Promise<void> {
    return new Promise((resolve) => {
      if (waiting === undefined) resolve();
      else waiting.push(resolve);
    });
  }

  return {
    received,
    reportsOf: (key) => new Set([...(received.get(key)?.reported ?? [])].map(({ kind }) => kind)),
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

function drawCourse(
  { purpose, direction }: RailInstruction,
  chance: (below: number) => number,
): readonly RailReport[] {
  const declined: RailReport = {
    kind: "declined",
    failureReason: "COUNTERPARTY_POST_TX_FAILED",
    refundReason: "TRANSACTION_FAILED",
    wasAccepted: chance(2) === 0,
  };
  if (purpose === "transfer") return [chance(3) === 0 ? declined : settled];
  if (direction === "back") return [chance(3) === 0 ? declined : settled];
  const returned: RailReport = { kind: "returned", failureReason: "COUNTERPARTY_POST_TX_FAILED" };
  const courses: readonly (readonly RailReport[])[] = [
    [settled],
    [declined],
    [{ kind: "cancelled" }],
    [settledForNow, returned],
    [settledForNow, settled],
  ];
  return courses[chance(courses.length)] ?? [settled];
}

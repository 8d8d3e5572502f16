/**
 * A payment rail in which everything goes wrong that can: calls that never arrive, answers that get lost, payments that
 * take their time, payments that come back. What becomes of a key is drawn once, when the rail gets it, and never changes.
 */
import { expect } from "vitest";
import type {
  PaymentRail,
  RailAnswer,
  RailInstruction,
} from "../../src/domain/transfers/payment-rail.port.ts";

export type Word = Exclude<RailAnswer, { kind: "accepted" | "unknown" | "not-received" }>;

interface Received {
  readonly instruction: RailInstruction;
  /** What it says, word by word, as time goes by; the last one stays. */
  readonly course: readonly Word[];
  /** How far it has come. */
  at: number;
  /** Words that somebody was told. */
  readonly told: Set<Word>;
}

export interface ChanceRail {
  readonly received: ReadonlyMap<string, Received>;
  /** The kinds of words that somebody was told about a key. */
  toldOf(key: string): ReadonlySet<string>;
  /** From now on nothing gets lost and everything is final. */
  calm(): void;
  /** Calls wait while the rail is shut. */
  shut(): void;
  open(): void;
  /** The rail as one server sees it; after `isDead` it is never heard of again. */
  seenBy(server: { readonly isDead: boolean }): PaymentRail;
}

const settled: Word = { kind: "settled" };
const settledForNow: Word = { kind: "settled", mayComeBackInMs: 1_000 };

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
    const fresh: Received = { instruction, course, at: 0, told: new Set() };
    received.set(instruction.key, fresh);
    return fresh;
  }

  function reply(payment: Received): RailAnswer {
    const word = payment.course[payment.at];
    const isMovingOn = payment.at < payment.course.length - 1 && !oneIn(2);
    if (isMovingOn) payment.at++;
    if (word === undefined || oneIn(4)) return { kind: "unknown" };
    if (payment.at === 0 && oneIn(5)) return { kind: "accepted" };
    payment.told.add(word);
    return word;
  }

  function opened(): Promise<void> {
    return new Promise((resolve) => {
      if (waiting === undefined) resolve();
      else waiting.push(resolve);
    });
  }

  return {
    received,
    toldOf: (key) => new Set([...(received.get(key)?.told ?? [])].map(({ kind }) => kind)),
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
): readonly Word[] {
  const declined: Word = {
    kind: "declined",
    failureReason: "COUNTERPARTY_POST_TX_FAILED",
    refundReason: "TRANSACTION_FAILED",
    wasTakenUp: chance(2) === 0,
  };
  if (purpose === "transfer") return [chance(3) === 0 ? declined : settled];
  if (direction === "back") return [chance(3) === 0 ? declined : settled];
  const returned: Word = { kind: "returned", failureReason: "COUNTERPARTY_POST_TX_FAILED" };
  const courses: readonly (readonly Word[])[] = [
    [settled],
    [declined],
    [{ kind: "cancelled" }],
    [settledForNow, returned],
    [settledForNow, settled],
  ];
  return courses[chance(courses.length)] ?? [settled];
}

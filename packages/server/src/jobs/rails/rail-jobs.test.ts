import { describe, expect, it } from "vitest";
import { DECIDED_AT } from "../../../test/kit/decide-alone.ts";
import type {
  PaymentRail,
  RailAnswer,
  RailInstruction,
} from "../../domain/payments/transfers/payment-rail.port.ts";
import type { ClaimedJob } from "../../engine/command.ts";
import type { Engine } from "../../engine/engine.ts";
import { runnersByKind } from "../job-runners.ts";
import { JobRefused } from "../submit-for-job.ts";
import { railJobRunners } from "./rail-jobs.ts";

const TRANSACTION_ID = "019c168f-79ef-71bd-8000-00000000000e";

/** What a rail was sent and asked, when it never knows anything, by the kind of the job. */
async function callsOf(
  kind: string,
  { attempts = 1, accountType = "USD_ACCOUNT", answer = { kind: "unknown" } as RailAnswer } = {},
) {
  const sent: RailInstruction[] = [];
  const asked: RailInstruction[] = [];
  const rail: PaymentRail = {
    name: "r",
    async send(instruction) {
      sent.push(instruction);
      return answer;
    },
    async inquire(instruction) {
      asked.push(instruction);
      return { kind: "not-received" };
    },
  };
  const other: PaymentRail = { ...rail, send: async () => ({ kind: "unknown", askAgainInMs: 7 }) };
  const engine = { submit: async () => ({ status: 200, body: "" }) } as unknown as Engine;
  const runners = runnersByKind(
    railJobRunners({ engine, rails: { simulated: rail }, umaNetwork: () => other }),
  );
  const payload = {
    transactionId: TRANSACTION_ID,
    quoteId: "q",
    minor: "5",
    currency: "USD",
    accountType,
    primaryIdentifier: "1",
    acceptedAt: 1,
  };
  const job = { platformId: "p", id: "j", kind, payload, attempts, platformTime: DECIDED_AT };
  const result = await runners[kind]?.(job as unknown as ClaimedJob);
  const tell = ({ key, direction, purpose, reference }: RailInstruction) =>
    [key.replace(TRANSACTION_ID, "e"), direction, purpose, reference]
      .filter((word) => word !== undefined)
      .join(" ");
  return { sent: sent.map(tell), asked: asked.map(tell), result };
}

it.each([
  ["send-payout", "e out transfer FL800000000000E"],
  ["pull-funds", "e in transfer"],
  ["send-uma-deposit", "e out transfer FL800000000000E"],
  ["pull-quote-funds", "e/pull in quote"],
  ["pay-quote", "e out quote FL800000000000E"],
  ["refund-quote", "e/refund back quote"],
])(
  "the job %s is sent under a key of its own, and asked about under the same: %s",
  async (kind, reported) => {
    const again = { kind: "again", inMs: 5_000 };
    expect(await callsOf(kind)).toEqual({ sent: [reported], asked: [], result: again });
    // A rail that never got it is sent it again.
    expect(await callsOf(kind, { attempts: 2 })).toEqual({
      sent: [reported],
      asked: [reported],
      result: again,
    });
  },
);

it("a payment to an address goes into the network", async () => {
  expect(await callsOf("pay-quote", { accountType: "UMA_ADDRESS" })).toEqual({
    sent: [],
    asked: [],
    result: { kind: "again", inMs: 7 },
  });
});

it("a payment that a bank may still return is queried at that time, and not before", async () => {
  const watched = { kind: "settled", mayComeBackInMs: 60_000 } as const;
  const { result } = await callsOf("pay-quote", { answer: watched });
  expect(result).toEqual({ kind: "again", inMs: 60_000 });
  expect((await callsOf("pay-quote", { answer: { kind: "settled" } })).result).toEqual({
    kind: "done",
  });
});

describe("an answer that the books refuse", () => {
  /** Runs a payout whose rail gave this answer, on an engine that refuses the first `refusals` commands. */
  async function recordedWith(answer: RailAnswer, refusals: number) {
    const submitted: unknown[] = [];
    const engine = {
      async submit({ input }: { readonly input: { readonly answer: RailAnswer } }) {
        submitted.push(input.answer.kind);
        const isRefused = submitted.length <= refusals;
        return isRefused
          ? { status: 400, body: '{"code":"AMOUNT_OUT_OF_RANGE"}' }
          : { status: 200, body: "" };
      },
    } as unknown as Engine;
    const rail: PaymentRail = {
      name: "r",
      send: async () => answer,
      inquire: async () => answer,
    };
    const runners = runnersByKind(
      railJobRunners({ engine, rails: { simulated: rail }, umaNetwork: () => rail }),
    );
    const payload = { transactionId: "e", minor: "5", currency: "USD", acceptedAt: 1 };
    const job = { platformId: "p", id: "j", kind: "send-payout", payload, attempts: 1 };
    const result = await runners["send-payout"]?.(job as unknown as ClaimedJob).catch(
      (error: unknown) => error,
    );
    return { submitted, result };
  }

  it("is recorded as declined when it settled, and the job ends", async () => {
    expect(await recordedWith({ kind: "settled" }, 1)).toEqual({
      submitted: ["settled", "declined"],
      result: { kind: "done", refusal: "AMOUNT_OUT_OF_RANGE" },
    });
  });

  it("stays for another try when that is refused too, or when it did not settle", async () => {
    const both = await recordedWith({ kind: "settled" }, 2);
    expect(both.submitted).toEqual(["settled", "declined"]);
    expect(both.result).toBeInstanceOf(JobRefused);
    const accepted = await recordedWith({ kind: "accepted" }, 1);
    expect(accepted.submitted).toEqual(["accepted"]);
    expect(accepted.result).toBeInstanceOf(JobRefused);
  });
});

it("is sent to the rail that its payment names, and to no other", async () => {
  const calls: string[] = [];
  const railNamed = (name: string): PaymentRail => {
    const answer = async (): Promise<RailAnswer> => {
      calls.push(name);
      return { kind: "unknown" };
    };
    return { name, send: answer, inquire: answer };
  };
  const rails = { simulated: railNamed("simulated"), bank: railNamed("bank") };
  const engine = {} as Engine;
  const runners = runnersByKind(
    railJobRunners({ engine, rails, umaNetwork: () => railNamed("uma") }),
  );
  const run = (rail: string) => {
    const payload = { transactionId: "e", minor: "5", currency: "USD", rail, acceptedAt: 1 };
    const job = { platformId: "p", id: "j", kind: "send-payout", payload, attempts: 1 };
    return runners["send-payout"]?.(job as unknown as ClaimedJob);
  };
  await run("bank");
  expect(calls).toEqual(["bank"]);
  await expect(run("gone")).rejects.toThrow("rail gone");
  expect(calls).toEqual(["bank"]);
});

/** A server is killed during an approval request: the request is not sent twice, and nothing is credited without approval. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { endReceivers } from "../kit/receivers.ts";
import { eventually } from "./eventually.ts";
import { send } from "./history.ts";
import { CLEAN, judge } from "./judge.ts";
import {
  AMOUNT,
  announce,
  askedAt,
  letTimePass,
  outcomes,
  type QuestionRig,
  startQuestionRig,
} from "./questions.ts";
import { balanceOf } from "./rig.ts";
import { limitMs, rounds } from "./rounds.ts";
import type { ServerProcess } from "./server-process.ts";

let rig: QuestionRig;
let dying: ServerProcess;
let other: ServerProcess;
beforeAll(async () => {
  rig = await startQuestionRig(2);
  dying = present(rig.servers[0], "a server");
  other = present(rig.servers[1], "another server");
});
afterAll(() => rig.close());

afterEach(async () => {
  await endReceivers();
  const history = { operations: [], unknownTries: 0, abandoned: [], slowestRefusalMs: 0 };
  expect(await judge({ history, address: rig.database.address })).toMatchObject(CLEAN);
});

/** Lets the server send an approval request, and kills it before it gets the answer. */
async function killedWhileAsking(): Promise<{
  readonly id: string;
  readonly asked: readonly string[];
}> {
  const asked = await askedAt(other, () => {
    dying.signal("SIGKILL");
    return undefined;
  });
  // The server may die before it answers that the payment was announced.
  const known = new Set((await outcomes(rig)).map(({ id }) => id));
  await announce(dying, rig.customer).catch(() => undefined);
  await eventually("a server that was killed", () => (dying.isRunning ? undefined : true));
  const made = (await outcomes(rig)).map(({ id }) => id).filter((id) => !known.has(id));
  return { id: present(made[0], "the payment"), asked };
}

const outcomeOf = async (id: string) => (await outcomes(rig)).find((one) => one.id === id);

describe("a server that is killed between an approval request and its answer", () => {
  it("leaves a payment that times out, and the request is not sent again", {
    timeout: limitMs(15),
  }, async () => {
    for (let round = 0; round < rounds(2); round++) {
      const before = await balanceOf(other, rig.customer);
      const { id, asked } = await killedWhileAsking();
      await dying.start();
      await letTimePass(dying);
      expect(await outcomeOf(id)).toMatchObject({
        status: "FAILED",
        failure_reason: "PAYMENT_APPROVAL_TIMED_OUT",
        finalEvents: 1,
      });
      expect(asked).toEqual([id]);
      expect(await balanceOf(other, rig.customer)).toBe(before);
    }
  });

  it("leaves a payment that the platform can still approve through another server", {
    timeout: limitMs(15),
  }, async () => {
    const before = await balanceOf(other, rig.customer);
    let isTaken = false;
    // A busy machine may need more than the five seconds; then the test tries another payment.
    for (let tries = 0; tries < 8 && !isTaken; tries++) {
      const { id, asked } = await killedWhileAsking();
      const path = `/transactions/${id}/approve`;
      isTaken = (await send(other, { method: "POST", path })).status === 200;
      await dying.start();
      await letTimePass(dying);
      const status = isTaken ? "COMPLETED" : "FAILED";
      expect(await outcomeOf(id)).toMatchObject({ status, finalEvents: 1 });
      expect(asked).toEqual([id]);
    }
    expect(isTaken).toBe(true);
    expect(await balanceOf(other, rig.customer)).toBe(before + AMOUNT);
  });
});

/** Two servers, and concurrent decisions about one payment: one of them wins. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { send } from "../faults/history.ts";
import { CLEAN, judge } from "../faults/judge.ts";
import {
  AMOUNT,
  announce,
  askedAt,
  letTimePass,
  outcomes,
  type QuestionRig,
  startQuestionRig,
} from "../faults/questions.ts";
import { balanceOf } from "../faults/rig.ts";
import { limitMs, rounds } from "../faults/rounds.ts";
import { endReceivers } from "../kit/receivers.ts";

let rig: QuestionRig;
beforeAll(async () => {
  rig = await startQuestionRig(2);
});
afterAll(async () => {
  await endReceivers();
  await rig.close();
});

const serverOf = (index: number) => present(rig.servers[index % 2], "a server");

describe("two servers and one approval request", () => {
  it("have one winner among the answer, approve, reject and the deadline", {
    timeout: limitMs(15),
  }, async () => {
    const statuses = [200, 202, 403, 500];
    let count = 0;
    const calls: Promise<{
      readonly verb: string;
      readonly status: number;
      readonly id: string;
    }>[] = [];
    const call = async (verb: string, id: string, index: number) => {
      const path = `/transactions/${id}/${verb}`;
      const sent = send(serverOf(index), { method: "POST", path, limitMs: 30_000 });
      // An approval request may arrive after the servers have ended.
      const status = await sent.then(
        (reply) => reply.status,
        () => 0,
      );
      return { verb, status, id };
    };
    const asked = await askedAt(serverOf(0), (id) => {
      const index = count++;
      for (const [at, verb] of ["approve", "reject", "approve"].entries()) {
        calls.push(call(verb, id, index + at));
      }
      return statuses[index % statuses.length];
    });
    for (let round = 0; round < rounds(3); round++) {
      await Promise.all([
        ...Array.from({ length: 16 }, (_, index) => announce(serverOf(index), rig.customer)),
        letTimePass(serverOf(round)),
      ]);
    }
    await letTimePass(serverOf(0));
    const replies = await Promise.all(calls);

    const over = await outcomes(rig);
    expect(over).toHaveLength(rounds(3) * 16);
    expect(over.filter(({ finalEvents }) => finalEvents !== 1)).toEqual([]);
    expect(new Set(asked).size).toBe(asked.length);
    expect(replies.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    for (const { id, status } of over) {
      const won = replies.filter((reply) => reply.id === id && reply.status === 200);
      expect(won.length).toBeLessThanOrEqual(1);
      if (won[0]?.verb === "approve") expect(status).toBe("COMPLETED");
      if (won[0]?.verb === "reject") expect(status).toBe("REJECTED");
    }
    const completed = over.filter(({ status }) => status === "COMPLETED").length;
    expect(await balanceOf(serverOf(1), rig.customer)).toBe(completed * AMOUNT);
    const history = { operations: [], unknownTries: 0, abandoned: [], slowestRefusalMs: 0 };
    expect(await judge({ history, address: rig.database.address })).toMatchObject(CLEAN);
  });
});

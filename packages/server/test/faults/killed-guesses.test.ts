/** A server is killed during guesses of a one-time code: counted guesses stay counted, and the limit of five holds. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { eventually } from "./eventually.ts";
import { type GuessRig, type MailedCode, startGuessRig, wrongCodes } from "./guesses.ts";
import { limitMs, rounds } from "./rounds.ts";
import type { ServerProcess } from "./server-process.ts";

const MAX_TRIES = 5;

let rig: GuessRig;
let dying: ServerProcess;
let other: ServerProcess;
beforeAll(async () => {
  rig = await startGuessRig(2);
  dying = present(rig.servers[0], "a server");
  other = present(rig.servers[1], "another server");
});
afterAll(() => rig.close());

/** The status of the answer; undefined without an answer, or when it does not show whether the guess was counted. */
const guess = (server: ServerProcess, mailed: MailedCode, otp: string) =>
  rig.guess(server, mailed, otp).then(
    ({ status }) => (status === 503 ? undefined : status),
    () => undefined,
  );

async function restart(): Promise<void> {
  await eventually("a server that was killed", () => (dying.isRunning ? undefined : true));
  await dying.start();
}

describe("guesses at a code", () => {
  it("are counted before they are answered: a kill after each answer restores none", {
    timeout: limitMs(40),
  }, async () => {
    for (let round = 0; round < rounds(1); round++) {
      const mailed = await rig.newCode();
      for (const [index, wrong] of wrongCodes(mailed, MAX_TRIES).entries()) {
        expect(await guess(dying, mailed, wrong)).toBe(401);
        dying.signal("SIGKILL");
        expect(await rig.tries(mailed)).toBe(index + 1);
        await restart();
      }
      expect(await guess(dying, mailed, mailed.code)).toBe(401);
      expect(await guess(other, mailed, mailed.code)).toBe(401);
      expect(await rig.tries(mailed)).toBe(MAX_TRIES);
    }
  });

  it("with and without an answer are five at most across kills", {
    timeout: limitMs(60),
  }, async () => {
    for (let round = 0; round < rounds(2); round++) {
      const mailed = await rig.newCode();
      const wrong = wrongCodes(mailed, 60);
      const answers = wrong.slice(0, 40).map((otp, index) =>
        guess(index % 2 === 0 ? dying : other, mailed, otp).then((status) => {
          dying.signal("SIGKILL");
          return status;
        }),
      );
      const statuses = await Promise.all(answers);
      await restart();
      const counted = await rig.tries(mailed);
      expect(statuses.filter((status) => status !== undefined && status !== 401)).toEqual([]);
      expect(counted).toBeGreaterThan(0);
      expect(counted).toBeLessThanOrEqual(MAX_TRIES);
      for (const otp of wrong.slice(40, 40 + MAX_TRIES - counted)) {
        expect(await guess(dying, mailed, otp)).toBe(401);
      }
      expect(await rig.tries(mailed)).toBe(MAX_TRIES);
      expect(await guess(dying, mailed, mailed.code)).toBe(401);
    }
  });

  it("open a session with the right code after four wrong ones and two kills", {
    timeout: limitMs(40),
  }, async () => {
    const mailed = await rig.newCode();
    for (const [index, wrong] of wrongCodes(mailed, MAX_TRIES - 1).entries()) {
      expect(await guess(dying, mailed, wrong)).toBe(401);
      if (index % 2 === 0) continue;
      dying.signal("SIGKILL");
      await restart();
    }
    expect(await guess(dying, mailed, mailed.code)).toBe(200);
    expect(await guess(other, mailed, mailed.code)).toBe(401);
  });
});

import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { askedCheckpointId, checkpoints, dailyCheckpointId } from "./checkpoint.ts";
import { recordCheckpoint } from "./record-checkpoint.ts";

const PLATFORM = "019a4f00-0000-7000-8000-000000000001";
const facts = {
  seq: 4n,
  chainHash: Buffer.alloc(32, 1),
  at: DECIDED_AT - 5,
  publicKey: "PEM",
  keyId: "key",
  signature: "signed",
};
const SECOND = 1_000;

function asked(at: number, known: readonly string[], isAsked: boolean, id: string) {
  const rows = known.map((each) => ({ id: each, ...facts, createdAt: DECIDED_AT }));
  const input = { ...facts, id, isAsked };
  const scene = { command: recordCheckpoint, input, platformId: PLATFORM, at };
  const world = worldFor({ ...scene, tables: [rowsOf(checkpoints, ...rows)] });
  return { world, decide: () => recordCheckpoint.decide(world, input) };
}

describe("a checkpoint that a caller asks for", () => {
  const first = askedCheckpointId(PLATFORM, DECIDED_AT);

  it.each([
    [0, 60],
    [1, 60],
    [SECOND, 59],
    [30 * SECOND, 30],
    [60 * SECOND - 1, 1],
  ])("%s ms into a minute that has one is refused for %s seconds", (ms, retryAfterSeconds) => {
    const at = DECIDED_AT + ms;
    const { world, decide } = asked(at, [first], true, askedCheckpointId(PLATFORM, at));
    expect(refusalOf(world, decide)).toMatchObject({
      code: "RATE_LIMITED",
      details: { retryAfterSeconds },
    });
  });

  it("is stored in the next minute", () => {
    const at = DECIDED_AT + 60 * SECOND;
    const id = askedCheckpointId(PLATFORM, at);
    expect(asked(at, [first], true, id).decide()).toEqual({ id, ...facts, createdAt: at });
  });

  it("is stored beside that of the day", () => {
    const daily = dailyCheckpointId(PLATFORM, "2026-11-21");
    expect(asked(DECIDED_AT, [daily], true, first).decide()).toMatchObject({ id: first });
  });
});

it("the checkpoint of a day that exists is the result", () => {
  const id = dailyCheckpointId(PLATFORM, "2026-11-21");
  const { world, decide } = asked(DECIDED_AT + SECOND, [id], false, id);
  expect(decide()).toMatchObject({ id, createdAt: DECIDED_AT });
  expect(world.isEmpty).toBe(true);
});

import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import { internal, PLATFORM } from "../../../test/kit/payment-rows.ts";
import { issueSession, openSessionsOf, type Session, sessions } from "./session.ts";

const QUARTER_HOUR_MS = 15 * 60 * 1000;

/** The session that was opened so many milliseconds before. */
function session(number: number, ageMs: number): Session {
  return {
    id: `018f0000-0000-7000-8000-${String(number).padStart(12, "0")}`,
    accountId: internal.id,
    credentialId: PLATFORM,
    type: "OAUTH",
    nickname: "ana",
    publicKey: String(number),
    createdAt: DECIDED_AT - ageMs,
    updatedAt: DECIDED_AT - ageMs,
    expiresAt: DECIDED_AT - ageMs + QUARTER_HOUR_MS,
    endedAt: null,
  };
}

/** The open sessions once another one, `new`, was issued: by their keys, the oldest first. */
function openAfter(open: readonly Session[]): readonly string[] {
  const command = { needs: () => [openSessionsOf.of(internal.id)] };
  const tables = [rowsOf(sessions, ...open)];
  const world = worldFor({ command, input: undefined, platformId: PLATFORM, tables });
  const issuer = {
    accountId: internal.id,
    credentialId: PLATFORM,
    type: "OAUTH",
    nickname: "a",
  } as const;
  expect(issueSession(world, issuer, "new").expiresAt).toBe(DECIDED_AT + QUARTER_HOUR_MS);
  return world.all(openSessionsOf.of(internal.id)).map(({ publicKey }) => publicKey);
}

const many = (count: number) => Array.from({ length: count }, (_, index) => session(index, 1_000));
const keys = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => String(from + index));

describe("a new session", () => {
  it("is the twentieth that is active at most: beyond that the oldest one ends", () => {
    expect(openAfter(many(19))).toEqual([...keys(0, 19), "new"]);
    expect(openAfter(many(20))).toEqual([...keys(1, 20), "new"]);
    expect(openAfter(many(22))).toEqual([...keys(3, 22), "new"]);
  });

  it("ends expired sessions, and does not count them", () => {
    const expired = session(50, QUARTER_HOUR_MS);
    const last = session(51, QUARTER_HOUR_MS - 1);
    expect(openAfter([expired, last])).toEqual(["51", "new"]);
    expect(openAfter([expired, ...many(19)])).toEqual([...keys(0, 19), "new"]);
  });
});

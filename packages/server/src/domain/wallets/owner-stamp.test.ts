import { describe, expect, it } from "vitest";
import type { World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import type { Children, Ref, TableRow } from "../../tables/tables.ts";
import type { Environment } from "../platform.ts";
import { type OwnerStamp, refuseUnlessStamped, type StampWanted } from "./owner-stamp.ts";
import type { Session } from "./session.ts";

const ACCOUNT = "019a4f00-0000-7000-8000-000000000001";
const OWNER = "019a4f00-0000-7000-8000-000000000002";
const PLATFORM = "019a4f00-0000-7000-8000-000000000003";
const AT = 1_000_000;
const TEXT = "eyJ0aGUiOiJ0ZXh0In0";
const KEY = `02${"ab".repeat(32)}`;

function session(change: Partial<Session> = {}): Session {
  return {
    id: "019a4f00-0000-7000-8000-000000000004",
    accountId: ACCOUNT,
    credentialId: "019a4f00-0000-7000-8000-000000000005",
    type: "OAUTH",
    nickname: "ana",
    publicKey: KEY,
    createdAt: AT - 10,
    updatedAt: AT - 10,
    expiresAt: AT + 1,
    endedAt: null,
    ...change,
  };
}

interface Surroundings {
  readonly environment?: Environment;
  readonly sessions?: readonly Session[];
  readonly deletedAt?: number | null;
}

/** As much of a world as a stamp is judged in. */
function worldOf({
  environment = "PRODUCTION",
  sessions = [session()],
  deletedAt = null,
}: Surroundings) {
  const rows: Readonly<Record<string, object>> = {
    [PLATFORM]: { id: PLATFORM, environment },
    [ACCOUNT]: { id: ACCOUNT, customerId: OWNER },
    [OWNER]: { id: OWNER, deletedAt },
  };
  const find = (ref: Ref<TableRow>) => rows[ref.id] as TableRow | undefined;
  const all = ({ lookup, key }: Children<TableRow>) =>
    sessions.filter((row) => lookup.keyOf(row) === key && lookup.holds(row));
  return { platformId: PLATFORM, at: AT, find, get: find, all } as unknown as World;
}

const signed: OwnerStamp = { kind: "signed", publicKey: KEY, payloadToSign: TEXT };

function isTaken(
  surroundings: Surroundings,
  stamp: OwnerStamp,
  wanted: Partial<StampWanted> = {},
): boolean {
  try {
    const full = { accountId: ACCOUNT, payloadToSign: TEXT, ...wanted };
    refuseUnlessStamped(worldOf(surroundings), full, stamp);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    expect((error as Refusal).code).toBe("UNAUTHORIZED");
    return false;
  }
}

describe("a stamp over a text", () => {
  it("is taken from an active session of the account", () => {
    expect(isTaken({}, signed)).toBe(true);
  });

  it.each<[string, Surroundings, OwnerStamp, Partial<StampWanted>]>([
    ["that is none", {}, { kind: "unreadable" }, {}],
    ["that does not fit", {}, { kind: "wrong" }, {}],
    ["that is the sandbox's word, in production", {}, { kind: "sandbox-word" }, {}],
    ["over another text", {}, { ...signed, payloadToSign: `${TEXT}x` }, {}],
    ["by a key that no session has", {}, { ...signed, publicKey: `03${KEY.slice(2)}` }, {}],
    ["without any session", { sessions: [] }, signed, {}],
    ["by another account's session", { sessions: [session({ accountId: OWNER })] }, signed, {}],
    ["at the session's end", { sessions: [session({ expiresAt: AT })] }, signed, {}],
    ["by a session that was ended", { sessions: [session({ endedAt: AT - 1 })] }, signed, {}],
    ["for a customer who is gone", { deletedAt: AT - 1 }, signed, {}],
    ["by a session that may not sign this", {}, signed, { maySign: () => false }],
    [
      "that is a real one, in a sandbox without sessions",
      { environment: "SANDBOX", sessions: [] },
      signed,
      {},
    ],
  ])("is refused %s", (_what, surroundings, stamp, wanted) => {
    expect(isTaken(surroundings, stamp, wanted)).toBe(false);
  });

  it("is the sandbox's fixed signature in a sandbox", () => {
    expect(isTaken({ environment: "SANDBOX", sessions: [] }, { kind: "sandbox-word" })).toBe(true);
  });
});

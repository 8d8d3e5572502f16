/** Each thing that a second call has to have in common with the request it answers, one at a time. */
import { describe, expect, it } from "vitest";
import type { World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import type { Ref, TableRow } from "../../tables/tables.ts";
import type { OwnerStamp } from "./owner-stamp.ts";
import type { Session } from "./session.ts";
import {
  findSignedRequest,
  type OwnerProof,
  type SignedAct,
  type SignedRequest,
  signedRequests,
  useSignedRequest,
  WRONG_REQUEST,
} from "./signed-request.ts";

const uuid = (last: number) => `019a4f00-0000-7000-8000-${String(last).padStart(12, "0")}`;
const [ACCOUNT, OWNER, PLATFORM, REQUEST, TARGET] = [uuid(1), uuid(2), uuid(3), uuid(4), uuid(5)];
const AT = 1_000_000;
const KEY = `02${"ab".repeat(32)}`;
const TEXT = "eyJ0aGUiOiJ0ZXh0In0";

const request: SignedRequest = {
  id: REQUEST,
  accountId: ACCOUNT,
  operation: "EXPORT_WALLET",
  target: TARGET,
  bodySha256: "aa",
  payloadToSign: TEXT,
  registration: null,
  createdAt: AT - 10,
  expiresAt: AT + 1,
  usedAt: null,
};

const session: Session = {
  id: uuid(6),
  accountId: ACCOUNT,
  credentialId: uuid(7),
  type: "OAUTH",
  nickname: "ana",
  publicKey: KEY,
  createdAt: AT - 10,
  updatedAt: AT - 10,
  expiresAt: AT + 1,
  endedAt: null,
};

function worldOf(kept: SignedRequest | undefined): World & { readonly written: TableRow[] } {
  const written: TableRow[] = [];
  const find = (ref: Ref<TableRow>) => {
    if (ref.table.name === signedRequests.name) return ref.id === kept?.id ? kept : undefined;
    return {
      [PLATFORM]: { id: PLATFORM, environment: "PRODUCTION" },
      [ACCOUNT]: { id: ACCOUNT, customerId: OWNER },
      [OWNER]: { id: OWNER, deletedAt: null },
    }[ref.id];
  };
  const put = (_table: unknown, row: TableRow) => {
    written.push(row);
    return row;
  };
  const world = { platformId: PLATFORM, at: AT, find, get: find, all: () => [session], put };
  return { ...world, written } as unknown as World & { readonly written: TableRow[] };
}

const act: SignedAct = { operation: "EXPORT_WALLET", target: TARGET, bodySha256: "aa" };
const stamp: OwnerStamp = { kind: "signed", publicKey: KEY, payloadToSign: TEXT };
const proof: OwnerProof = { kind: "given", requestId: REQUEST, stamp };

interface Call {
  readonly kept?: Partial<SignedRequest> | "none";
  readonly act?: Partial<SignedAct>;
  readonly proof?: OwnerProof;
}

function reasonOf({ kept = {}, act: change = {}, proof: given = proof }: Call): unknown {
  const world = worldOf(kept === "none" ? undefined : { ...request, ...kept });
  try {
    return findSignedRequest(world, { ...act, ...change }, given)?.id;
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    const { code, details } = error as Refusal;
    expect(code).toBe("UNAUTHORIZED");
    return details?.reason;
  }
}

describe("the request that a second call answers", () => {
  it("is found for exactly what it was made for, until its end", () => {
    expect(reasonOf({})).toBe(REQUEST);
  });

  it.each<[string, Call]>([
    ["another operation", { act: { operation: "REVOKE_CREDENTIAL" } }],
    ["another target", { act: { target: uuid(8) } }],
    ["another body", { act: { bodySha256: "ab" } }],
    ["a request that was used", { kept: { usedAt: AT - 1 } }],
    ["the moment of its end", { kept: { expiresAt: AT } }],
    ["a request that nobody has", { kept: "none" }],
    ["the id of another request", { proof: { ...proof, requestId: uuid(9) } as OwnerProof }],
  ])("is not found for %s", (_, call) => {
    expect(reasonOf(call)).toBe(WRONG_REQUEST);
  });

  it.each<[string, Call]>([
    ["no stamp", { proof: { kind: "given", requestId: REQUEST, stamp: { kind: "unreadable" } } }],
    [
      "a stamp that does not fit",
      { proof: { kind: "given", requestId: REQUEST, stamp: { kind: "wrong" } } },
    ],
    ["a stamp over another text", { kept: { payloadToSign: "b3RoZXI" } }],
    ["a stamp of another account", { kept: { accountId: OWNER } }],
    ["a session that may not sign", { act: { maySign: () => false } }],
  ])("is not given to %s", (_, call) => {
    expect(reasonOf(call)).toBe("Invalid Service-Wallet-Signature");
  });

  it("is undefined at a first call, and when only one header is sent", () => {
    expect(reasonOf({ proof: { kind: "none" } })).toBeUndefined();
    expect(reasonOf({ proof: { kind: "incomplete", reason: "half" } })).toBe("half");
  });

  it("is used up once", () => {
    const world = worldOf(request);
    useSignedRequest(world, request);
    expect(world.written).toEqual([{ ...request, usedAt: AT }]);
    expect(() => useSignedRequest(world, { ...request, usedAt: AT })).toThrow("used twice");
  });
});

import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createRoutingProofs, isChallenge, type ReceivedRequest } from "./routing-proof.ts";

const proofs = createRoutingProofs(Buffer.alloc(32, 1));
const challenge = randomBytes(32).toString("base64url");
const sent: ReceivedRequest = {
  host: "bank.example",
  path: "/.well-known/lnurlp/%24ana",
  query: `challenge=${challenge}`,
  isMarkedHttp: false,
};

const judged = (received: Partial<ReceivedRequest>, key = proofs) =>
  proofs.judge(challenge, sent, key.make(challenge, { ...sent, ...received }));

const WHOLE = { isOurs: true, host: true, path: true, query: true, scheme: true };
const NOTHING = { isOurs: false, host: false, path: false, query: false, scheme: false };

describe("a proof of routing", () => {
  it("holds for what was sent", () => {
    expect(judged({})).toEqual(WHOLE);
  });

  it("names the part that another one was received of", () => {
    expect(judged({ host: "10.0.0.1" })).toEqual({ ...WHOLE, host: false });
    expect(judged({ host: undefined })).toEqual({ ...WHOLE, host: false });
    expect(judged({ path: "/.well-known/lnurlp/$ana" })).toEqual({ ...WHOLE, path: false });
    expect(judged({ query: "" })).toEqual({ ...WHOLE, query: false });
    expect(judged({ isMarkedHttp: true })).toEqual({ ...WHOLE, scheme: false });
  });

  it("of another deployment, or of another challenge, holds for nothing", () => {
    expect(judged({}, createRoutingProofs(Buffer.alloc(32, 2)))).toEqual(NOTHING);
    const other = randomBytes(32).toString("base64url");
    expect(proofs.judge(other, sent, proofs.make(challenge, sent))).toEqual(NOTHING);
  });

  it("is not there without headers, with empty ones or with ones that are cut", () => {
    const { proof, seen } = proofs.make(challenge, sent);
    for (const headers of [{}, { proof: "", seen: "" }, { proof: "x", seen: "..." }]) {
      expect(proofs.judge(challenge, sent, headers)).toEqual(NOTHING);
    }
    expect(proofs.judge(challenge, sent, { seen })).toEqual({ ...WHOLE, host: false });
    expect(proofs.judge(challenge, sent, { proof })).toEqual({ ...NOTHING, host: true });
    expect(proofs.judge(challenge, sent, { proof, seen: seen.slice(0, 43) })).toMatchObject({
      isOurs: true,
      path: false,
    });
  });
});

it.each([
  [challenge, true],
  ["", false],
  [`${challenge}a`, false],
  [challenge.slice(1), false],
  [`${challenge.slice(1)}=`, false],
  [`${challenge.slice(1)}\n`, false],
  [undefined, false],
  [[challenge], false],
])("%j is a challenge: %s", (text, expected) => {
  expect(isChallenge(text)).toBe(expected);
});

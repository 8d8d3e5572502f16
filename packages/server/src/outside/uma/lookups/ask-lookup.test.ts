/** What comes of a lookup: each refusal, and which of two comes first. The other side is a function; its signatures are real. */
import { generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { createManualClock, type ManualClock } from "../../../../test/kit/manual-clock.ts";
import type {
  CounterpartyKeySource,
  FoundKeys,
} from "../../../domain/uma/keys/counterparty-keys.port.ts";
import type { UmaKey } from "../../../domain/uma/keys/uma-key.ts";
import type { LookupQuestion } from "../../../domain/uma/lookups/lookup.port.ts";
import { judgeCounterparty } from "../../../domain/uma/policy/judge-counterparty.ts";
import type { UmaCounterparty } from "../../../domain/uma/policy/uma-counterparty.ts";
import { DEFAULT_UMA_POLICY, type UmaPolicy } from "../../../domain/uma/policy/uma-policy.ts";
import { readLookupQuery } from "../../../formats/uma/lookup-message.ts";
import { isSignatureOf, pointOf, signedText, signText } from "../../../formats/uma/signatures.ts";
import { unsupportedVersion } from "../../../formats/uma/version.ts";
import { present } from "../../../std/assert.ts";
import { signedMessage } from "../key-tools.ts";
import { umaHosts } from "../uma-hosts.ts";
import type { VaspCall, VaspReply } from "../vasp-client.ts";
import { createOutsideLookups } from "./ask-lookup.ts";

const START = Date.UTC(2026, 10, 29, 12, 0, 0, 900);
const RECEIVER = "$bob@vasp.example";
const pair = () => generateKeyPairSync("ec", { namedCurve: "secp256k1" });
const [ours, theirs, other] = [pair(), pair(), pair()];

const question: LookupQuestion = {
  platformId: "019a4f00-0000-7000-8000-000000000001",
  receiver: RECEIVER,
  ownDomain: "bank.example",
  isSubjectToTravelRule: true,
  key: {} as UmaKey,
};

/** What may be wrong on the other side. */
interface Scene {
  keys?: FoundKeys;
  reply?: VaspReply;
  /** Changes the answer before it is signed. */
  edits: ((answer: Answer) => void)[];
  signer?: typeof ours;
  isReplay?: boolean;
  counterparty?: Pick<UmaCounterparty, "status">;
  policy?: Partial<UmaPolicy>;
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of any form
type Answer = any;

let clock: ManualClock;
let scene: Scene;
let calls: VaspCall[];
let replies: VaspReply[];
let accepted: string[];
beforeEach(() => {
  clock = createManualClock(START);
  scene = { edits: [] };
  [calls, replies, accepted] = [[], [], []];
});

function goodAnswer(): Answer {
  return {
    callback: "https://vasp.example/uma/pay/1",
    minSendable: 1_000,
    maxSendable: 10_000_000_000,
    metadata: "[]",
    currencies: [
      {
        code: "EUR",
        name: "Euro",
        symbol: "€",
        decimals: 2,
        multiplier: 12_500,
        convertible: { min: 1, max: 1_000_000 },
      },
    ],
    payerData: { name: { mandatory: true } },
    compliance: {
      kycStatus: "VERIFIED",
      isSubjectToTravelRule: true,
      receiverIdentifier: RECEIVER,
      signatureNonce: "7",
      signatureTimestamp: Math.floor(START / 1_000),
    },
    umaVersion: "1.0",
    tag: "payRequest",
  };
}

async function answered(): Promise<VaspReply> {
  const answer = goodAnswer();
  for (const edit of scene.edits) edit(answer);
  const { compliance } = answer;
  if (compliance?.receiverIdentifier !== undefined) {
    const { receiverIdentifier, signatureNonce: nonce, signatureTimestamp } = compliance;
    const text = signedText([receiverIdentifier], { nonce, timestamp: BigInt(signatureTimestamp) });
    compliance.signature ??= await signText(text, (scene.signer ?? theirs).privateKey);
  }
  return { kind: "answer", status: 200, body: JSON.stringify(answer) };
}

const foundKeys: FoundKeys = {
  kind: "keys",
  keys: {
    signingKey: theirs.publicKey,
    encryptionPoint: present(pointOf(theirs.publicKey), "a point"),
    signingChain: [],
    encryptionChain: [],
    fetchedAt: START,
  },
};

const keys: CounterpartyKeySource = {
  find: async () => scene.keys ?? foundKeys,
  async judge(domain, { text, signature }) {
    expect(domain).toBe("vasp.example");
    const isGood = await isSignatureOf(text, signature, theirs.publicKey);
    return isGood && foundKeys.kind === "keys"
      ? { kind: "good", keys: foundKeys.keys }
      : { kind: "wrong" };
  },
};

const policy = (): UmaPolicy => ({ ...DEFAULT_UMA_POLICY, ...scene.policy });

function ask(more: Partial<LookupQuestion> = {}) {
  const lookups = createOutsideLookups({
    client: {
      async call(call) {
        calls.push(call);
        return replies.shift() ?? scene.reply ?? answered();
      },
    },
    keys,
    accepted: {
      async use(platformId, { kind, domain, text, signedAt }) {
        accepted.push([platformId, kind, domain, text, signedAt].join(" "));
        return scene.isReplay !== true;
      },
    },
    umaKeys: { sign: (_platform, _key, message) => signedMessage(ours.privateKey, message) },
    policies: {
      async judge(_platform, domain, { keys: _keys, ...facts }) {
        const known = { domain, ownDomains: ["bank.example"], policy: policy() };
        const counterparty = scene.counterparty as UmaCounterparty | undefined;
        return judgeCounterparty({ ...known, counterparty }, facts);
      },
      settingsFor: async () => policy(),
    },
    permits: umaHosts([]).permits,
    clock,
  });
  return lookups.ask({ ...question, ...more });
}

const answer = (status: number, body: unknown = ""): VaspReply => ({
  kind: "answer",
  status,
  body: typeof body === "string" ? body : JSON.stringify(body),
});

describe("a request", () => {
  it("goes to the path of the user, signed, with a long nonce and the time of the host", async () => {
    expect(await ask({ receiver: "$bob.b+1@vasp.example" })).toMatchObject({ kind: "refused" });
    expect(await ask()).toMatchObject({ kind: "found" });
    const [first, second] = calls.map(({ url, ...call }) => ({ ...call, url: new URL(url) }));
    expect(first?.url.origin + (first?.url.pathname ?? "")).toBe(
      "https://vasp.example/.well-known/lnurlp/$bob.b+1",
    );
    expect(second).toMatchObject({ method: "GET", deadlineMs: 10_000, maxAnswerBytes: 131_072 });
    const asked = readLookupQuery(second?.url.search.slice(1) ?? "");
    const { signature, ...rest } = asked;
    expect(rest).toEqual({
      vaspDomain: "bank.example",
      isSubjectToTravelRule: true,
      umaVersion: "1.0",
    });
    expect(signature.timestamp).toBe(BigInt(Math.floor(START / 1_000)));
    expect(BigInt(signature.nonce)).toBeGreaterThan(2n ** 80n);
    expect(BigInt(signature.nonce)).toBeLessThan(2n ** 128n);
    const text = signedText([RECEIVER], signature);
    expect(await isSignatureOf(text, signature.signature, ours.publicKey)).toBe(true);
  });

  it("is made once more, anew, for an institution that speaks our version after all", async () => {
    replies = [answer(412, unsupportedVersion("1.0"))];
    expect(await ask()).toMatchObject({ kind: "found" });
    const nonces = calls.map(({ url }) => new URL(url).searchParams.get("nonce"));
    expect(new Set(nonces).size).toBe(2);
    replies = [answer(412, unsupportedVersion("1.0")), answer(412, unsupportedVersion("1.0"))];
    expect(await ask()).toMatchObject({ code: "NO_COMPATIBLE_UMA_VERSION" });
    expect(calls).toHaveLength(4);
  });
});

describe("an answer", () => {
  it("is found, and accepted once by its whole signed text", async () => {
    const found = await ask();
    expect(found).toMatchObject({
      kind: "found",
      answer: { callback: "https://vasp.example/uma/pay/1", currencies: [{ code: "EUR" }] },
    });
    const second = Math.floor(START / 1_000);
    expect(accepted).toEqual([
      `${question.platformId} lookup-answer vasp.example ${RECEIVER}|7|${second} ${second * 1_000}`,
    ]);
  });

  it.each([
    ["another tag", (one: Answer) => (one.tag = "protocol.PayRequest")],
    ["a short nonce", (one: Answer) => (one.compliance.signatureNonce = "4294967295")],
    [
      "the address in capitals",
      (one: Answer) => (one.compliance.receiverIdentifier = RECEIVER.toUpperCase()),
    ],
    [
      "a time 300 s ahead",
      (one: Answer) => (one.compliance.signatureTimestamp = Math.floor(START / 1_000) + 300),
    ],
    [
      "a time 299 s ago",
      (one: Answer) => (one.compliance.signatureTimestamp = Math.floor(START / 1_000) - 299),
    ],
    ["no Lightning", (one: Answer) => (one.settlementOptions = [])],
  ])("with %s is found", async (_what, edit) => {
    scene.edits.push(edit);
    expect(await ask()).toMatchObject({ kind: "found" });
  });
});

type Fault = readonly [what: string, provoke: () => void, code: string, reason: string];

/** In the order in which they are told. */
const faults: readonly Fault[] = [
  [
    "a domain that is blocked",
    () => {
      scene.counterparty = { status: "BLOCKED" };
    },
    "COUNTERPARTY_NOT_ALLOWED",
    "BLOCKED",
  ],
  [
    "keys that cannot be fetched",
    () => {
      scene.keys = { kind: "fault", code: "COUNTERPARTY_PUBKEY_FETCH_ERROR", reason: "timeout" };
    },
    "COUNTERPARTY_PUBKEY_FETCH_ERROR",
    "timeout",
  ],
  [
    "another version",
    () => scene.edits.push((one) => (one.umaVersion = "0.3")),
    "UNSUPPORTED_UMA_VERSION",
    "the answer is of version 0.3",
  ],
  [
    "no status of the receiver",
    () => scene.edits.push((one) => delete one.compliance.kycStatus),
    "MISSING_REQUIRED_UMA_PARAMETERS",
    "compliance.kycStatus is missing",
  ],
  [
    "a signature by another key",
    () => {
      scene.signer = other;
    },
    "LOOKUP_REQUEST_FAILED",
    "INVALID_SIGNATURE",
  ],
  [
    "an old time",
    () => scene.edits.push((one) => (one.compliance.signatureTimestamp -= 301)),
    "INVALID_TIMESTAMP",
    "the answer is of another time",
  ],
  [
    "a nonce that was used",
    () => {
      scene.isReplay = true;
    },
    "INVALID_NONCE",
    "the answer was given before",
  ],
  [
    "another receiver",
    () => scene.edits.push((one) => (one.compliance.receiverIdentifier = "$eve@vasp.example")),
    "LOOKUP_REQUEST_FAILED",
    "OTHER_RECEIVER",
  ],
  [
    "a receiver whom nobody has verified",
    () => {
      scene.policy = { receiverKyc: "VERIFIED" };
      scene.edits.push((one) => {
        if (one.compliance.kycStatus !== undefined) one.compliance.kycStatus = "PENDING";
      });
    },
    "COUNTERPARTY_NOT_ALLOWED",
    "RECEIVER_NOT_VERIFIED",
  ],
  [
    "a fault in a field",
    () => scene.edits.push((one) => (one.currencies = {})),
    "PARSE_LNURLP_RESPONSE_ERROR",
    "currencies is not a list",
  ],
  [
    "a callback inside",
    () => scene.edits.push((one) => (one.callback = "https://10.0.0.1/pay")),
    "PARSE_LNURLP_RESPONSE_ERROR",
    "callback is not a URL that may be called",
  ],
];

describe("refusals", () => {
  it.each(faults)("%s", async (_what, provoke, code, reason) => {
    provoke();
    expect(await ask()).toMatchObject({ kind: "refused", code, details: { reason } });
  });

  const pairs = faults.flatMap((first, index) =>
    faults.slice(index + 1).map((second) => [first[0], second[0], first, second] as const),
  );
  it.each(pairs)("%s is told before %s", async (_first, _second, first, second) => {
    first[1]();
    second[1]();
    expect(await ask()).toMatchObject({
      kind: "refused",
      code: first[2],
      details: { reason: first[3] },
    });
  });

  it("leave nothing accepted before the signature and the time hold", async () => {
    for (const [, provoke] of faults.slice(0, 6)) {
      scene = { edits: [] };
      provoke();
      await ask();
    }
    expect(accepted).toEqual([]);
  });

  it("tell whose keys have signed the answer, once the signature and the time hold", async () => {
    const signed: (string | undefined)[] = [];
    for (const [, provoke] of faults) {
      scene = { edits: [] };
      provoke();
      signed.push((await ask()).signer?.version);
    }
    expect(signed.slice(0, 6)).toEqual(Array(6).fill(undefined));
    expect(signed.slice(6)).toEqual(Array(faults.length - 6).fill("1.0"));
    scene = { edits: [] };
    expect((await ask()).signer).toMatchObject({ version: "1.0" });
  });

  it("of keys are told without a request", async () => {
    for (const [, provoke] of faults.slice(0, 2)) {
      provoke();
      await ask();
    }
    expect(calls).toEqual([]);
  });

  it("of a callback at another host depend on the policy", async () => {
    scene.edits.push((one) => (one.callback = "https://pay.other.example/1"));
    expect(await ask()).toMatchObject({ kind: "found" });
    scene.policy = { callbackHosts: "SAME_DOMAIN" };
    expect(await ask()).toMatchObject({ code: "PARSE_LNURLP_RESPONSE_ERROR" });
  });
});

const refusedBy = (code: string, reason = "No.") => ({ status: "ERROR", code, reason });

describe("a reply", () => {
  it.each<readonly [VaspReply, string, object]>([
    [{ kind: "failed", reason: "timeout" }, "LNURLP_REQUEST_FAILED", { reason: "timeout" }],
    [answer(302), "LNURLP_REQUEST_FAILED", { reason: "the host answered 302" }],
    [answer(429), "LNURLP_REQUEST_FAILED", { reason: "the host answered 429" }],
    [answer(500), "LNURLP_REQUEST_FAILED", { reason: "the host answered 500" }],
    [answer(503, refusedBy("X")), "LNURLP_REQUEST_FAILED", { reason: "the host answered 503" }],
    [answer(404), "UMA_NOT_FOUND", {}],
    [answer(404, refusedBy("USER_NOT_FOUND")), "UMA_NOT_FOUND", {}],
    [
      answer(403, refusedBy("USER_NOT_READY")),
      "USER_NOT_READY",
      { counterpartyCode: "USER_NOT_READY", counterpartyReason: "No." },
    ],
    [
      answer(403, refusedBy("VELOCITY_LIMIT_EXCEEDED", "")),
      "VELOCITY_LIMIT_EXCEEDED",
      { counterpartyCode: "VELOCITY_LIMIT_EXCEEDED" },
    ],
    [
      answer(403, refusedBy("COUNTERPARTY_NOT_ALLOWED")),
      "SENDER_NOT_ACCEPTED",
      { counterpartyCode: "COUNTERPARTY_NOT_ALLOWED", counterpartyReason: "No." },
    ],
    [
      answer(400, refusedBy("SENDER_NOT_ACCEPTED")),
      "SENDER_NOT_ACCEPTED",
      { counterpartyCode: "SENDER_NOT_ACCEPTED", counterpartyReason: "No." },
    ],
    [
      answer(400, refusedBy("INVALID_NONCE")),
      "LOOKUP_REQUEST_FAILED",
      {
        reason: "the host answered 400",
        counterpartyCode: "INVALID_NONCE",
        counterpartyReason: "No.",
      },
    ],
    [answer(401, "<html>"), "LOOKUP_REQUEST_FAILED", { reason: "the host answered 401" }],
    [
      answer(400, { code: 7, reason: ["a"] }),
      "LOOKUP_REQUEST_FAILED",
      { reason: "the host answered 400" },
    ],
    [
      answer(400, refusedBy("<b>", `a\u0000\u202eb\r\n${"c".repeat(300)}`)),
      "LOOKUP_REQUEST_FAILED",
      { reason: "the host answered 400", counterpartyReason: `a b ${"c".repeat(196)}` },
    ],
    [
      answer(400, refusedBy("X", `${"c".repeat(199)}\u{1f600}`)),
      "LOOKUP_REQUEST_FAILED",
      {
        reason: "the host answered 400",
        counterpartyCode: "X",
        counterpartyReason: "c".repeat(199),
      },
    ],
    [
      answer(412, { ...unsupportedVersion("1.0"), supportedMajorVersions: [0, 2] }),
      "NO_COMPATIBLE_UMA_VERSION",
      { reason: "the other side speaks the major versions 0, 2" },
    ],
    [answer(412, "{}"), "UNSUPPORTED_UMA_VERSION", { reason: "supportedMajorVersions is missing" }],
    [answer(412, "<html>"), "UNSUPPORTED_UMA_VERSION", { reason: "the body is not JSON" }],
  ])("%j leads to %s", async (reply, code, details) => {
    scene.reply = reply;
    expect(await ask()).toEqual({ kind: "refused", code, details });
    expect(accepted).toEqual([]);
  });

  const deep = `${'{"a":'.repeat(17)}1${"}".repeat(17)}`;
  it.each([
    ["", "the body is not JSON"],
    ["[]", "the body is not a JSON object"],
    ['{"status":"ERROR","reason":"No."}', "NOT_UMA"],
    ['{"callback":"https://vasp.example","tag":"payRequest"}', "NOT_UMA"],
    ['{"compliance":{}}', "umaVersion is missing"],
    ['{"compliance":7,"umaVersion":"1.0"}', "compliance is not an object"],
    ['{"umaVersion":"1.0","umaVersion":"1.0"}', "the body names a member twice"],
    [deep, "the body is nested more than 16 levels deep"],
    [`{"minSendable":${"9".repeat(100_000)}}`, "a number has more than 32 characters"],
  ])("with the body %.40s is not read", async (body, reason) => {
    scene.reply = answer(200, body);
    expect(await ask()).toEqual({
      kind: "refused",
      code: "PARSE_LNURLP_RESPONSE_ERROR",
      details: { reason },
    });
  });

  it.each([
    ["multiplier", "0"],
    ["multiplier", "-1"],
    ["multiplier", "1e400"],
    ["multiplier", "1e31"],
    ["multiplier", "1".repeat(31)],
    ["decimals", "30"],
    ["decimals", "-1"],
    ["decimals", "2.0"],
    ["name", '"a\\u202eb"'],
    ["code", '"a\\u0000"'],
  ])("with %s = %s of a currency is refused, though it is signed", async (name, digits) => {
    scene.edits.push((one) => (one.currencies[0][name] = "@"));
    const { body } = (await answered()) as Extract<VaspReply, { kind: "answer" }>;
    scene.reply = answer(
      200,
      body.replace('"@"', () => digits),
    );
    expect(await ask()).toMatchObject({ code: "PARSE_LNURLP_RESPONSE_ERROR" });
  });
});

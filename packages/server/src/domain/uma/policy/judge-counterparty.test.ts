import { describe, expect, it } from "vitest";
import { inOrder } from "../../../../test/kit/decided.ts";
import {
  type CounterpartyFacts,
  judgeCounterparty,
  type KeyFacts,
  permitsCallbackHost,
} from "./judge-counterparty.ts";
import type { UmaCounterparty } from "./uma-counterparty.ts";
import { DEFAULT_UMA_POLICY, type UmaPolicy } from "./uma-policy.ts";

const [ACCEPTED, OTHER] = ["a".repeat(64), "b".repeat(64)];

const seen: UmaCounterparty = {
  id: "019a4f00-0000-7000-8000-000000000081",
  domain: "vasp.example",
  status: "DEFAULT",
  overrides: {},
  name: null,
  versions: ["1.0"],
  keyFingerprint: ACCEPTED,
  keySince: 1,
  previousFingerprint: null,
  keyState: "OK",
  firstSeenAt: 1,
  lastSeenAt: 1,
  createdAt: 1,
  updatedAt: 1,
  deletedAt: null,
};

const goodKeys: KeyFacts = { fingerprint: ACCEPTED, namesDomain: true, isOfAuthority: true };

/** All that can speak against an exchange; a case changes some of it. */
interface Case {
  readonly policy?: Partial<UmaPolicy>;
  readonly counterparty?: Partial<UmaCounterparty> | null;
  readonly facts?: Partial<Omit<CounterpartyFacts, "keys">>;
  readonly keys?: Partial<KeyFacts> | null;
  readonly domain?: string;
}

function judged({ policy, counterparty, facts, keys, domain = "vasp.example" }: Case) {
  const fault = judgeCounterparty(
    {
      domain,
      ownDomains: ["bank.example", "pay.bank.example"],
      policy: { ...DEFAULT_UMA_POLICY, ...policy },
      counterparty: counterparty === null ? undefined : { ...seen, ...counterparty },
    },
    {
      direction: "IN",
      ...facts,
      ...(keys === null ? {} : { keys: { ...goodKeys, ...keys } }),
    },
  );
  return fault === undefined ? "taken" : `${fault.code} ${fault.reason}`;
}

describe("by the defaults", () => {
  it.each<readonly [string, Case]>([
    ["an institution that was seen before", {}],
    ["an unknown one, before its keys are fetched", { counterparty: null, keys: null }],
    ["one with raw keys", { keys: { namesDomain: false, isOfAuthority: false } }],
    ["one with another key than before", { keys: { fingerprint: OTHER } }],
    ["one that is not subject to the travel rule", { facts: { isSubjectToTravelRule: false } }],
    ["a payer who is not verified", { facts: { kycStatus: "NOT_VERIFIED" } }],
    ["a receiver who is not verified", { facts: { direction: "OUT", kycStatus: "UNKNOWN" } }],
  ])("takes %s", (_, given) => {
    expect(judged(given)).toBe("taken");
  });
});

/** A case in parts, so that cases can be merged. */
interface Parts {
  readonly domain?: string;
  readonly receive?: boolean;
  readonly status?: UmaCounterparty["status"];
  readonly listed?: true;
  readonly unregulated?: true;
  readonly unnamed?: true;
  readonly unauthorized?: true;
  readonly pinned?: true;
  readonly payer?: true;
}

function caseOf(parts: Parts): Case {
  const certificates = parts.unauthorized ? "AUTHORITY" : parts.unnamed ? "DOMAIN" : "ANY";
  return {
    domain: parts.domain ?? "vasp.example",
    policy: {
      receive: parts.receive ?? true,
      counterparties: parts.listed ? "LISTED" : "ALL",
      unregulated: parts.unregulated ? "REFUSE" : "ALLOW",
      certificates,
      pinKeys: parts.pinned ?? false,
      payerKyc: parts.payer ? "VERIFIED" : "ANY",
    },
    counterparty: { status: parts.status ?? "DEFAULT" },
    facts: { isSubjectToTravelRule: false, kycStatus: "PENDING" },
    keys: {
      fingerprint: parts.pinned ? OTHER : ACCEPTED,
      namesDomain: parts.unnamed === undefined,
      isOfAuthority: parts.unauthorized === undefined,
    },
  };
}

describe("refuses in this order", () => {
  const faults: readonly (readonly [string, Parts])[] = [
    ["COUNTERPARTY_NOT_ALLOWED OWN_DOMAIN", { domain: "pay.bank.example" }],
    ["COUNTERPARTY_NOT_ALLOWED RECEIVING_OFF", { receive: false }],
    ["COUNTERPARTY_NOT_ALLOWED BLOCKED", { status: "BLOCKED" }],
    ["COUNTERPARTY_NOT_ALLOWED NOT_LISTED", { listed: true }],
    ["COUNTERPARTY_NOT_ALLOWED UNREGULATED", { unregulated: true }],
    ["CERT_CHAIN_INVALID CERTIFICATE_OF_ANOTHER_DOMAIN", { unnamed: true }],
    ["CERT_CHAIN_INVALID CERTIFICATE_OF_ANOTHER_AUTHORITY", { unauthorized: true }],
    ["CERT_CHAIN_INVALID KEY_CHANGED", { pinned: true }],
    ["SENDER_NOT_ACCEPTED PAYER_NOT_VERIFIED", { payer: true }],
  ];
  it.each(inOrder(faults))("%s, %s", (expected, _, parts) => {
    expect(judged(caseOf(parts))).toBe(expected);
  });
});

describe("judges a message out", () => {
  it.each<readonly [string, Case]>([
    ["taken", { policy: { receive: false } }],
    ["COUNTERPARTY_NOT_ALLOWED SENDING_OFF", { policy: { send: false } }],
    ["COUNTERPARTY_NOT_ALLOWED BLOCKED", { counterparty: { status: "BLOCKED" } }],
    ["taken", { policy: { payerKyc: "VERIFIED" } }],
    ["COUNTERPARTY_NOT_ALLOWED RECEIVER_NOT_VERIFIED", { policy: { receiverKyc: "VERIFIED" } }],
  ])("%s (%#)", (expected, given) => {
    const facts = { direction: "OUT", kycStatus: "NOT_VERIFIED" } as const;
    expect(judged({ ...given, facts })).toBe(expected);
  });
});

describe("takes", () => {
  it.each<readonly [string, Case]>([
    [
      "a listed institution",
      { policy: { counterparties: "LISTED" }, counterparty: { status: "ALLOWED" } },
    ],
    [
      "a regulated one",
      { policy: { unregulated: "REFUSE" }, facts: { isSubjectToTravelRule: true } },
    ],
    ["one that has not said it yet", { policy: { unregulated: "REFUSE" } }],
    ["a certificate of the domain", { policy: { certificates: "DOMAIN" } }],
    ["a chain of an authority", { policy: { certificates: "AUTHORITY" } }],
    [
      "any keys before they are fetched",
      { policy: { certificates: "AUTHORITY", pinKeys: true }, keys: null },
    ],
    ["the pinned key", { policy: { pinKeys: true } }],
    [
      "the first key of a pinned institution",
      { policy: { pinKeys: true }, counterparty: { keyFingerprint: null, keySince: null } },
    ],
    ["the key of an unknown one", { policy: { pinKeys: true }, counterparty: null }],
    ["a verified payer", { policy: { payerKyc: "VERIFIED" }, facts: { kycStatus: "VERIFIED" } }],
  ])("%s", (_, given) => {
    expect(judged(given)).toBe("taken");
  });

  it("no changed key until it is accepted, and the accepted one meanwhile", () => {
    const counterparty = {
      keyFingerprint: OTHER,
      previousFingerprint: ACCEPTED,
      keyState: "CHANGED",
    } as const;
    const policy = { pinKeys: true };
    const refused = "CERT_CHAIN_INVALID KEY_CHANGED";
    expect(judged({ policy, counterparty, keys: { fingerprint: OTHER } })).toBe(refused);
    expect(judged({ policy, counterparty, keys: { fingerprint: ACCEPTED } })).toBe("taken");
    expect(judged({ counterparty, keys: { fingerprint: OTHER } })).toBe("taken");
  });
});

describe("a counterparty's overrides hold in place of the policy", () => {
  it.each<readonly [string, Case]>([
    [
      "taken",
      {
        policy: { unregulated: "REFUSE" },
        counterparty: { overrides: { unregulated: "ALLOW" } },
        facts: { isSubjectToTravelRule: false },
      },
    ],
    [
      "COUNTERPARTY_NOT_ALLOWED UNREGULATED",
      {
        counterparty: { overrides: { unregulated: "REFUSE" } },
        facts: { isSubjectToTravelRule: false },
      },
    ],
    [
      "taken",
      {
        policy: { certificates: "DOMAIN" },
        counterparty: { overrides: { certificates: "ANY" } },
        keys: { namesDomain: false },
      },
    ],
    [
      "CERT_CHAIN_INVALID CERTIFICATE_OF_ANOTHER_AUTHORITY",
      {
        counterparty: { overrides: { certificates: "AUTHORITY" } },
        keys: { isOfAuthority: false },
      },
    ],
    [
      "CERT_CHAIN_INVALID KEY_CHANGED",
      { counterparty: { overrides: { pinKeys: true } }, keys: { fingerprint: OTHER } },
    ],
    [
      "taken",
      {
        policy: { pinKeys: true },
        counterparty: { overrides: { pinKeys: false } },
        keys: { fingerprint: OTHER },
      },
    ],
  ])("%s (%#)", (expected, given) => {
    expect(judged(given)).toBe(expected);
  });
});

describe("the host of a callback", () => {
  it.each([
    ["ANY", "elsewhere.example", true],
    ["SAME_DOMAIN", "vasp.example", true],
    ["SAME_DOMAIN", "pay.vasp.example", true],
    ["SAME_DOMAIN", "xvasp.example", false],
    ["SAME_DOMAIN", "vasp.example.evil.example", false],
    ["SAME_DOMAIN", "example", false],
  ] as const)("under %s at %s: %s", (callbackHosts, host, expected) => {
    expect(permitsCallbackHost({ callbackHosts }, "vasp.example", host)).toBe(expected);
    expect(permitsCallbackHost({ callbackHosts }, "vasp.example:8443", host)).toBe(expected);
  });
});

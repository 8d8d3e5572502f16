import { describe, expect, it } from "vitest";
import {
  exchangeFailures,
  type Observation,
  type ObservedAnswer,
  type ProbedPath,
  routingFaults,
} from "./routing-faults.ts";
import type { JudgedProof } from "./routing-proof.ts";

const ALL: JudgedProof = { isOurs: true, host: true, path: true, query: true, scheme: true };
const NONE: JudgedProof = { isOurs: false, host: false, path: false, query: false, scheme: false };

const good: ObservedAnswer = {
  kind: "answer",
  status: 404,
  proof: ALL,
  isOfEarlier: false,
  ageSeconds: undefined,
  clockOffMs: 0,
};
const foreign: ObservedAnswer = { ...good, proof: NONE };

interface Seen {
  readonly first?: Observation;
  readonly again?: Observation;
  readonly lnurlp?: Observation;
  readonly lnurlpubkey?: Observation;
}

function faultsOf({ first = good, again = good, lnurlp = good, lnurlpubkey = good }: Seen) {
  const probes: { readonly path: ProbedPath; readonly observed: Observation }[] = [
    { path: "configuration", observed: first },
    { path: "configuration", observed: again },
    { path: "lnurlp", observed: lnurlp },
    { path: "lnurlpubkey", observed: lnurlpubkey },
  ];
  return routingFaults({ domain: "bank.example", probes });
}

const codesOf = (seen: Seen) => faultsOf(seen).map(({ code }) => code);
const everywhere = (one: Observation): Seen => ({
  first: one,
  again: one,
  lnurlp: one,
  lnurlpubkey: one,
});
const proven = (change: Partial<JudgedProof>): ObservedAnswer => ({
  ...good,
  proof: { ...ALL, ...change },
});

describe("the routing of a UMA domain", () => {
  it("is in order when every answer proves itself, whatever its status", () => {
    expect(codesOf({})).toEqual([]);
    expect(codesOf(everywhere({ ...good, status: 200, clockOffMs: 30_900 }))).toEqual([]);
  });

  it.each(exchangeFailures)("has the fault %s when no answer came", (failure) => {
    const observed = { kind: "failure", failure } as const;
    const probes = [{ path: "configuration", observed }] as const;
    const faults = routingFaults({ domain: "bank.example", probes });
    expect(faults.map(({ code }) => code)).toEqual([failure]);
  });

  const cases: readonly (readonly [what: string, seen: Seen, codes: readonly string[]])[] = [
    ["another server on all paths", everywhere(foreign), ["OTHER_SERVER"]],
    ["another server that answers 200", everywhere({ ...foreign, status: 200 }), ["OTHER_SERVER"]],
    ["a redirect on all paths", everywhere({ ...foreign, status: 301 }), ["REDIRECT"]],
    ["a redirect of ours", { lnurlp: { ...good, status: 308 } }, ["REDIRECT"]],
    ["lookups that go elsewhere", { lnurlp: foreign }, ["LNURLP_NOT_ROUTED"]],
    ["keys that come from elsewhere", { lnurlpubkey: foreign }, ["LNURLPUBKEY_NOT_ROUTED"]],
    [
      "a configuration from elsewhere",
      { first: foreign, again: foreign },
      ["CONFIGURATION_NOT_ROUTED"],
    ],
    [
      "lookups and keys that go elsewhere",
      { lnurlp: foreign, lnurlpubkey: foreign },
      ["LNURLP_NOT_ROUTED", "LNURLPUBKEY_NOT_ROUTED"],
    ],
    ["another host", everywhere(proven({ host: false })), ["HOST_NOT_PASSED_ON"]],
    ["a decoded path", { lnurlp: proven({ path: false }) }, ["PATH_CHANGED"]],
    ["a cut query", { lnurlp: proven({ query: false }) }, ["QUERY_CHANGED"]],
    ["a mark of http", everywhere(proven({ scheme: false })), ["MARKED_AS_HTTP"]],
    [
      "a cache that ignores the query",
      { again: { ...foreign, isOfEarlier: true } },
      ["ANSWER_CACHED"],
    ],
    ["an answer of some age", { again: { ...good, ageSeconds: 3 } }, ["ANSWER_CACHED"]],
    ["an old answer of a cache", everywhere({ ...foreign, ageSeconds: 9 }), ["ANSWER_CACHED"]],
    ["an age of zero", { again: { ...good, ageSeconds: 0 } }, []],
    ["a clock that is ahead", everywhere({ ...good, clockOffMs: 45_000 }), ["CLOCK_OFF"]],
    ["a clock that is behind", everywhere({ ...good, clockOffMs: -45_000 }), ["CLOCK_OFF"]],
    ["no date", everywhere({ ...good, clockOffMs: undefined }), []],
    [
      "several at once, in their order",
      {
        first: { ...proven({ host: false }), clockOffMs: 60_000 },
        lnurlp: proven({ query: false, path: false }),
        lnurlpubkey: { kind: "failure", failure: "NO_ANSWER" },
      },
      ["NO_ANSWER", "HOST_NOT_PASSED_ON", "PATH_CHANGED", "QUERY_CHANGED", "CLOCK_OFF"],
    ],
  ];
  it.each(cases)("with %s", (_, seen, codes) => {
    expect(codesOf(seen)).toEqual(codes);
  });

  it("has one sentence for each fault, which names the domain or what to change", () => {
    const seen = {
      ...everywhere({ ...proven({ host: false, scheme: false }), clockOffMs: -61_000 }),
      lnurlp: proven({ query: false, path: false }),
    };
    expect(faultsOf(seen).map(({ message }) => message)).toEqual([
      "The proxy does not pass the host on: this deployment received another one than bank.example.",
      "The proxy decodes or changes the path of https://bank.example/.well-known/lnurlp/….",
      "The proxy cuts or changes the query of https://bank.example/.well-known/lnurlp/….",
      "The proxy marks the request with X-Forwarded-Proto: http, so it is refused.",
      "The clock of the server that answers for bank.example is 61 s behind the clock of this one.",
    ]);
  });
});

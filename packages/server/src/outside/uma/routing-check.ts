/**
 * Checks the routing of a UMA domain from outside: over the name servers, TLS and the proxies that the requests of other institutions take.
 *
 * Steps: the configuration with a challenge → when there is an answer, side by side: the configuration with another challenge, a lookup of a
 * user that cannot exist, the key document. Bounds: four requests, one deadline of each, 64 kB of body, as much as others read of the keys. Nothing is stored here.
 */
import { randomBytes } from "node:crypto";
import type { RoutingChecks } from "../../domain/uma/domains/routing-check.port.ts";
import {
  type ExchangeFailure,
  type Observation,
  type ProbedPath,
  routingFaults,
} from "../../domain/uma/domains/routing-faults.ts";
import {
  CHALLENGE_BYTES,
  CHALLENGE_HEADER,
  PROOF_HEADER,
  type ReceivedRequest,
  type RoutingProofs,
  SEEN_HEADER,
} from "../../domain/uma/domains/routing-proof.ts";
import type { Clock } from "../../std/clock.ts";
import { Fault } from "../../std/errors.ts";
import { judgeAddress } from "../outbound-http/address-guard.ts";
import type { AllowedHosts } from "../outbound-http/allowed-hosts.ts";
import type { OutboundAnswer, OutboundClient } from "../outbound-http/outbound-client.ts";
import { OutboundFailed, OutboundRefused } from "../outbound-http/outbound-errors.ts";
import type { UmaHosts } from "./uma-hosts.ts";

export interface RoutingCheckTools {
  readonly outbound: OutboundClient;
  readonly hosts: UmaHosts;
  readonly proofs: RoutingProofs;
  readonly clock: Clock;
  /** The addresses of this machine: its proxy may be on it. */
  readonly ownAddresses: () => readonly string[];
}

const DEADLINE_MS = 7_000;
const ANSWER_BYTES = 65_536;

/** Escapes that a proxy which decodes the path would change. No customer can have such an address. */
const LOOKUP_PATH = "/.well-known/lnurlp/%24florin%2Dcheck%2Bprobe";
/** As long as the query of a lookup, with characters that are escaped in it. */
const LOOKUP_QUERY = `isSubjectToTravelRule=true&vaspDomain=probe.example&probe=%2B%26%3D%20${"a".repeat(600)}&end=1`;

const TARGETS: Readonly<Record<ProbedPath, { readonly path: string; readonly more: string }>> = {
  configuration: { path: "/.well-known/uma-configuration", more: "" },
  lnurlp: { path: LOOKUP_PATH, more: `&${LOOKUP_QUERY}` },
  lnurlpubkey: { path: "/.well-known/lnurlpubkey", more: "" },
};

export function createRoutingChecks(tools: RoutingCheckTools): RoutingChecks {
  return {
    async check(domain) {
      const ask = (path: ProbedPath, challenge: string, earlier?: string) =>
        observe(tools, { domain, path, challenge, earlier });
      const first = newChallenge();
      const observed = await ask("configuration", first);
      const begun = { path: "configuration", observed } as const;
      if (observed.kind === "failure") return routingFaults({ domain, probes: [begun] });
      const rest = await Promise.all([
        ask("configuration", newChallenge(), first),
        ask("lnurlp", newChallenge()),
        ask("lnurlpubkey", newChallenge()),
      ]);
      const [again, lnurlp, lnurlpubkey] = rest;
      const probes = [
        begun,
        { path: "configuration", observed: again },
        { path: "lnurlp", observed: lnurlp },
        { path: "lnurlpubkey", observed: lnurlpubkey },
      ] as const;
      return routingFaults({ domain, probes });
    },
  };
}

function newChallenge(): string {
  return randomBytes(CHALLENGE_BYTES).toString("base64url");
}

interface Probe {
  readonly domain: string;
  readonly path: ProbedPath;
  readonly challenge: string;
  readonly earlier: string | undefined;
}

async function observe(tools: RoutingCheckTools, probe: Probe): Promise<Observation> {
  const { outbound, hosts, clock, ownAddresses } = tools;
  const { domain, challenge } = probe;
  const { path, more } = TARGETS[probe.path];
  const query = `challenge=${challenge}${more}`;
  const call = hosts.callOf(`https://${domain}${path}?${query}`);
  try {
    const answer = await outbound.get({
      allowed: ownPublic(ownAddresses),
      ...call,
      headers: { ...call.headers, [CHALLENGE_HEADER]: challenge, "cache-control": "no-cache" },
      deadlineMs: DEADLINE_MS,
      maxAnswerBytes: ANSWER_BYTES,
      allowLoopback: false,
      owner: "uma routing checks",
    });
    const sent = { host: domain, path, query, isMarkedHttp: false };
    return observedAnswer(tools, { answer, sent, probe, arrivedAt: clock.now() });
  } catch (error) {
    return { kind: "failure", failure: failureOf(error) };
  }
}

/** A public address of this machine may be the target: its proxy listens there, and others reach it there. */
function ownPublic(ownAddresses: () => readonly string[]): AllowedHosts {
  return {
    namesHost: () => false,
    hasAddress: (address, port) =>
      port === 443 && judgeAddress(address).kind === "public" && ownAddresses().includes(address),
  };
}

interface Answered {
  readonly answer: OutboundAnswer;
  readonly sent: ReceivedRequest;
  readonly probe: Probe;
  readonly arrivedAt: number;
}

function observedAnswer(
  { proofs }: RoutingCheckTools,
  { answer: { status, headers }, sent, probe, arrivedAt }: Answered,
): Observation {
  const { challenge, earlier } = probe;
  const given = headersOf(headers);
  const date = Date.parse(headers.date ?? "");
  const age = headers.age ?? "";
  return {
    kind: "answer",
    status,
    proof: proofs.judge(challenge, sent, given),
    isOfEarlier: earlier !== undefined && proofs.judge(earlier, sent, given).isOurs,
    ageSeconds: /^\d{1,9}$/.test(age) ? Number(age) : undefined,
    clockOffMs: Number.isNaN(date) ? undefined : date - arrivedAt,
  };
}

function headersOf(headers: OutboundAnswer["headers"]) {
  return { proof: headers[PROOF_HEADER] ?? "", seen: headers[SEEN_HEADER] ?? "" };
}

function failureOf(error: unknown): ExchangeFailure {
  if (error instanceof OutboundRefused) return "ADDRESS_NOT_PUBLIC";
  if (!(error instanceof OutboundFailed)) throw error;
  switch (error.reason) {
    case "dns":
      return "NO_ADDRESS";
    case "connect":
      return "NO_CONNECTION";
    case "tls":
      return certificateFailure(error.cause);
    case "closed":
      throw new Fault("the server is stopping", { cause: error });
    case "timeout":
    case "reset":
    case "protocol":
    case "too-large":
      return "NO_ANSWER";
  }
}

const DATES = new Set(["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"]);
const NAMES = new Set(["ERR_TLS_CERT_ALTNAME_INVALID", "HOSTNAME_MISMATCH"]);
/** The codes of OpenSSL for a chain that does not end at a known authority, or is not one. */
const CHAIN =
  /SELF_SIGNED|UNABLE_TO_|INVALID_CA|CERT_CHAIN|CERT_UNTRUSTED|PATH_LENGTH|INVALID_PURPOSE|CERT_SIGNATURE/;

function certificateFailure(cause: unknown): ExchangeFailure {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (DATES.has(code)) return "CERTIFICATE_EXPIRED";
  if (NAMES.has(code)) return "CERTIFICATE_OF_ANOTHER_NAME";
  return CHAIN.test(code) ? "CERTIFICATE_CHAIN" : "TLS_FAILED";
}

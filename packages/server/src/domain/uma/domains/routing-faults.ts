/** What is wrong with the routing of a UMA domain, from what a check observed. */
import type { JudgedProof } from "./routing-proof.ts";

export const routingFaultCodes = [
  "NO_ADDRESS",
  "ADDRESS_NOT_PUBLIC",
  "NO_CONNECTION",
  "CERTIFICATE_EXPIRED",
  "CERTIFICATE_OF_ANOTHER_NAME",
  "CERTIFICATE_CHAIN",
  "TLS_FAILED",
  "NO_ANSWER",
  "REDIRECT",
  "OTHER_SERVER",
  "CONFIGURATION_NOT_ROUTED",
  "LNURLP_NOT_ROUTED",
  "LNURLPUBKEY_NOT_ROUTED",
  "HOST_NOT_PASSED_ON",
  "PATH_CHANGED",
  "QUERY_CHANGED",
  "MARKED_AS_HTTP",
  "ANSWER_CACHED",
  "CLOCK_OFF",
] as const;

export type RoutingFaultCode = (typeof routingFaultCodes)[number];

export type RoutingFault = { readonly code: RoutingFaultCode; readonly message: string };

export const probedPaths = ["configuration", "lnurlp", "lnurlpubkey"] as const;
export type ProbedPath = (typeof probedPaths)[number];

/** Why a request got no answer. */
export const exchangeFailures = [
  "NO_ADDRESS",
  "ADDRESS_NOT_PUBLIC",
  "NO_CONNECTION",
  "CERTIFICATE_EXPIRED",
  "CERTIFICATE_OF_ANOTHER_NAME",
  "CERTIFICATE_CHAIN",
  "TLS_FAILED",
  "NO_ANSWER",
] as const;
export type ExchangeFailure = (typeof exchangeFailures)[number];

export interface ObservedAnswer {
  readonly kind: "answer";
  readonly status: number;
  readonly proof: JudgedProof;
  /** Whether the answer has the proof of an earlier challenge of the same check. */
  readonly isOfEarlier: boolean;
  /** The value of `Age`; undefined without the header. */
  readonly ageSeconds: number | undefined;
  /** The answer's `Date` less the time at which it arrived here; undefined without the header. */
  readonly clockOffMs: number | undefined;
}

export type Observation =
  | ObservedAnswer
  | { readonly kind: "failure"; readonly failure: ExchangeFailure };

export interface RoutingObservations {
  readonly domain: string;
  /** The configuration is asked for twice, so that a cache shows itself. The others are missing where the first request failed. */
  readonly probes: readonly { readonly path: ProbedPath; readonly observed: Observation }[];
}

export const MOST_CLOCK_OFF_MS = 30_000;
/** `Date` has whole seconds. */
const DATE_UNIT_MS = 1_000;

const NOT_ROUTED = {
  configuration: "CONFIGURATION_NOT_ROUTED",
  lnurlp: "LNURLP_NOT_ROUTED",
  lnurlpubkey: "LNURLPUBKEY_NOT_ROUTED",
} as const;

/** Each fault once, in the order of the codes. Empty when the routing is in order. */
export function routingFaults({ domain, probes }: RoutingObservations): readonly RoutingFault[] {
  const isNowhere = probes.every(({ observed }) => isForeign(observed));
  const found = new Map<RoutingFaultCode, RoutingFault>();
  for (const { path, observed } of probes) {
    for (const code of codesOf(path, observed, isNowhere)) {
      if (!found.has(code))
        found.set(code, { code, message: sentence(code, { domain, path, observed }) });
    }
  }
  return routingFaultCodes.flatMap((code) => found.get(code) ?? []);
}

/** An answer that this deployment did not make, and that neither redirects nor comes from a cache. */
function isForeign(observed: Observation): boolean {
  return (
    observed.kind === "answer" &&
    !observed.proof.isOurs &&
    !isRedirect(observed) &&
    !isCached(observed)
  );
}

function isRedirect({ status }: ObservedAnswer): boolean {
  return status >= 300 && status < 400;
}

function isCached({ isOfEarlier, ageSeconds = 0 }: ObservedAnswer): boolean {
  return isOfEarlier || ageSeconds > 0;
}

function codesOf(
  path: ProbedPath,
  observed: Observation,
  isNowhere: boolean,
): readonly RoutingFaultCode[] {
  if (observed.kind === "failure") return [observed.failure];
  if (isRedirect(observed)) return ["REDIRECT"];
  const { proof, clockOffMs = 0 } = observed;
  if (!proof.isOurs) {
    if (isCached(observed)) return ["ANSWER_CACHED"];
    return [isNowhere ? "OTHER_SERVER" : NOT_ROUTED[path]];
  }
  const faults: readonly (readonly [RoutingFaultCode, boolean])[] = [
    ["HOST_NOT_PASSED_ON", !proof.host],
    ["PATH_CHANGED", !proof.path],
    ["QUERY_CHANGED", !proof.query],
    ["MARKED_AS_HTTP", !proof.scheme],
    ["ANSWER_CACHED", isCached(observed)],
    ["CLOCK_OFF", Math.abs(clockOffMs) > MOST_CLOCK_OFF_MS + DATE_UNIT_MS],
  ];
  return faults.filter(([, isThere]) => isThere).map(([code]) => code);
}

interface Scene {
  readonly domain: string;
  readonly path: ProbedPath;
  readonly observed: Observation;
}

const SHOWN_PATHS: Readonly<Record<ProbedPath, string>> = {
  configuration: "/.well-known/uma-configuration",
  lnurlp: "/.well-known/lnurlp/…",
  lnurlpubkey: "/.well-known/lnurlpubkey",
};

const SENTENCES: Readonly<Record<RoutingFaultCode, (scene: Scene) => string>> = {
  NO_ADDRESS: ({ domain }) => `The name servers know no address for ${domain}.`,
  ADDRESS_NOT_PUBLIC: ({ domain }) =>
    `${domain} has an address that is not public, so other institutions cannot reach it.`,
  NO_CONNECTION: ({ domain }) => `Nothing accepts connections for ${domain} on port 443.`,
  CERTIFICATE_EXPIRED: ({ domain }) => `The certificate of ${domain} is outside its dates.`,
  CERTIFICATE_OF_ANOTHER_NAME: ({ domain }) =>
    `The certificate that is shown for ${domain} names other hosts.`,
  CERTIFICATE_CHAIN: ({ domain }) =>
    `The certificate of ${domain} does not lead to a known authority: an intermediate certificate is missing, or it signs itself.`,
  TLS_FAILED: ({ domain }) => `The TLS handshake with ${domain} failed.`,
  NO_ANSWER: ({ domain, path }) =>
    `https://${domain}${SHOWN_PATHS[path]} did not answer completely within the time of the check.`,
  REDIRECT: ({ domain, path }) =>
    `https://${domain}${SHOWN_PATHS[path]} answers with a redirect, which many institutions do not follow: pass the request on instead.`,
  OTHER_SERVER: ({ domain }) => `Another server than this deployment answers for ${domain}.`,
  CONFIGURATION_NOT_ROUTED: notRouted,
  LNURLP_NOT_ROUTED: notRouted,
  LNURLPUBKEY_NOT_ROUTED: notRouted,
  HOST_NOT_PASSED_ON: ({ domain }) =>
    `The proxy does not pass the host on: this deployment received another one than ${domain}.`,
  PATH_CHANGED: ({ domain, path }) =>
    `The proxy decodes or changes the path of https://${domain}${SHOWN_PATHS[path]}.`,
  QUERY_CHANGED: ({ domain, path }) =>
    `The proxy cuts or changes the query of https://${domain}${SHOWN_PATHS[path]}.`,
  MARKED_AS_HTTP: () =>
    "The proxy marks the request with X-Forwarded-Proto: http, so it is refused.",
  ANSWER_CACHED: ({ domain, path }) =>
    `The answer of https://${domain}${SHOWN_PATHS[path]} comes from a cache: no cache may keep these paths.`,
  CLOCK_OFF: ({ domain, observed }) =>
    `The clock of the server that answers for ${domain} is ${secondsOff(observed)} s ${isAhead(observed) ? "ahead of" : "behind"} the clock of this one.`,
};

function notRouted({ domain, path }: Scene): string {
  return `https://${domain}${SHOWN_PATHS[path]} is not routed to this deployment.`;
}

function clockOffMsOf(observed: Observation): number {
  return observed.kind === "answer" ? (observed.clockOffMs ?? 0) : 0;
}

function secondsOff(observed: Observation): number {
  return Math.round(Math.abs(clockOffMsOf(observed)) / 1_000);
}

function isAhead(observed: Observation): boolean {
  return clockOffMsOf(observed) > 0;
}

function sentence(code: RoutingFaultCode, scene: Scene): string {
  return SENTENCES[code](scene);
}

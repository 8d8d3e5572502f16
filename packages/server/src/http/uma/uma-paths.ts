/**
 * The public paths of UMA, at the root of each served domain. They are outside the API: without a version segment, without credentials, with
 * the errors of LNURL.
 *
 * The host names the platform. A host that is not served is answered like an unknown user, with the same bytes. An answer to a challenge
 * carries the proof of routing whether the host is served or not: a domain is checked before it is served.
 */
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  CHALLENGE_HEADER,
  isChallenge,
  PROOF_HEADER,
  type RoutingProofs,
  SEEN_HEADER,
} from "../../domain/uma/domains/routing-proof.ts";
import type { ServedDomain } from "../../domain/uma/domains/served-domain.sql.ts";
import { addressKey } from "../auth/address-key.ts";
import type { CallerAddress } from "../server/caller-address.ts";
import type { GuestLimiter } from "../server/guest-limiter.ts";
import { type RoutedPath, toRouterPath } from "../server/paths.ts";
import { closedPolicy, jsonContentType } from "../server/send.ts";
import type { Unrouted } from "../server/unrouted.ts";
import { type BodyLimits, bodyOf, refuseCompressed, refuseOtherContent } from "../upload/body.ts";
import type { ServedHosts } from "./served-hosts.ts";
import type { TokenMessage } from "./token-message.ts";
import { type UmaAnswer, umaError, unknownUser } from "./uma-answer.ts";
import { type HostedRequest, type IsTrustedProxy, receivedRequest } from "./uma-request.ts";

export interface UmaRequest extends HostedRequest {
  readonly served: ServedDomain;
  /** Whom the request counts for in rate limits. */
  readonly caller: string;
  /** Whether another sandbox of the deployment asks. */
  readonly isAmongSandboxes: boolean;
}

export type UmaHandler = (request: UmaRequest) => Promise<UmaAnswer>;

/** Requests of sandboxes of the deployment to each other. */
export interface SandboxRequests {
  /** Whether this deployment has made the request. `host` is the one that it names. */
  isPassed(request: IncomingMessage, host: string | undefined): boolean;
  /** The sandbox that has the domain and takes such requests. */
  find(host: string): Promise<ServedDomain | undefined>;
}

export type TokenHandler = (received: TokenMessage) => Promise<UmaAnswer>;

export interface UmaPaths {
  readonly hosts: ServedHosts;
  readonly sandboxes: SandboxRequests;
  readonly proofs: RoutingProofs;
  /** Lookups of users and the keys of platforms. A path without a handler answers like one of an unknown user. */
  readonly handlers: {
    readonly lnurlp?: UmaHandler;
    readonly lnurlpubkey?: UmaHandler;
    /** Requests to pay, and what is told of payments. */
    readonly pay?: TokenHandler;
    readonly hook?: TokenHandler;
  };
}

interface Surroundings {
  readonly bodyLimits: BodyLimits;
  readonly unrouted: Unrouted;
  readonly guests: GuestLimiter;
  readonly isTrustedProxy: IsTrustedProxy;
  readonly addressOf: CallerAddress;
}

interface UmaPath {
  readonly path: string;
  readonly headers?: readonly string[];
  readonly handle: UmaHandler | undefined;
}

const CONFIGURATION = "/.well-known/uma-configuration";
const LNURLP = "/.well-known/lnurlp/{user}";
const LNURLPUBKEY = "/.well-known/lnurlpubkey";

const KIB = 1_024;
const PAY = { path: "/uma/pay/{token}", bytes: 256 * KIB };
/** A hundred channels at the most. */
const HOOK = { path: "/uma/utxos/{token}", bytes: 64 * KIB };

/** The paths, for the list of what each path takes. */
export const umaRoutedPaths: readonly RoutedPath[] = [
  ...[CONFIGURATION, LNURLP, LNURLPUBKEY].map(
    (path): RoutedPath => ({ path, methods: ["GET", "HEAD"] }),
  ),
  ...[PAY, HOOK].map(({ path }): RoutedPath => ({ path, methods: ["POST"] })),
];

const notByHttp = umaError(403, "FORBIDDEN", "These paths are served over https alone.");

export function addUmaPaths(app: FastifyInstance, uma: UmaPaths, around: Surroundings): void {
  const { lnurlp, lnurlpubkey, pay, hook } = uma.handlers;
  if (pay !== undefined) addTokenPath(app, { ...PAY, handle: pay }, { uma, around });
  if (hook !== undefined) addTokenPath(app, { ...HOOK, handle: hook }, { uma, around });
  add(app, { path: CONFIGURATION, headers: ANY_ORIGIN, handle: configuration }, { uma, around });
  add(app, { path: LNURLP, handle: lnurlp }, { uma, around });
  add(app, { path: LNURLPUBKEY, handle: lnurlpubkey }, { uma, around });
}

const ANY_ORIGIN = ["Access-Control-Allow-Origin", "*"];
const FIVE_MINUTES = "public, max-age=300";

async function configuration({ served: { name } }: UmaRequest): Promise<UmaAnswer> {
  return {
    status: 200,
    body: JSON.stringify({ name, uma_major_versions: [1] }),
    cacheControl: FIVE_MINUTES,
  };
}

function add(
  app: FastifyInstance,
  { path, headers = [], handle }: UmaPath,
  { uma, around }: { readonly uma: UmaPaths; readonly around: Surroundings },
): void {
  const { unrouted, guests, isTrustedProxy, addressOf } = around;
  app.route({
    method: ["GET", "HEAD"],
    url: toRouterPath(path),
    handler(request: FastifyRequest, reply: FastifyReply) {
      reply.hijack();
      const received = receivedRequest(request.raw, isTrustedProxy);
      const isAmongSandboxes = uma.sandboxes.isPassed(request.raw, received.host);
      const refused = isAmongSandboxes ? undefined : guests.admit(request.raw);
      if (refused !== undefined) {
        unrouted.refuse({ request, reply }, refused);
        return;
      }
      const challenge = challengeIn(received.query) ?? headerIn(request);
      const proof = challenge === undefined ? undefined : uma.proofs.make(challenge, received);
      const proven =
        proof === undefined ? [] : [PROOF_HEADER, proof.proof, SEEN_HEADER, proof.seen];
      const caller = addressKey(addressOf(request.raw));
      answerOf({ ...received, caller, isAmongSandboxes }, handle, uma).then(
        (answer) => {
          if (answer.isHeld === true) return;
          const { status, body, cacheControl } = answer;
          unrouted.show(
            { request, reply },
            {
              status,
              body,
              contentType: jsonContentType,
              contentPolicy: closedPolicy,
              headers: [...headers, ...proven, ...headersOf(answer)],
              cacheControl: proof === undefined ? (cacheControl ?? "no-store") : "no-store",
            },
          );
        },
        (thrown: unknown) => unrouted.fail({ request, reply }, thrown),
      );
    },
  });
}

function headersOf({ retryAfterSeconds, location }: UmaAnswer): readonly string[] {
  return [
    ...(retryAfterSeconds === undefined ? [] : ["Retry-After", String(retryAfterSeconds)]),
    ...(location === undefined ? [] : ["Location", location]),
  ];
}

async function answerOf(
  received: Omit<UmaRequest, "served">,
  handle: UmaHandler | undefined,
  { hosts, sandboxes }: UmaPaths,
): Promise<UmaAnswer> {
  const { host, isMarkedHttp, isAmongSandboxes } = received;
  if (isMarkedHttp) return notByHttp;
  const source = isAmongSandboxes ? sandboxes : hosts;
  const served = host === undefined ? undefined : await source.find(host);
  if (served === undefined || handle === undefined) return unknownUser;
  return handle({ ...received, served });
}

function challengeIn(query: string): string | undefined {
  const found = /(?:^|&)challenge=([^&]*)/.exec(query)?.[1];
  return isChallenge(found) ? found : undefined;
}

function headerIn({ raw }: FastifyRequest): string | undefined {
  const given = raw.headers[CHALLENGE_HEADER];
  return isChallenge(given) ? given : undefined;
}

/** The type may be absent: some institutions send none. */
function refuseOtherMessage(headers: IncomingMessage["headers"]): void {
  if (headers["content-type"] === undefined) refuseCompressed(headers);
  else refuseOtherContent(headers);
}

/** The key under which the bodies of institutions share memory. */
const INSTITUTIONS = "uma";

function addTokenPath(
  app: FastifyInstance,
  {
    path,
    bytes,
    handle,
  }: { readonly path: string; readonly bytes: number; readonly handle: TokenHandler },
  { uma, around }: { readonly uma: UmaPaths; readonly around: Surroundings },
): void {
  const { unrouted, guests, isTrustedProxy, addressOf, bodyLimits } = around;
  const limits = { ...bodyLimits, bytes };
  async function answer(request: FastifyRequest, isAmongSandboxes: boolean): Promise<UmaAnswer> {
    if (receivedRequest(request.raw, isTrustedProxy).isMarkedHttp) return notByHttp;
    refuseOtherMessage(request.raw.headers);
    const { token } = request.params as { readonly token: string };
    const body = await bodyOf(request.raw, limits, INSTITUTIONS);
    return handle({ token, body, caller: addressKey(addressOf(request.raw)), isAmongSandboxes });
  }
  app.route({
    method: "POST",
    url: toRouterPath(path),
    handler(request: FastifyRequest, reply: FastifyReply) {
      reply.hijack();
      const { host } = receivedRequest(request.raw, isTrustedProxy);
      const isAmongSandboxes = uma.sandboxes.isPassed(request.raw, host);
      const refused = isAmongSandboxes ? undefined : guests.admit(request.raw);
      if (refused !== undefined) {
        unrouted.refuse({ request, reply }, refused);
        return;
      }
      answer(request, isAmongSandboxes).then(
        (answered) => {
          if (answered.isHeld === true) return;
          const { status, body } = answered;
          unrouted.show(
            { request, reply },
            {
              status,
              body,
              contentType: jsonContentType,
              contentPolicy: closedPolicy,
              headers: headersOf(answered),
              cacheControl: "no-store",
            },
          );
        },
        (thrown: unknown) => unrouted.fail({ request, reply }, thrown),
      );
    },
  });
}

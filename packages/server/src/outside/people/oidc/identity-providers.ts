/**
 * Sign-in of people at an OpenID issuer, with `openid-client`: authorization code, PKCE, `state`, `nonce`, and the signature of the ID
 * token. Every call to an issuer goes through the guarded client.
 *
 * The configuration of an issuer must name the issuer exactly. The discovery of the library is not used, because it makes exceptions for
 * some hosts. Bounds: 5 s and 256 kB for an answer, configurations of 1,000 issuers with their keys, fetched again after 5 minutes;
 * one fetch at a time for an issuer, and 5 s after a failure before the next. Nothing is stored: a process that dies forgets them.
 */
import * as client from "openid-client";
import type {
  BegunSignIn,
  FailedSignIn,
  FinishedSignIn,
  IdentityProviders,
  ProvenIdentity,
  SignInAtIssuer,
} from "../../../domain/people/single-sign-on/identity-provider.port.ts";
import { clientSecretIdentity } from "../../../domain/people/single-sign-on/sso-issuer.ts";
import type { Sealer } from "../../../secrets/sealing.ts";
import { type Clock, systemClock } from "../../../std/clock.ts";
import { messageOf } from "../../../std/errors.ts";
import type { Log } from "../../../std/log.ts";
import type { OutboundClient } from "../../outbound-http/outbound-client.ts";
import { OutboundFailed, OutboundRefused } from "../../outbound-http/outbound-errors.ts";
import { checkOutboundUrl } from "../../outbound-http/outbound-url.ts";
import { LONGEST_SUBJECT, soundText } from "./id-token.ts";
import { getConfiguration, type IssuerDocument } from "./issuer-documents.ts";

export interface IdentityProviderOptions {
  readonly outbound: OutboundClient;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly log: Log;
  readonly allowLoopback: boolean;
}

const FRESH_MS = 5 * 60_000;
const FAILURE_PAUSE_MS = 5_000;
const MOST_KEPT = 1_000;
const DEADLINE_MS = 5_000;
const MAX_ANSWER_BYTES = 262_144;
/** How old the authentication of a fresh sign-in may be when the browser comes back. */
const FRESH_SECONDS = 300;
/** The accepted algorithms, all asymmetric. Others that an issuer supports are ignored. */
const ALGORITHMS: readonly string[] = [
  "RS256",
  "PS256",
  "ES256",
  "ES384",
  "RS384",
  "RS512",
  "EdDSA",
  "Ed25519",
];
const SCOPE = "openid email profile";
const LONGEST_EMAIL = 254;
const LONGEST_NAME = 255;

interface Known {
  metadata?: client.ServerMetadata;
  fetchedAt?: number;
  failedAt?: number;
  underWay?: Promise<client.ServerMetadata | undefined> | undefined;
  keys?: ReturnType<typeof client.getJwksCache>;
}

export function createIdentityProviders(options: IdentityProviderOptions): IdentityProviders {
  const { log } = options;
  const known = new Map<string, Known>();
  const tools = { ...options, fetch: guardedFetch(options) };

  function entryOf(issuer: string): Known {
    const entry = known.get(issuer) ?? {};
    known.delete(issuer);
    if (known.size >= MOST_KEPT) known.delete(known.keys().next().value ?? "");
    known.set(issuer, entry);
    return entry;
  }

  async function configured(signIn: SignInAtIssuer) {
    const entry = entryOf(signIn.issuer.issuer);
    const metadata = await currentMetadata(entry, signIn.issuer.issuer, tools);
    return metadata && { entry, config: configurationOf(metadata, { signIn, entry }, tools) };
  }

  return {
    async begin({ redirectUri, isFresh, ...signIn }): Promise<BegunSignIn> {
      const made = await configured(signIn);
      if (made === undefined) return { kind: "failed", reason: "UNREACHABLE" };
      const { state, nonce, verifier } = signIn.binding;
      const url = client.buildAuthorizationUrl(made.config, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        ...(isFresh ? { max_age: "0" } : {}),
      });
      return { kind: "begun", url: url.href };
    },

    async finish({ returned, isFresh, ...signIn }): Promise<FinishedSignIn> {
      const made = await configured(signIn);
      if (made === undefined) return { kind: "failed", reason: "UNREACHABLE" };
      const { entry, config } = made;
      try {
        const { state, nonce, verifier } = signIn.binding;
        const tokens = await client.authorizationCodeGrant(config, returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
          ...(isFresh ? { maxAge: FRESH_SECONDS } : {}),
        });
        const identity = await identityOf(config, tokens, {
          ...tools,
          issuer: signIn.issuer.issuer,
        });
        return identity === undefined
          ? { kind: "failed", reason: "NOT_PROVEN" }
          : { kind: "proven", identity };
      } catch (error) {
        const reason = reasonOf(error);
        log.warn(
          { issuer: signIn.issuer.issuer, reason, err: messageOf(error) },
          "a sign-in failed",
        );
        return { kind: "failed", reason };
      } finally {
        entry.keys = client.getJwksCache(config);
      }
    },
  };
}

interface Tools extends IdentityProviderOptions {
  readonly fetch: client.CustomFetch;
}

function currentMetadata(
  entry: Known,
  issuer: string,
  tools: Tools,
): Promise<client.ServerMetadata | undefined> {
  const ageMs = (at = Number.NEGATIVE_INFINITY) => Math.abs(tools.clock.now() - at);
  if (ageMs(entry.fetchedAt) < FRESH_MS) return Promise.resolve(entry.metadata);
  if (entry.underWay !== undefined) return entry.underWay;
  if (ageMs(entry.failedAt) < FAILURE_PAUSE_MS) return Promise.resolve(undefined);
  entry.underWay = fetchMetadata(entry, issuer, tools);
  return entry.underWay;
}

async function fetchMetadata(entry: Known, issuer: string, tools: Tools) {
  const { outbound, allowLoopback, clock, log } = tools;
  try {
    const found = await getConfiguration(outbound, { issuer, allowLoopback });
    entry.metadata = metadataOf(issuer, found, allowLoopback);
    entry.fetchedAt = clock.now();
    return entry.metadata;
  } catch (error) {
    entry.failedAt = clock.now();
    log.warn({ issuer, err: messageOf(error) }, "no configuration of an issuer");
    return undefined;
  } finally {
    entry.underWay = undefined;
  }
}

/** The members that a sign-in uses. The browser is sent to the authorization endpoint, so its URL is judged here. */
function metadataOf(
  issuer: string,
  found: IssuerDocument,
  allowLoopbackHttp: boolean,
): client.ServerMetadata {
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = found;
  if (
    typeof authorization_endpoint !== "string" ||
    !checkOutboundUrl(authorization_endpoint, { allowLoopbackHttp }).ok
  )
    throw new Error("the configuration has no usable authorization_endpoint");
  if (typeof token_endpoint !== "string" || typeof jwks_uri !== "string")
    throw new Error("the configuration has no token_endpoint, or no jwks_uri");
  const offered = textsOf(found.id_token_signing_alg_values_supported).filter((one) =>
    ALGORITHMS.includes(one),
  );
  return {
    issuer,
    authorization_endpoint,
    token_endpoint,
    jwks_uri,
    ...(typeof userinfo_endpoint === "string" ? { userinfo_endpoint } : {}),
    id_token_signing_alg_values_supported: offered.length === 0 ? ["RS256"] : offered,
    token_endpoint_auth_methods_supported: textsOf(found.token_endpoint_auth_methods_supported),
    authorization_response_iss_parameter_supported:
      found.authorization_response_iss_parameter_supported === true,
  };
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function configurationOf(
  metadata: client.ServerMetadata,
  { signIn, entry }: { readonly signIn: SignInAtIssuer; readonly entry: Known },
  { sealer, clock, fetch, allowLoopback }: Tools,
): client.Configuration {
  const { issuer, workspaceId } = signIn;
  const identity = clientSecretIdentity(workspaceId, issuer.sealId);
  const secret = sealer.open(issuer.clientSecretSealed, identity).toString("utf8");
  const methods = metadata.token_endpoint_auth_methods_supported ?? [];
  const isPost = methods.includes("client_secret_post") && !methods.includes("client_secret_basic");
  // The library reads the host's clock; the clock of this server may be a different one.
  const skew = Math.round((clock.now() - systemClock.now()) / 1000);
  const config = new client.Configuration(
    metadata,
    issuer.clientId,
    { [client.clockSkew]: skew },
    isPost ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret),
  );
  config[client.customFetch] = fetch;
  if (allowLoopback) client.allowInsecureRequests(config);
  client.enableNonRepudiationChecks(config);
  if (entry.keys !== undefined) client.setJwksCache(config, entry.keys);
  return config;
}

function guardedFetch({ outbound, allowLoopback }: IdentityProviderOptions): client.CustomFetch {
  return async (url, { method, headers, body }) => {
    const answer = await outbound.send({
      url,
      method: method === "POST" ? "POST" : "GET",
      headers,
      ...(body === undefined || body === null ? {} : { body: Buffer.from(String(body), "utf8") }),
      deadlineMs: DEADLINE_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      allowLoopback,
      owner: "oidc",
    });
    const text = answer.body === "" ? null : answer.body;
    return new Response(text, { status: answer.status, headers: answer.headers });
  };
}

type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;

async function identityOf(
  config: client.Configuration,
  tokens: Tokens,
  { issuer, log }: Tools & { readonly issuer: string },
): Promise<ProvenIdentity | undefined> {
  const claims = tokens.claims();
  const subject = soundText(claims?.sub, LONGEST_SUBJECT);
  if (claims === undefined || claims.iss !== issuer || subject === null) return undefined;
  const person =
    claims.email === undefined ? await userInfo(config, { tokens, subject, log }) : claims;
  const { auth_time: at } = claims;
  return {
    issuer,
    subject,
    verifiedEmail: verifiedEmailOf(person),
    name: soundText(person.name, LONGEST_NAME),
    authenticatedAt: at === undefined ? null : at * 1000,
  };
}

/** Some issuers give the mail address only at this endpoint. If it fails, the address is missing. */
async function userInfo(
  config: client.Configuration,
  {
    tokens,
    subject,
    log,
  }: { readonly tokens: Tokens; readonly subject: string; readonly log: Log },
): Promise<Readonly<Record<string, unknown>>> {
  if (config.serverMetadata().userinfo_endpoint === undefined) return {};
  try {
    return await client.fetchUserInfo(config, tokens.access_token, subject);
  } catch (error) {
    log.warn({ err: messageOf(error) }, "an issuer tells nothing about a person");
    return {};
  }
}

function verifiedEmailOf(claims: Readonly<Record<string, unknown>>): string | null {
  if (claims.email_verified !== true) return null;
  const email = soundText(claims.email, LONGEST_EMAIL);
  return email !== null && /^[^\s@]+@[^\s@]+$/.test(email) ? email.toLowerCase() : null;
}

function reasonOf(error: unknown): FailedSignIn {
  if (error instanceof client.AuthorizationResponseError) return "CANCELLED";
  if (error instanceof client.ResponseBodyError) return "ISSUER_REFUSED";
  if (error instanceof client.WWWAuthenticateChallengeError) return "ISSUER_REFUSED";
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundFailed || cause instanceof OutboundRefused) return "UNREACHABLE";
  }
  return "NOT_PROVEN";
}

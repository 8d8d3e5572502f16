/** An OpenID issuer on this machine by which people sign in, with wrong answers of every kind. */
import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type IssuerKeyPair, newKeyPair, part, signToken } from "./oidc-issuer.ts";
import { httpReceiver } from "./receivers.ts";

export interface Subject {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: unknown;
  readonly name?: string;
}

export interface SignInIssuer {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who is signed in there. */
  subject: Subject;
  /** When they showed their credentials, in seconds; undefined to leave it out. */
  authTime: number | undefined;
  /** The time of the issuer, in milliseconds. */
  now: () => number;
  /** Changes the claims of the next tokens. */
  claims: (claims: Record<string, unknown>) => Record<string, unknown>;
  /** Makes the token of these claims. */
  sign: (claims: Record<string, unknown>) => string;
  readonly key: IssuerKeyPair;
  /** The members of the configuration. */
  configuration: Record<string, unknown>;
  /** Takes a code a second time. */
  takesCodesTwice: boolean;
  /** Changes what the browser is sent back with. */
  goBack: (url: URL) => URL;
  /** The parameters of the last authorization request, and the bodies of the token requests. */
  readonly asked: URLSearchParams[];
  readonly redeemed: URLSearchParams[];
  /** Answers with the member of the address at `/userinfo` alone. */
  tellsAddressElsewhere: boolean;
  /** Answers in place of the issuer; false to let it answer. */
  answerInstead: ((path: string, response: ServerResponse) => boolean) | undefined;
}

interface Code {
  readonly challenge: string;
  readonly nonce: string;
  readonly redirectUri: string;
  isUsed: boolean;
}

/** Ends with `endReceivers`. */
export async function startSignInIssuer(): Promise<SignInIssuer> {
  const codes = new Map<string, Code>();
  const key = newKeyPair("ES256", "key-1");
  const receiver = await httpReceiver((request, response) => {
    respond(request, response, { issuer: made, codes }).catch(() => response.destroy());
  });
  const url = new URL(receiver.url).origin;
  const made: SignInIssuer = {
    issuer: url,
    clientId: "florin-console",
    clientSecret: `secret ${randomBytes(8).toString("hex")}`,
    subject: { sub: "nobody" },
    authTime: undefined,
    now: () => Date.now(),
    claims: (claims) => claims,
    sign: (claims) => signToken(key, { alg: key.alg, kid: key.kid, typ: "JWT" }, claims),
    key,
    configuration: {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      userinfo_endpoint: `${url}/userinfo`,
      jwks_uri: `${url}/keys`,
      id_token_signing_alg_values_supported: ["ES256", "none"],
    },
    takesCodesTwice: false,
    goBack: (back) => back,
    asked: [],
    redeemed: [],
    tellsAddressElsewhere: false,
    answerInstead: undefined,
  };
  return made;
}

interface State {
  readonly issuer: SignInIssuer;
  readonly codes: Map<string, Code>;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { issuer, codes }: State,
): Promise<void> {
  const url = new URL(request.url ?? "", issuer.issuer);
  if (issuer.answerInstead?.(url.pathname, response) === true) return;
  const json = (value: unknown, status = 200) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(value));
  };
  switch (url.pathname) {
    case "/.well-known/openid-configuration":
      return json(issuer.configuration);
    case "/keys":
      return json({ keys: [issuer.key.jwk] });
    case "/authorize":
      response.writeHead(302, { location: authorize(url.searchParams, { issuer, codes }).href });
      response.end();
      return;
    case "/token": {
      let body = "";
      for await (const piece of request) body += piece;
      const sent = new URLSearchParams(body);
      issuer.redeemed.push(sent);
      if (request.headers.authorization !== basicOf(issuer))
        return json({ error: "invalid_client" }, 401);
      const idToken = redeem(sent, { issuer, codes });
      if (idToken === undefined) return json({ error: "invalid_grant" }, 400);
      return json({ access_token: "opaque", token_type: "Bearer", id_token: idToken });
    }
    case "/userinfo":
      return json(issuer.subject);
    default:
      response.writeHead(404).end();
  }
}

function authorize(asked: URLSearchParams, { issuer, codes }: State): URL {
  issuer.asked.push(asked);
  const code = randomBytes(8).toString("hex");
  codes.set(code, {
    challenge: asked.get("code_challenge") ?? "",
    nonce: asked.get("nonce") ?? "",
    redirectUri: asked.get("redirect_uri") ?? "",
    isUsed: false,
  });
  const back = new URL(asked.get("redirect_uri") ?? "");
  back.searchParams.set("code", code);
  back.searchParams.set("state", asked.get("state") ?? "");
  return issuer.goBack(back);
}

/** The token of a code; undefined for one that is unknown, used, or asked for by another client than began. */
function redeem(sent: URLSearchParams, { issuer, codes }: State): string | undefined {
  const code = codes.get(sent.get("code") ?? "");
  if (code === undefined || (code.isUsed && !issuer.takesCodesTwice)) return undefined;
  const verifier = createHash("sha256").update(sent.get("code_verifier") ?? "");
  if (verifier.digest("base64url") !== code.challenge) return undefined;
  if (sent.get("redirect_uri") !== code.redirectUri) return undefined;
  code.isUsed = true;
  const iat = Math.floor(issuer.now() / 1000);
  const { sub, ...told } = issuer.subject;
  return issuer.sign(
    issuer.claims({
      iss: issuer.issuer,
      aud: issuer.clientId,
      sub,
      iat,
      exp: iat + 300,
      nonce: code.nonce,
      ...(issuer.authTime === undefined ? {} : { auth_time: issuer.authTime }),
      ...(issuer.tellsAddressElsewhere ? {} : told),
    }),
  );
}

/** As RFC 6749 writes it: both parts form-encoded. */
function basicOf({ clientId, clientSecret }: SignInIssuer): string {
  const encoded = [clientId, clientSecret].map((text) =>
    encodeURIComponent(text).replaceAll("%20", "+").replaceAll("-", "%2D"),
  );
  return `Basic ${Buffer.from(encoded.join(":")).toString("base64")}`;
}

/** A token without a signature. */
export function unsigned(claims: object): string {
  return `${part({ alg: "none", typ: "JWT" })}.${part(claims)}.`;
}

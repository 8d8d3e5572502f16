/**
 * The state of a sign-in at an issuer, from the page that begins it to the page to which the browser returns. It is in a cookie with a MAC
 * for ten minutes, so the server stores nothing before somebody has signed in, and an answer for another browser finds no cookie. The
 * cookie is `SameSite=Lax`, because the return begins at another site. `nonce` and the PKCE verifier are derived from `state` and a key of
 * the server.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { SignInBinding } from "../../../domain/people/single-sign-on/identity-provider.port.ts";
import type { SingleUse } from "../../../domain/wallets/credentials/spent-proof.ts";
import type { Clock } from "../../../std/clock.ts";
import { sha256Hex } from "../../../std/digest.ts";
import { readJsonObject } from "../../../std/json.ts";
import type { ConsolePlace } from "../place.ts";
import { cookieValueOf } from "../session-cookie.ts";

export interface FlowPurpose {
  readonly kind: "sign-in" | "step-up" | "test";
  readonly workspaceId: string;
  readonly issuerId: string;
  /** The session that asks; null for a sign-in. */
  readonly session: { readonly id: string; readonly personId: string } | null;
  /** The console page to which the browser is sent at the end. */
  readonly to: string;
}

export interface SignInFlow extends FlowPurpose {
  readonly binding: SignInBinding;
  readonly use: SingleUse;
}

export interface BegunFlow {
  readonly binding: SignInBinding;
  /** The value of `Set-Cookie`. */
  readonly cookie: string;
}

export interface SignInFlows {
  begin(place: ConsolePlace, purpose: FlowPurpose): BegunFlow;
  /** Undefined without a valid cookie, or when it has expired. */
  read(place: ConsolePlace, raw: IncomingMessage): SignInFlow | undefined;
}

const LIFE_SECONDS = 600;
const STATE_BYTES = 32;
const COOKIE_TEXT = /^([A-Za-z0-9_-]{1,3000})\.([A-Za-z0-9_-]{43})$/;

type KeptFlow = FlowPurpose & { readonly state: string; readonly expiresAt: number };

export function createSignInFlows(key: Buffer, clock: Clock): SignInFlows {
  const mac = (use: string, text: string) =>
    createHmac("sha256", key).update(`${use} ${text}`).digest();
  const bindingOf = (state: string): SignInBinding => ({
    state,
    nonce: mac("nonce", state).toString("base64url"),
    verifier: mac("verifier", state).toString("base64url"),
  });
  return {
    begin(place, purpose) {
      const state = randomBytes(STATE_BYTES).toString("base64url");
      const kept: KeptFlow = { ...purpose, state, expiresAt: clock.now() + LIFE_SECONDS * 1000 };
      const text = Buffer.from(JSON.stringify(kept), "utf8").toString("base64url");
      const value = `${text}.${mac("flow", text).toString("base64url")}`;
      return { binding: bindingOf(state), cookie: cookieOf(place, value, LIFE_SECONDS) };
    },
    read(place, raw) {
      const [, text = "", sent = ""] =
        COOKIE_TEXT.exec(cookieValueOf(raw, nameAt(place)) ?? "") ?? [];
      const right = mac("flow", text);
      const given = Buffer.from(sent, "base64url");
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
      // A valid MAC proves that `begin` wrote this text.
      const kept = readJsonObject(Buffer.from(text, "base64url")) as KeptFlow | undefined;
      if (kept === undefined || kept.expiresAt <= clock.now()) return undefined;
      const { state, expiresAt: rememberUntil, ...purpose } = kept;
      const digest = sha256Hex(`sign-in flow ${state}`);
      return { ...purpose, binding: bindingOf(state), use: { digest, rememberUntil } };
    },
  };
}

export function clearFlowCookie(place: ConsolePlace): string {
  return cookieOf(place, "", 0);
}

function nameAt({ isSecure }: ConsolePlace): string {
  return isSecure ? "__Host-florin-sso" : "florin-sso-local";
}

function cookieOf(place: ConsolePlace, value: string, seconds: number): string {
  const attributes = `Path=/; HttpOnly; SameSite=Lax${place.isSecure ? "; Secure" : ""}`;
  return `${nameAt(place)}=${value}; Max-Age=${seconds}; ${attributes}`;
}

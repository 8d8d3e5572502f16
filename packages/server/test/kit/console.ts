/** A browser at the console: keeps the cookie, sends what a page of ours sends, and has a passkey. */

import { documentCheckOf } from "./document-check.ts";
import {
  createSoftAuthenticator,
  type Deviations,
  flags,
  type SoftAuthenticator,
} from "./soft-authenticator.ts";
import type { RawAnswer } from "./story.ts";
import type { TestServer } from "./test-server.ts";

export interface ConsoleBrowser {
  readonly server: TestServer;
  /** Makes a call below `/console/api`, as a page of the console would. */
  call(method: string, path: string, body?: unknown, options?: ConsoleCall): Promise<RawAnswer>;
  /** The same at a platform, by its uuid: a path of the public API. */
  at(
    platformId: string,
  ): (method: string, path: string, body?: unknown, options?: ConsoleCall) => Promise<RawAnswer>;
  readonly authenticator: SoftAuthenticator;
  cookie: string | undefined;
  csrf: string | undefined;
  personId: string | undefined;
  /** The number that the authenticator counts up to. */
  counter: number;
}

export interface ConsoleCall {
  /** Null leaves a header out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly key?: string;
}

export function originOf({ app }: Pick<TestServer, "app">): string {
  return `http://localhost:${app.address.port}`;
}

export function openBrowser(server: TestServer): ConsoleBrowser {
  const base = `http://127.0.0.1:${server.app.address.port}/console/api`;
  const browser: ConsoleBrowser = {
    server,
    authenticator: createSoftAuthenticator(),
    cookie: undefined,
    csrf: undefined,
    personId: undefined,
    counter: 0,
    at: (platformId) => (method, path, body, options) =>
      browser.call(method, `/p/PlatformConfig:${platformId}${path}`, body, options),
    async call(method, path, body, { headers = {}, key } = {}) {
      const sent: Record<string, string | null | undefined> = {
        "sec-fetch-site": "same-origin",
        origin: originOf(server),
        cookie: browser.cookie,
        "florin-csrf": browser.csrf,
        "content-type": body === undefined || body instanceof FormData ? null : "application/json",
        "idempotency-key": key,
        ...headers,
      };
      const kept = Object.entries(sent).filter(
        (pair): pair is [string, string] => pair[1] !== null && pair[1] !== undefined,
      );
      const response = await fetch(`${base}${path}`, {
        method,
        headers: Object.fromEntries(kept),
        ...(body === undefined ? {} : { body: textOf(body) }),
      });
      const cookie = response.headers.get("set-cookie");
      if (cookie !== null) browser.cookie = cookie.split(";")[0];
      const kind = response.headers.get("content-type") ?? "";
      const isStream = kind.startsWith("text/event-stream");
      if (isStream) await response.body?.cancel();
      const text = isStream ? "" : await response.text();
      const json =
        kind.startsWith("application/json") && text !== "" ? JSON.parse(text) : undefined;
      if (json?.csrf !== undefined) browser.csrf = json.csrf;
      const document = await documentCheckOf(base.replace("/api", ""));
      const { status } = response;
      const [contentType] = kind.split(";");
      // A refusal of the gate is the same for all, so no operation lists it.
      if (status !== 403 && !isStream)
        document.check({ method, path, status, json, ...(contentType ? { contentType } : {}) });
      return { status: response.status, headers: response.headers, text, json };
    },
  };
  return browser;
}

function textOf(body: unknown): string | FormData {
  return typeof body === "string" || body instanceof FormData ? body : JSON.stringify(body);
}

/** What a browser at our origin writes. */
function ours(browser: ConsoleBrowser, deviations: Deviations): Deviations {
  return {
    rpId: "localhost",
    counter: ++browser.counter,
    ...deviations,
    clientData: { origin: originOf(browser.server), ...deviations.clientData },
  };
}

/** `PublicKeyCredential.toJSON()` of a registration. */
export function registrationOf(
  browser: ConsoleBrowser,
  options: { readonly challenge: string; readonly user: { readonly id: string } },
  deviations: Deviations = {},
) {
  const made = browser.authenticator.register(options.challenge, ours(browser, deviations));
  browser.personId = options.user.id;
  return {
    id: made.credentialId,
    rawId: made.credentialId,
    type: "public-key",
    clientExtensionResults: {},
    response: {
      clientDataJSON: made.clientDataJson,
      attestationObject: made.attestationObject,
      transports: made.transports,
    },
  };
}

/** The same of an assertion. */
export function assertionOf(
  browser: ConsoleBrowser,
  options: { readonly challenge: string },
  deviations: Deviations = {},
) {
  const made = browser.authenticator.assert(options.challenge, ours(browser, deviations));
  return {
    id: made.credentialId,
    rawId: made.credentialId,
    type: "public-key",
    clientExtensionResults: {},
    response: {
      clientDataJSON: made.clientDataJson,
      authenticatorData: made.authenticatorData,
      signature: made.signature,
      userHandle: browser.personId,
    },
  };
}

export async function signIn(browser: ConsoleBrowser, deviations: Deviations = {}) {
  browser.cookie = undefined;
  const options = await browser.call("POST", "/sign-in/passkey", {});
  const passkey = assertionOf(browser, options.json, deviations);
  return browser.call("POST", "/sign-in/passkey", { passkey });
}

export async function stepUp(browser: ConsoleBrowser, deviations: Deviations = {}) {
  const options = await browser.call("POST", "/step-up", {});
  const passkey = assertionOf(browser, options.json, deviations);
  return browser.call("POST", "/step-up", { passkey });
}

export const NOT_VERIFIED = { flags: flags.present };

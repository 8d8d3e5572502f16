/** Sign-in at an issuer, as a browser does it: from the page that begins it, to the issuer, and back. */
import { present } from "../../src/std/assert.ts";
import { type ConsoleBrowser, originOf, stepUp } from "./console.ts";
import type { SignInIssuer } from "./sign-in-issuer.ts";

export interface Walk {
  /** Where the browser is sent at the end, from the root. */
  readonly to: string;
  readonly status: number;
  readonly cookies: readonly string[];
}

export interface Begun {
  /** At the issuer. */
  readonly url: string;
  readonly flowCookie: string | undefined;
}

/** A cookie that scripts cannot read, without its attributes. */
function pairOf(cookies: readonly string[], name: RegExp): string | undefined {
  const found = cookies.find((cookie) => name.test(cookie));
  return found?.split(";")[0];
}

async function get(browser: ConsoleBrowser, path: string, cookie: string | undefined) {
  const { port } = browser.server.app.address;
  const response = await fetch(`http://localhost:${port}${path}`, {
    redirect: "manual",
    headers: cookie === undefined ? {} : { cookie },
  });
  await response.arrayBuffer();
  return response;
}

export async function begin(
  browser: ConsoleBrowser,
  query: Readonly<Record<string, string>>,
): Promise<Begun> {
  const path = `/console/sso/start?${new URLSearchParams(query)}`;
  const response = await get(browser, path, browser.cookie);
  const url = present(response.headers.get("location"), "a place to go to");
  return { url, flowCookie: pairOf(response.headers.getSetCookie(), /^florin-sso-local=/) };
}

/** What the issuer sends the browser back to. */
export async function visit(url: string): Promise<string> {
  const response = await fetch(url, { redirect: "manual" });
  await response.arrayBuffer();
  return present(response.headers.get("location"), "the way back");
}

/** The browser comes back. The cookie of the session is not sent along, because it comes from another site. */
export async function comeBack(
  browser: ConsoleBrowser,
  url: string,
  flowCookie: string | undefined,
): Promise<Walk> {
  const response = await get(browser, url.slice(originOf(browser.server).length), flowCookie);
  const cookies = response.headers.getSetCookie();
  const session = pairOf(cookies, /^florin-local=/);
  if (session !== undefined) browser.cookie = session;
  const to = present(response.headers.get("location"), "a page");
  return { to, status: response.status, cookies };
}

export async function walk(
  browser: ConsoleBrowser,
  query: Readonly<Record<string, string>>,
): Promise<Walk> {
  const { url, flowCookie } = await begin(browser, query);
  if (!url.includes("/authorize?")) return { to: url, status: 303, cookies: [] };
  return comeBack(browser, await visit(url), flowCookie);
}

/** Sets what the workspace of an owner says about sign-in, and answers the ids of the issuers. */
export async function setSso(
  owner: ConsoleBrowser,
  issuers: readonly SignInIssuer[],
  {
    names,
    isRequired = false,
    more = {},
  }: {
    readonly names: readonly string[];
    readonly isRequired?: boolean;
    readonly more?: Readonly<Record<string, unknown>>;
  },
): Promise<readonly string[]> {
  await stepUp(owner);
  const answer = await owner.call("PUT", "/workspace/sso", {
    names,
    isRequired,
    issuers: issuers.map(({ issuer, clientId, clientSecret }, index) => ({
      name: `Issuer ${index + 1}`,
      issuer,
      clientId,
      clientSecret,
      ...more,
    })),
  });
  if (answer.status !== 200) throw new Error(`nothing was set: ${answer.text}`);
  return answer.json.issuers.map(({ id }: { readonly id: string }) => id);
}

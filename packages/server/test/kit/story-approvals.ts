/** Deciding about approvals in the console. */
import { assertionOf, type ConsoleBrowser } from "./console.ts";
import type { RawAnswer } from "./story.ts";

export interface DecideOptions {
  readonly note?: string;
  /** Signs this in place of what the server asks for. */
  readonly challenge?: string;
  /** Sends this in place of the sealed facts of the approval. */
  readonly shown?: string;
  readonly key?: string;
}

/** Agrees with the passkey of the browser. */
export async function agree(
  browser: ConsoleBrowser,
  id: string,
  { note, challenge, shown, key }: DecideOptions = {},
): Promise<RawAnswer> {
  const path = `/workspace/approvals/${id}/decide`;
  const seen = { outcome: "APPROVED", shown: shown ?? (await sealedFor(browser, id)) };
  const options = await browser.call("POST", path, seen);
  if (options.status !== 200) return options;
  const assertion = assertionOf(browser, { challenge: challenge ?? options.json.challenge });
  const body = { ...seen, assertion, ...(note === undefined ? {} : { note }) };
  return browser.call("POST", path, body, key === undefined ? {} : { key });
}

/** The facts that the person is shown, sealed; undefined for one who may not agree. */
export async function sealedFor(browser: ConsoleBrowser, id: string): Promise<string | undefined> {
  return (await browser.call("GET", `/workspace/approvals/${id}`)).json.shown?.sealed;
}

export function reject(browser: ConsoleBrowser, id: string, note?: string): Promise<RawAnswer> {
  const body = { outcome: "REJECTED", ...(note === undefined ? {} : { note }) };
  return browser.call("POST", `/workspace/approvals/${id}/decide`, body);
}

export function takeBack(browser: ConsoleBrowser, id: string): Promise<RawAnswer> {
  return browser.call("POST", `/workspace/approvals/${id}/cancel`);
}

/** The ids in a list of the console. */
export async function shownTo(browser: ConsoleBrowser, query = ""): Promise<readonly string[]> {
  const { json } = await browser.call("GET", `/workspace/approvals${query}`);
  return json.data.map(({ id }: { readonly id: string }) => id);
}

/** Status, code and rule of an answer. */
export function verdictOf({ status, json }: RawAnswer) {
  return [status, json?.code, json?.details?.rule].filter((one) => one !== undefined);
}

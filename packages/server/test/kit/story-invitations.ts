/** Invitations of a story's platform, and requests of their page without a browser. */
import type { RawAnswer, Story } from "./story.ts";

export interface Inviter {
  readonly customerId: string;
  readonly umaAddress: string;
}

export async function newInviter(story: Story, more: object = {}): Promise<Inviter> {
  const made = await story.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName: "Ana Ruiz",
    currencies: ["EUR", "USD"],
    ...more,
  });
  return { customerId: made.json.id, umaAddress: made.json.umaAddress };
}

export async function invite(story: Story, more: object = {}): Promise<RawAnswer["json"]> {
  const { umaAddress } = await newInviter(story);
  const made = await story.call("POST", "/invitations", { inviterUma: umaAddress, ...more });
  if (made.status !== 201) throw new Error(`no invitation was made: ${made.text}`);
  return made.json;
}

export function claim(
  story: Story,
  code: string,
  options: { readonly inviteeUma?: unknown; readonly key?: string } = {},
): Promise<RawAnswer> {
  const { inviteeUma = "$bea@wallet.test", key } = options;
  const body = { inviteeUma };
  return story.call("POST", `/invitations/${code}/claim`, body, key === undefined ? {} : { key });
}

export function cancel(story: Story, code: string): Promise<RawAnswer> {
  return story.call("POST", `/invitations/${code}/cancel`);
}

export async function statusOf(story: Story, code: string): Promise<string> {
  return (await story.call("GET", `/invitations/${code}`)).json.status;
}

export interface ShownPage {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  readonly heading: string;
}

/** Requests a page like a browser without scripts. */
export async function open(url: string, init: RequestInit = {}): Promise<ShownPage> {
  const response = await fetch(url, init);
  const html = await response.text();
  const heading = /<h1>([^<]*)<\/h1>/.exec(html)?.[1] ?? "";
  return { status: response.status, headers: response.headers, html, heading };
}

export function post(
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<ShownPage> {
  return open(url, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers,
    redirect: "manual",
  });
}

export function formTokenIn(html: string): string {
  return /name="form-token" value="([^"]*)"/.exec(html)?.[1] ?? "";
}

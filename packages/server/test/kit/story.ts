/** A story about one platform: its client, raw calls with validated answers, funded customers. */
import { createClient } from "@florin/client";
import type { NewPlatform, PlatformWish } from "../../src/boot/first-platform.ts";
import { present } from "../../src/std/assert.ts";
import { basic } from "./basic.ts";
import { type DocumentCheck, documentCheckOf } from "./document-check.ts";
import type { TestServer } from "./test-server.ts";

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
  readonly json: any;
}

export interface CallOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the platform's credentials; null sends none. */
  readonly authorization?: string | null;
}

export interface Story {
  readonly server: TestServer;
  readonly platformId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookPublicKey: string;
  readonly authorization: string;
  readonly client: ReturnType<typeof createClient>;
  /** Makes a call and validates the answer against the served OpenAPI document. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<RawAnswer>;
  /** Waits until due jobs and deliveries are done. */
  settle(): Promise<void>;
}

export async function openStory(
  server: TestServer,
  wish: Partial<PlatformWish> = {},
): Promise<Story> {
  return storyAt(server, await server.makePlatform(wish));
}

/** About a platform that is there already. */
export async function storyAt(
  server: TestServer,
  made: Omit<NewPlatform, "workspaceId" | "sandboxUmaDomain">,
): Promise<Story> {
  const { platformId, clientId, clientSecret, webhookPublicKey } = made;
  const authorization = basic(clientId, clientSecret);
  const document = await documentCheckOf(server.baseUrl);
  return {
    server,
    platformId,
    clientId,
    clientSecret,
    webhookPublicKey,
    authorization,
    client: createClient({ baseUrl: server.baseUrl, clientId, clientSecret, retries: 0 }),
    call: (method, path, body, options = {}) =>
      rawCall({ server, document, authorization }, { method, path, body, options }),
    settle: () => server.app.jobs.drain(platformId),
  };
}

/** From now on bodies of the platform are taken without their unknown fields. */
export async function ignoreUnknownFields(story: Story): Promise<void> {
  const { status } = await story.call("PATCH", "/config", { unknownFields: "IGNORE" });
  if (status !== 200) throw new Error(`the configuration was not changed: ${status}`);
}

async function rawCall(
  from: {
    readonly server: TestServer;
    readonly document: DocumentCheck;
    readonly authorization: string;
  },
  request: {
    readonly method: string;
    readonly path: string;
    readonly body: unknown;
    readonly options: CallOptions;
  },
): Promise<RawAnswer> {
  const { method, path, body, options } = request;
  const authorization =
    options.authorization === undefined ? from.authorization : options.authorization;
  const response = await fetch(`${from.server.baseUrl}${path}`, {
    method,
    headers: {
      ...(authorization === null ? {} : { authorization }),
      ...(body === undefined || body instanceof FormData
        ? {}
        : { "content-type": "application/json" }),
      ...(options.key === undefined ? {} : { "idempotency-key": options.key }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: asSent(body) }),
  });
  const kind = response.headers.get("content-type") ?? "";
  // A stream of events has no end.
  const isStream = kind.startsWith("text/event-stream");
  if (isStream) await response.body?.cancel();
  const text = isStream ? "" : await response.text();
  const json = text === "" || !kind.startsWith("application/json") ? undefined : JSON.parse(text);
  const [contentType = ""] = kind.split(";");
  const isHead = method === "HEAD" || contentType === "";
  from.document.check({
    method,
    path,
    status: response.status,
    json,
    ...(isHead ? {} : { contentType }),
  });
  return { status: response.status, headers: response.headers, text, json };
}

function asSent(body: unknown): string | FormData {
  return typeof body === "string" || body instanceof FormData ? body : JSON.stringify(body);
}

export interface Funded {
  readonly customerId: string;
  readonly platformCustomerId: string;
  readonly accountId: string;
}

export async function fundedCustomer(story: Story, amount = 100_000): Promise<Funded> {
  const customer = await story.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName: "Ana Ruiz",
    currencies: ["USD"],
  });
  const { id: customerId, platformCustomerId } = customer.json;
  const accounts = await story.call(
    "GET",
    `/customers/internal-accounts?customerId=${customerId}&currency=USD`,
  );
  const accountId = present(accounts.json.data[0]?.id as string | undefined, "the USD account");
  if (amount > 0)
    await story.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount });
  return { customerId, platformCustomerId, accountId };
}

let accountNumbers = 0;

/** A USD bank account of its own number, with the last three digits `suffix`; without a customer it belongs to the platform. */
export function bankAccountBody({
  suffix = "789",
  customerId,
}: {
  readonly suffix?: string;
  readonly customerId?: string;
} = {}) {
  return {
    // Of the wish alone: a caller may hand in more of a customer.
    ...(customerId === undefined ? {} : { customerId }),
    currency: "USD",
    accountInfo: {
      accountType: "USD_ACCOUNT",
      accountNumber: `1${String(++accountNumbers).padStart(8, "0")}${suffix}`,
      routingNumber: "021000021",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
    },
  };
}

/** The id of such an account, which was made. */
export async function bankAccount(
  story: Story,
  wish: { readonly suffix?: string; readonly customerId?: string } = {},
): Promise<string> {
  const owner = wish.customerId === undefined ? "platform" : "customers";
  const made = await story.call("POST", `/${owner}/external-accounts`, bankAccountBody(wish));
  return present(made.json?.id as string | undefined, `an external account, not ${made.text}`);
}

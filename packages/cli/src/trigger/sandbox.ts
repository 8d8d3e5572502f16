/** Calls that create what an event needs in a sandbox, with values that no earlier call used. */
import type { Connection } from "../connection/connection.ts";
import { accepted, send } from "../connection/send.ts";
import { NotReached } from "../failures.ts";
import type { Host } from "../host.ts";
import { asObject, asText, type JsonObject, parseJson } from "../json.ts";
import { clean } from "../output/clean.ts";

const LOOK_AGAIN_MS = 100;
const MOST_LOOKS = 100;

export interface Sandbox {
  readonly settings: TriggerSettings;
  /** Makes a call and prints the id of its object. */
  call(method: "GET" | "POST" | "PATCH" | "PUT", path: string, body?: object): Promise<JsonObject>;
  /** Makes a POST with the access token of an agent, or without credentials. */
  callAs(token: string | undefined, path: string, body?: object): Promise<JsonObject>;
  /** Waits, 10 s at most, until the object at the path has this status. */
  until(path: string, status: string): Promise<void>;
  /** Nine random digits, for account numbers and names. */
  digits(): string;
}

/** What `--set` changes. */
export interface TriggerSettings {
  readonly amount: number;
  readonly fullName: string;
}

export function openSandbox(
  host: Host,
  connection: Connection,
  settings: TriggerSettings,
): Sandbox {
  async function call(
    authorization: string | undefined,
    method: "GET" | "POST" | "PATCH" | "PUT",
    { path, body }: { readonly path: string; readonly body?: object | undefined },
  ): Promise<JsonObject> {
    const endpoint = { url: connection.url, authorization };
    const answer = await send(host, endpoint, {
      method,
      target: path,
      body: body === undefined || body instanceof FormData ? body : JSON.stringify(body),
      idempotencyKey:
        method === "POST" && path !== "/sandbox/webhooks/test" ? host.newKey() : undefined,
    });
    const made = asObject(parseJson(accepted(answer).text)) ?? {};
    if (method !== "GET") tell(host, path, made);
    return made;
  }
  return {
    settings,
    call: (method, path, body) => call(connection.authorization, method, { path, body }),
    callAs: (token, path, body) =>
      call(token === undefined ? undefined : `Bearer ${token}`, "POST", { path, body }),
    async until(path, status) {
      for (let tries = 0; tries < MOST_LOOKS; tries += 1) {
        const { status: now } = await call(connection.authorization, "GET", { path });
        if (now === status) return;
        await host.pause(LOOK_AGAIN_MS, host.stopped);
      }
      throw new NotReached(`NO_EVENT: ${path} is not ${status} after 10 s`);
    },
    digits: () =>
      String(BigInt(`0x${host.newKey().replaceAll("-", "")}`) % 1_000_000_000n).padStart(9, "0"),
  };
}

/** Prints only the id and the status: an answer may hold a secret, such as a device code. */
function tell(host: Host, path: string, made: JsonObject): void {
  const object = asObject(made.agent) ?? asObject(made.transaction) ?? made;
  const id = asText(object.id) ?? asText(object.jobId) ?? "";
  const status =
    asText(object.status) ?? asText(object.kycStatus) ?? asText(object.verificationStatus) ?? "";
  const shown = path.replace(/device-codes\/[^/]+/, "device-codes/{code}");
  host.writeError(
    `  ${clean([`POST ${shown}`, id, status].filter((part) => part !== "").join("  "))}\n`,
  );
}

/** A member that the answer must have. */
export function textOf(object: JsonObject | undefined, name: string): string {
  const value = asText(object?.[name]);
  if (value === undefined) throw new NotReached(`UNEXPECTED_ANSWER: an answer has no ${name}`);
  return value;
}

export interface Party {
  readonly customerId: string;
  readonly umaAddress: string;
  readonly accountId: string;
}

/** A customer with dollars. */
export async function makeParty(
  sandbox: Sandbox,
  funds = sandbox.settings.amount * 2,
): Promise<Party> {
  const customer = await makePerson(sandbox, sandbox.settings.fullName);
  const customerId = textOf(customer, "id");
  const query = new URLSearchParams({ customerId, currency: "USD" });
  const { data } = await sandbox.call("GET", `/customers/internal-accounts?${query}`);
  const accountId = textOf(asObject(Array.isArray(data) ? data[0] : undefined), "id");
  if (funds > 0) await fund(sandbox, accountId, funds);
  return { customerId, umaAddress: textOf(customer, "umaAddress"), accountId };
}

export function fund(sandbox: Sandbox, accountId: string, amount: number): Promise<JsonObject> {
  return sandbox.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount });
}

export function makePerson(
  sandbox: Sandbox,
  fullName: string,
  more: object = {},
): Promise<JsonObject> {
  const body = { customerType: "INDIVIDUAL", fullName, currencies: ["USD"], ...more };
  return sandbox.call("POST", "/customers", body);
}

/** A dollar account; the last three digits of its number decide the outcome of payments. */
export async function makeBank(
  sandbox: Sandbox,
  customerId: string,
  suffix = "789",
): Promise<string> {
  const made = await sandbox.call("POST", "/customers/external-accounts", {
    customerId,
    currency: "USD",
    accountInfo: {
      accountType: "USD_ACCOUNT",
      accountNumber: `${sandbox.digits()}${suffix}`,
      routingNumber: "021000021",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: sandbox.settings.fullName },
    },
  });
  return textOf(made, "id");
}

/** An account in euros, so that a quote converts a currency. */
export async function makeEuroBank(
  sandbox: Sandbox,
  customerId: string,
  suffix = "789",
): Promise<string> {
  const made = await sandbox.call("POST", "/customers/external-accounts", {
    customerId,
    currency: "EUR",
    accountInfo: {
      accountType: "EUR_ACCOUNT",
      iban: `DE89${`1${sandbox.digits()}`.padStart(15, "0")}${suffix}`,
      beneficiary: {
        beneficiaryType: "INDIVIDUAL",
        fullName: sandbox.settings.fullName,
        birthDate: "1990-04-05",
        countryOfResidence: "DE",
      },
    },
  });
  return textOf(made, "id");
}

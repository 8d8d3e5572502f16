/** Connections, routes and payments of a story about rails. */
import { randomBytes } from "node:crypto";
import { createToken } from "../../src/domain/people/tokens/token-commands.ts";
import { hashSecret } from "../../src/domain/token.ts";
import { present } from "../../src/std/assert.ts";
import { basic } from "./basic.ts";
import { CALLBACK_SECRET, SIGNING_SECRET, type TestConnector } from "./rail-connector.ts";
import { bankAccount, type RawAnswer, type Story } from "./story.ts";
import { internalAccount } from "./story-money.ts";

/** The credentials of another token of the platform, which the operator has made: it counts as nobody else. */
export async function otherToken({ server, platformId }: Story): Promise<string> {
  const [clientId, clientSecret] = [randomBytes(16).toString("hex"), "a secret of the operator"];
  await server.app.engine.submit({
    platformId,
    actor: { kind: "operator", id: "test" },
    command: createToken,
    input: {
      name: "second",
      permissions: ["VIEW", "TRANSACT"],
      clientId,
      secretHash: hashSecret(clientSecret),
      expiresAt: null,
      lineage: [],
    },
    toAnswer: () => ({ status: 201, body: "" }),
  });
  return basic(clientId, clientSecret);
}

/** The credentials of a token that was made with the credentials of another one. */
export async function tokenMadeBy(
  story: Story,
  authorization = story.authorization,
): Promise<string> {
  const wish = { name: "made", permissions: ["VIEW", "TRANSACT", "MANAGE"] };
  const made = await story.call("POST", "/tokens", wish, { authorization });
  const { clientId, clientSecret } = expectStatus(201, made).json;
  return basic(clientId, clientSecret);
}

let names = 0;

export function httpConnection(connector: Pick<TestConnector, "baseUrl">) {
  return {
    name: `bank ${++names}`,
    kind: "HTTP",
    currencies: ["USD"],
    account: { holderName: "Acme Payments", label: "operating" },
    settings: { baseUrl: connector.baseUrl, timeoutMs: 1_000 },
    secrets: { signingSecret: SIGNING_SECRET, callbackSecret: CALLBACK_SECRET },
  };
}

export function manualConnection() {
  return {
    name: `desk ${++names}`,
    kind: "MANUAL",
    currencies: ["USD"],
    account: { holderName: "Acme Payments", label: "operating" },
    settings: { accountTypes: ["USD_ACCOUNT"], paymentRails: ["ACH", "WIRE"] },
  };
}

/** The id of a connection that is active. */
export async function activeConnection(story: Story, body: unknown): Promise<string> {
  const made = expectStatus(201, await story.call("POST", "/rails/connections", body));
  const { id } = made.json;
  expectStatus(200, await story.call("POST", `/rails/connections/${id}/activate`));
  return id;
}

export async function routeTo(
  story: Story,
  connectionId: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const body = { name: "dollars", direction: "OUT", currency: "USD", connectionId, ...more };
  return expectStatus(201, await story.call("POST", "/rails/routes", body)).json.id;
}

export function expectStatus(status: number, answer: RawAnswer): RawAnswer {
  if (answer.status !== status) throw new Error(`${answer.status} for ${status}: ${answer.text}`);
  return answer;
}

export interface Payer {
  readonly accountId: string;
  readonly payeeId: string;
  pay(amount: number, more?: Readonly<Record<string, unknown>>): Promise<RawAnswer>;
}

/** The platform's own account in dollars, filled through a desk that marks the collection as settled. */
export async function payerOf(story: Story, amount: number): Promise<Payer> {
  const accountId = await internalAccount(story, { currency: "USD" });
  const payeeId = await bankAccount(story);
  if (amount > 0) await fillByDesk(story, { accountId, payeeId, amount });
  return {
    accountId,
    payeeId,
    pay: (minor, more = {}) =>
      story.call("POST", "/transfer-out", {
        source: { accountId },
        destination: { accountId: payeeId },
        amount: minor,
        ...more,
      }),
  };
}

async function fillByDesk(
  story: Story,
  order: { readonly accountId: string; readonly payeeId: string; readonly amount: number },
): Promise<void> {
  const desk = await activeConnection(story, manualConnection());
  const route = await routeTo(story, desk, { direction: "PULL" });
  const pulled = await story.call("POST", "/transfer-in", {
    source: { accountId: order.payeeId },
    destination: { accountId: order.accountId },
    amount: order.amount,
  });
  const payment = await paymentOf(story, expectStatus(201, pulled).json.id);
  await story.call("POST", `/rails/payments/${payment.id}/mark`, { outcome: "SETTLED" });
  await story.call("DELETE", `/rails/routes/${route}`);
  expectStatus(204, await story.call("DELETE", `/rails/connections/${desk}`));
}

/** The order of a transaction. */
export async function paymentOf(story: Story, transactionId: string): Promise<RawAnswer["json"]> {
  const { json } = await story.call("GET", `/rails/payments?transactionId=${transactionId}`);
  return present(json.data[0], "the order of a transaction");
}

export async function transactionOf(story: Story, id: string): Promise<RawAnswer["json"]> {
  return (await story.call("GET", `/transactions/${id}`)).json;
}

export async function balanceOf(story: Story, accountId: string): Promise<number> {
  return (await story.call("GET", `/internal-accounts/${accountId}`)).json.balance.amount;
}

/** The types of the events about an object, oldest first. */
export async function eventsAbout(story: Story, resourceId: string): Promise<readonly string[]> {
  const { json } = await story.call("GET", `/events?resourceId=${resourceId}&limit=100`);
  const types = json.data.map(({ type }: { readonly type: string }) => type);
  return types.toReversed();
}

/** A desk of people that pays euros to accounts by SEPA. */
export async function euroDesk(story: Story): Promise<string> {
  const desk = await activeConnection(story, {
    ...manualConnection(),
    currencies: ["EUR"],
    settings: { accountTypes: ["EUR_ACCOUNT"], paymentRails: ["SEPA", "SEPA_INSTANT"] },
  });
  await routeTo(story, desk, { currency: "EUR" });
  return desk;
}

/** A rate source that says one price for three days: 1.25 USD for a euro. */
export async function fixedEuroRate(story: Story): Promise<void> {
  const source = { name: "desk", kind: "FIXED", lockMinutes: 4_320 };
  const { id } = expectStatus(201, await story.call("POST", "/rates/sources", source)).json;
  const rates = [{ base: "EUR", quote: "USD", rate: "1.25" }];
  expectStatus(200, await story.call("PUT", `/rates/sources/${id}/rates`, { rates }));
}

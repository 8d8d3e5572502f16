/** Every route with every kind of credentials. The table is the rule: a route that it does not name fails. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Access } from "../../src/http/operation.ts";
import { operations } from "../../src/http/routes.ts";
import { present } from "../../src/std/assert.ts";
import { systemClock } from "../../src/std/clock.ts";
import { randomIds } from "../../src/std/ids.ts";
import { basic, openStory, type Story } from "../kit/story.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";

const rules: Readonly<Record<string, Access | `${Access} SANDBOX`>> = {
  getConfig: "VIEW",
  updateConfig: "MANAGE",
  createToken: "MANAGE",
  listTokens: "VIEW",
  getToken: "VIEW",
  deleteToken: "MANAGE",
  createCustomer: "MANAGE",
  listCustomers: "VIEW",
  getCustomer: "VIEW",
  updateCustomer: "MANAGE",
  deleteCustomer: "MANAGE",
  createBeneficialOwner: "MANAGE",
  listBeneficialOwners: "VIEW",
  getBeneficialOwner: "VIEW",
  updateBeneficialOwner: "MANAGE",
  createVerification: "MANAGE",
  listVerifications: "VIEW",
  getVerification: "VIEW",
  uploadCustomersCsv: "MANAGE",
  getBulkCustomerJob: "VIEW",
  uploadDocument: "MANAGE",
  listDocuments: "VIEW",
  getDocument: "VIEW",
  replaceDocument: "MANAGE",
  deleteDocument: "MANAGE",
  listCustomerInternalAccounts: "VIEW",
  listPlatformInternalAccounts: "VIEW",
  createCustomerExternalAccount: "MANAGE",
  listCustomerExternalAccounts: "VIEW",
  getCustomerExternalAccount: "VIEW",
  deleteCustomerExternalAccount: "MANAGE",
  createPlatformExternalAccount: "MANAGE",
  listPlatformExternalAccounts: "VIEW",
  getPlatformExternalAccount: "VIEW",
  deletePlatformExternalAccount: "MANAGE",
  transferOut: "TRANSACT",
  listExchangeRates: "VIEW",
  createQuote: "TRANSACT",
  listQuotes: "VIEW",
  getQuote: "VIEW",
  executeQuote: "TRANSACT",
  sendSandboxFunds: "TRANSACT SANDBOX",
  transferIn: "TRANSACT",
  listTransactions: "VIEW",
  getTransaction: "VIEW",
  listDiscoveries: "VIEW",
  listUmaProviders: "VIEW",
  createInvitation: "TRANSACT",
  getInvitation: "VIEW",
  claimInvitation: "TRANSACT",
  cancelInvitation: "TRANSACT",
  approveTransaction: "TRANSACT",
  rejectTransaction: "TRANSACT",
  lookupUmaReceiver: "VIEW",
  lookupExternalAccountReceiver: "VIEW",
  fundInternalAccount: "TRANSACT SANDBOX",
  receiveUmaPayment: "TRANSACT SANDBOX",
  advanceClock: "TRANSACT SANDBOX",
  getClock: "VIEW SANDBOX",
  testWebhook: "MANAGE SANDBOX",
  getWebhookPublicKey: "VIEW",
};

/** Time that can be moved on, so that the limit on failed logins of one address is not what is measured. */
let aheadMs = 0;
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };

let server: TestServer;
let sandbox: Story;
let production: Story;
const tokens = new Map<string, string>();

beforeAll(async () => {
  server = await startTestServer({ clock });
  sandbox = await openStory(server);
  production = await openStory(server, { environment: "PRODUCTION" });
  for (const permission of ["VIEW", "TRANSACT", "MANAGE"]) {
    const made = await sandbox.call("POST", "/tokens", {
      name: permission,
      permissions: [permission],
    });
    tokens.set(permission, basic(made.json.clientId, made.json.clientSecret));
  }
});
afterAll(() => server.close());

interface Route {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly takes: "nothing" | "json" | "form";
  readonly mayBeEmpty: boolean;
}

const routes: readonly Route[] = operations.map(
  ({ id, method, path, body, form, bodyOptional }) => ({
    id,
    method,
    path,
    takes: form !== undefined ? "form" : body !== undefined ? "json" : "nothing",
    mayBeEmpty: bodyOptional === true,
  }),
);

/** A call that reaches the operation and changes nothing: an empty body, an id that nobody has. */
function harmless({ method, path, takes }: Route, story: Story, authorization?: string | null) {
  const unknown = path.replaceAll(/\{([a-z]+)[A-Z][a-z]+\}/gi, (_, kind: string) => {
    const name =
      kind === "account" ? "InternalAccount" : kind.charAt(0).toUpperCase() + kind.slice(1);
    return `${name}:${randomIds().next(clock.now())}`;
  });
  const options = authorization === undefined ? {} : { authorization };
  const bodies = { nothing: undefined, json: { limit: "none" }, form: new FormData() };
  return story.call(method, unknown, bodies[takes], options);
}

/** What such a call is answered once it is let in. */
function whenLetIn({ id, path, takes, mayBeEmpty }: Route): readonly number[] {
  // It names no business, or no endpoint.
  if (id === "testWebhook" || id === "listBeneficialOwners" || id === "lookupUmaReceiver")
    return [400];
  // Nothing is all that a change of these needs.
  if (id === "updateConfig") return [200];
  if (id === "updateBeneficialOwner") return [404];
  if (takes !== "nothing" && !mayBeEmpty) return [400];
  return path.includes("{") ? [404] : [200];
}

const UNAUTHORIZED = { status: 401, json: { status: 401, code: "UNAUTHORIZED" } };
const FORBIDDEN = { status: 403, json: { status: 403, code: "FORBIDDEN" } };

it("names every route once and no other", () => {
  expect(routes.map(({ id }) => id).sort()).toEqual(Object.keys(rules).sort());
});

describe.each(routes)("$id", (route) => {
  const [access, only] = present(rules[route.id], `a rule for ${route.id}`).split(" ");

  it("asks for credentials that exist", async () => {
    const answers = [];
    for (const authorization of [
      null,
      basic("0123456789abcdef0123456789abcdef", sandbox.clientSecret),
      basic(sandbox.clientId, production.clientSecret),
      sandbox.authorization.replace("Basic", "Bearer"),
    ]) {
      aheadMs += 3_000;
      answers.push(await harmless(route, sandbox, authorization));
    }
    for (const answer of answers) {
      expect(answer).toMatchObject(UNAUTHORIZED);
      expect(answer.headers.get("www-authenticate")).toMatch(/^Basic /);
      expect(answer.text).toBe(answers[0]?.text);
    }
  });

  it.each(["VIEW", "TRANSACT", "MANAGE"])("judges a token with %s alone", async (permission) => {
    const answer = await harmless(route, sandbox, tokens.get(permission));
    if (permission === access) expect(whenLetIn(route)).toContain(answer.status);
    else {
      expect(answer).toMatchObject(FORBIDDEN);
      expect(answer.json.details).toEqual({ permission: access });
    }
  });

  it("judges a production token", async () => {
    const answer = await harmless(route, production);
    if (only === "SANDBOX") expect(answer).toMatchObject(FORBIDDEN);
    else expect(whenLetIn(route)).toContain(answer.status);
  });
});

/** What sends money or personal data elsewhere, or makes a credential of a customer, needs the right to: each role in production. */
import { beforeAll, describe, expect, it } from "vitest";
import type { ConsoleBrowser } from "../../kit/console.ts";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { bankAccountBody, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { connectedAgent, type Json } from "../../kit/story-agents.ts";
import { agree } from "../../kit/story-approvals.ts";
import { announce, answered, transactionOf, umaStage } from "../../kit/story-uma.ts";
import { newWallet, registrationBody } from "../../kit/story-wallets.ts";

const server = await sharedServer();
let story: Story;
let sandbox: Story;
let owner: ConsoleBrowser;
const browsers = new Map<string, ConsoleBrowser>();

beforeAll(async () => {
  const { workspaceId } = await server.makePlatform();
  story = await openStory(server, { workspaceId, environment: "PRODUCTION" });
  sandbox = await openStory(server, { workspaceId });
  owner = await makeOwner(server, workspaceId);
  browsers.set("OWNER", owner);
  for (const role of ["ADMIN", "DEVELOPER", "FINANCE", "APPROVER", "SUPPORT", "VIEWER"])
    browsers.set(role, (await makePerson(owner, [role])).browser);
});

function by(role: string, on = story) {
  const browser = browsers.get(role);
  if (browser === undefined) throw new Error(`nobody is ${role}`);
  return browser.at(on.platformId);
}

const lackOf = ({
  status,
  json,
}: {
  readonly status: number;
  readonly json: ReturnType<typeof JSON.parse>;
}) => [status, json?.details?.capability];

describe("the account that a customer's incoming UMA money goes to", () => {
  const EXTERNAL = "/customers/external-accounts";
  const place = (customerId: string) => ({
    ...bankAccountBody({ customerId }),
    defaultUmaDepositAccount: true,
  });
  const accountsOf = async (on: Story, customerId: string) =>
    (await on.call("GET", `${EXTERNAL}?customerId=${customerId}`)).json.data;

  it("is not chosen by a person who may not make payments, also in a sandbox", async () => {
    for (const [role, on] of [
      ["SUPPORT", story],
      ["ADMIN", story],
      ["SUPPORT", sandbox],
    ] as const) {
      const { customerId } = await fundedCustomer(on, 0);
      const refused = await by(role, on)("POST", EXTERNAL, place(customerId));
      expect(lackOf(refused)).toEqual([403, "payments.create"]);
      expect(await accountsOf(on, customerId)).toEqual([]);
      const plain = await by(role, on)("POST", EXTERNAL, bankAccountBody({ customerId }));
      expect(plain.status).toBe(201);
    }
  });

  it("waits for another person where payments do, and is not in use before", async () => {
    const { customerId } = await fundedCustomer(story, 0);
    const asked = await by("FINANCE")("POST", EXTERNAL, place(customerId));
    expect(asked).toMatchObject({
      status: 202,
      json: {
        kind: "PAYMENT",
        operation: "createCustomerExternalAccount",
        approvalsNeeded: 1,
        summary: `An external account of ${customerId} in USD: USD_ACCOUNT; it takes their incoming UMA payments`,
      },
    });
    expect(await accountsOf(story, customerId)).toEqual([]);
    const self = await agree(browsers.get("FINANCE") as ConsoleBrowser, asked.json.id);
    expect(self.json.code).toBe("APPROVAL_NOT_YOURS");
    const done = await agree(browsers.get("APPROVER") as ConsoleBrowser, asked.json.id);
    expect(done.json).toMatchObject({ state: "DONE" });
    expect(await accountsOf(story, customerId)).toMatchObject([
      { id: done.json.resultId, defaultUmaDepositAccount: true },
    ]);
    const plain = await by("FINANCE")("POST", EXTERNAL, bankAccountBody({ customerId }));
    expect(plain.json.defaultUmaDepositAccount).toBe(false);
  });

  it("is named by the payments that went there, and by no others", async () => {
    const at = await umaStage(server, 200);
    const { id: before } = (await announce(at)).json;
    await answered(at);
    const made = await at.story.call("POST", EXTERNAL, place(at.customerId));
    const { id: after } = (await announce(at)).json;
    await answered(at);
    expect(await transactionOf(at, before)).not.toHaveProperty("depositAccountId");
    const sent = await transactionOf(at, after);
    expect(sent).toMatchObject({ status: "COMPLETED", depositAccountId: made.json.id });
    const events = await at.receiver.events();
    const told = events.filter(({ data }) => data.id === after);
    expect(told.map(({ data }) => data.depositAccountId)).toEqual([made.json.id, made.json.id]);
  });

  it("is chosen by an agent that could send the money there itself, and by no other", async () => {
    const choose = async (policy: Json) => {
      const agent = await connectedAgent(sandbox, { policy });
      const body = place(agent.customerId);
      const { status, json } = await agent.call("POST", "/external-accounts", body);
      return [status, json.details?.rule ?? json.defaultUmaDepositAccount];
    };
    expect(await choose({})).toEqual([201, true]);
    const refused = [403, "PAYEE_NOT_ALLOWED"];
    expect(await choose({ permissions: ["MANAGE_EXTERNAL_ACCOUNTS"] })).toEqual(refused);
    expect(await choose({ defaultExecutionMode: "APPROVAL_REQUIRED" })).toEqual(refused);
  });
});

describe("a person without pii.read", () => {
  it("neither makes nor moves a place of events, nor has events sent again", async () => {
    const url = "https://platform.example/hook";
    const made = await by("OWNER")("POST", "/webhook-endpoints", { url });
    expect(made.status).toBe(201);
    await fundedCustomer(story, 0);
    const [event] = (await story.call("GET", "/events?limit=1")).json.data;
    const endpoint = `/webhook-endpoints/${made.json.id}`;
    const [, endpointId] = made.json.id.split(":");
    const delivery = `WebhookDelivery:${endpointId}.${event.id.split(":")[1]}`;
    const developer = by("DEVELOPER");
    const foreign = "https://elsewhere.example/hook";
    const resend = { filter: { since: "2099-01-01T00:00:00Z" } };
    for (const [method, path, body] of [
      ["POST", "/webhook-endpoints", { url: foreign }],
      ["PATCH", endpoint, { url: foreign }],
      ["PATCH", endpoint, { state: "ACTIVE" }],
      ["POST", `/events/${event.id}/resend`, {}],
      ["POST", "/events/resend", resend],
      ["POST", `/webhook-deliveries/${delivery}/retry`, undefined],
      ["GET", "/events/stream", undefined],
      ["GET", "/request-logs/stream", undefined],
    ] as const)
      expect([path, ...lackOf(await developer(method, path, body))]).toEqual([
        path,
        403,
        "pii.read",
      ]);
    const config = await developer("PATCH", "/config", { webhookEndpoint: foreign });
    expect(lackOf(config)).toEqual([403, "settings.write"]);
    const { data } = (await story.call("GET", "/webhook-endpoints")).json;
    expect(data.map((one: { url: string }) => one.url)).toEqual([url]);
    // What sends nothing stays open.
    expect((await developer("GET", endpoint)).status).toBe(200);
    expect((await developer("DELETE", endpoint)).status).toBe(204);
  });

  it("does all of it in a sandbox, where a developer has pii.read", async () => {
    const made = await by("DEVELOPER", sandbox)("POST", "/webhook-endpoints", {
      url: "https://platform.example/sandbox",
    });
    expect(made.status).toBe(201);
    const moved = await by("DEVELOPER", sandbox)("PATCH", `/webhook-endpoints/${made.json.id}`, {
      url: "https://platform.example/other",
    });
    expect(moved.status).toBe(200);
  });

  it("sees no text that somebody typed", async () => {
    const metadata = { tenant: "Ana of flat 7" };
    const customer = await sandbox.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Ana Ruiz",
      currencies: ["USD"],
      metadata,
    });
    const { accountId } = await fundedCustomer(sandbox, 1_000);
    const made = await sandbox.call("POST", "/customers/external-accounts", bankAccountBody());
    const paid = await sandbox.call("POST", "/transfer-out", {
      source: { accountId },
      destination: { accountId: made.json.id },
      amount: 100,
      description: "rent of flat 7",
      remittanceInformation: "flat 7",
      metadata,
    });
    expect(paid.json.metadata).toEqual(metadata);
    const wallet = await newWallet(sandbox);
    await sandbox.call(
      "POST",
      "/auth/credentials",
      registrationBody("EMAIL_OTP", wallet.accountId),
    );
    await sandbox.settle();
    const viewer = by("VIEWER", sandbox);
    const shown = await viewer("GET", `/transactions/${paid.json.id}`);
    const { reference } = paid.json;
    expect(shown.json).toMatchObject({ metadata: { tenant: "•••" }, reference });
    const texts = await Promise.all(
      [
        `/customers/${customer.json.id}`,
        "/customers",
        "/transactions",
        `/transactions/${paid.json.id}`,
        `/transactions/${paid.json.id}/timeline`,
        `/auth/credentials?accountId=${wallet.accountId}`,
      ].map(async (path) => (await viewer("GET", path)).text),
    );
    for (const text of texts) {
      expect(text.length).toBeGreaterThan(50);
      expect(text).not.toMatch(/flat 7|@example/);
    }
  });
});

describe("the credentials of a customer's wallet", () => {
  it("are made and used in production by nobody from the console", async () => {
    const { accountId } = await newWallet(story);
    const unknown = "AuthMethod:019a4f00-0000-7000-8000-000000000001";
    const session = "Session:019a4f00-0000-7000-8000-000000000001";
    for (const role of ["OWNER", "SUPPORT", "FINANCE"])
      for (const [path, body] of [
        ["/auth/credentials", registrationBody("PASSKEY", accountId)],
        [`/auth/credentials/${unknown}/challenge`, {}],
        [`/auth/credentials/${unknown}/verify`, {}],
        [`/auth/sessions/${session}/refresh`, {}],
        [`/internal-accounts/${accountId}/export`, {}],
      ] as const) {
        const { status, json } = await by(role)("POST", path, body);
        expect([role, path, status, json.code]).toEqual([role, path, 403, "FORBIDDEN"]);
      }
    const { data } = (await story.call("GET", `/auth/credentials?accountId=${accountId}`)).json;
    expect(data).toEqual([]);
  });

  it("are made from the console in a sandbox, and by the platform's service anywhere", async () => {
    const tried = await newWallet(sandbox);
    const body = registrationBody("PASSKEY", tried.accountId);
    expect((await by("SUPPORT", sandbox)("POST", "/auth/credentials", body)).status).toBe(201);
    const { accountId } = await newWallet(story);
    // Nothing of a real authenticator is sent, so the proof is refused, and not the caller.
    const made = await story.call(
      "POST",
      "/auth/credentials",
      registrationBody("PASSKEY", accountId),
    );
    expect(made.status).not.toBe(403);
  });
});

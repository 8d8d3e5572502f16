/** Mails to the people who may decide about an order that waits: who gets one, what it says, and when there is none. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import type { ConsoleBrowser } from "../../kit/console.ts";
import { type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { endMailServers, type MailServer, startMailServer } from "../../kit/mail-server.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { agree, takeBack } from "../../kit/story-approvals.ts";
import { expectStatus } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";
import { adjustmentOf } from "../../kit/valid-approval-calls.ts";

let awayFor = 0;
let mail: MailServer;
let server: TestServer;
let workspaceId: string;
let story: Story;
let owner: ConsoleBrowser;
let finance: InvitedPerson;
let approver: InvitedPerson;
let accountId: string;
let payeeId: string;

beforeAll(async () => {
  mail = await startMailServer({
    onRcptTo(_address, _session, done) {
      awayFor -= 1;
      if (awayFor < 0) done();
      else done(Object.assign(new Error("later"), { responseCode: 451 }));
    },
  });
  server = await startTestServer({
    settings: { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: "florin@example.com" },
  });
  ({ workspaceId } = await server.makePlatform());
  story = await openStory(server, { workspaceId });
  owner = await makeOwner(server, workspaceId);
  finance = await makePerson(owner, ["FINANCE"], { mailedTo });
  approver = await makePerson(owner, ["APPROVER"], { mailedTo });
  await makePerson(owner, ["VIEWER"], { mailedTo });
  const made = await fundedCustomer(story, 1_000_000);
  ({ accountId } = made);
  payeeId = await bankAccount(story, { customerId: made.customerId });
  const rules = { PAYMENT: { waits: true } };
  const platformId = `PlatformConfig:${story.platformId}`;
  expectStatus(200, await owner.call("PUT", "/workspace/policies", { platformId, rules }));
  await mails();
}, 60_000);
afterAll(async () => {
  await server?.close();
  await endMailServers();
});

async function mailedTo(address: string): Promise<string> {
  await server.app.jobs.drain(workspaceId);
  const at = mail.received.findIndex(({ to, raw }) => to[0] === address && raw.includes("#"));
  const [found] = mail.received.splice(at, at < 0 ? 0 : 1);
  return present(/http\S+#\S+/.exec(textOf(found?.raw ?? ""))?.[0], `a link for ${address}`);
}

function textOf(raw: string): string {
  const soft = raw.replaceAll("=\r\n", "");
  const bytes = soft.replace(/(?:=[0-9A-F]{2})+/g, (hex) =>
    Buffer.from(hex.replaceAll("=", ""), "hex").toString("utf8"),
  );
  return bytes.replaceAll("\r\n", "\n");
}

/** The mails since the last call, with their texts. */
async function mails() {
  await server.app.jobs.drain(story.platformId);
  return mail.received.splice(0).map(({ to, headers, raw }) => ({
    to: to[0],
    subject: headers.get("subject"),
    text: textOf(raw),
  }));
}

const emailOf = async ({ browser }: InvitedPerson): Promise<string> =>
  (await browser.call("GET", "/me")).json.email;
const pay = async (amount: number) =>
  expectStatus(
    202,
    await finance.browser.at(story.platformId)("POST", "/transfer-out", {
      source: { accountId },
      destination: { accountId: payeeId },
      amount,
      description: "Rent of May",
    }),
  ).json.id as string;

it("has each fact and warning of the page, for each person who may decide and for no other", async () => {
  const id = await pay(301_250);
  const received = await mails();
  const deciders = [(await owner.call("GET", "/me")).json.email, await emailOf(approver)];
  expect(received.map(({ to }) => to).toSorted()).toEqual(deciders.toSorted());
  const { shown } = (await approver.browser.call("GET", `/workspace/approvals/${id}`)).json;
  for (const { subject, text } of received) {
    expect(subject).toBe("Waits for you: Transfer out: 3,012.50 USD");
    for (const { label, value, personal } of shown.facts)
      expect(text).toContain(`${label}: ${value ?? personal}\n`);
    expect(shown.warnings).not.toEqual([]);
    for (const warning of shown.warnings) expect(text).toContain(`- ${warning.text}\n`);
    expect(text).toContain("under Approvals");
  }
});

it("of an adjustment that a token asks for goes out as well", async () => {
  const asked = await story.call("POST", "/adjustments", adjustmentOf(accountId));
  expectStatus(202, asked);
  const received = await mails();
  expect(received.map(({ subject }) => subject)).toEqual([
    "Waits for you: Adjustment of a balance: 1.25 USD",
    "Waits for you: Adjustment of a balance: 1.25 USD",
  ]);
});

/** Waits until no mail is to be sent any more. */
async function sent() {
  const waiting = () =>
    server.app.store.database.withClient(async (client) => {
      const { rows } = await client.query("select 1 from jobs where kind like 'mail-approver%'");
      return rows.length;
    });
  await expect.poll(waiting, { timeout: 20_000, interval: 200 }).toBe(0);
  return mails();
}

it("comes once from a mail server that was away", async () => {
  awayFor = 1;
  await pay(100);
  const received = await sent();
  expect(new Set(received.map(({ to }) => to)).size).toBe(2);
  expect(received).toHaveLength(2);
});

it("does not come for an order that was decided or taken back meanwhile", async () => {
  awayFor = 1_000;
  const [id, other] = [await pay(101), await pay(102)];
  await server.app.jobs.drain(story.platformId);
  expect((await agree(approver.browser, id)).json.state).toBe("DONE");
  expect((await takeBack(finance.browser, other)).json.state).toBe("CANCELLED");
  awayFor = 0;
  expect(await sent()).toEqual([]);
});

it("stops after twenty orders of an hour", async () => {
  for (let amount = 200; amount < 225; amount++) await pay(amount);
  const subjects = new Set((await mails()).map(({ subject }) => subject));
  expect(subjects.size).toBeGreaterThan(5);
  expect(subjects).not.toContain("Waits for you: Transfer out: 2.24 USD");
});

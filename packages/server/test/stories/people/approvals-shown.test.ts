/** What a person is shown of an order, that the passkey signs exactly that, and that nothing else is agreed to. */
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { verifyApprovals } from "../../../src/audit/verify-approvals.ts";
import { readerOn } from "../../../src/audit/verify-rows.ts";
import { approvalChecks } from "../../../src/boot/people/approval-checks.ts";
import { findApproval } from "../../../src/domain/people/approvals/approval.ts";
import { findShowing } from "../../../src/domain/people/approvals/shown/kept-showing.ts";
import { openShowing } from "../../../src/http/approvals/showing.ts";
import { present } from "../../../src/std/assert.ts";
import { assertionOf, type ConsoleBrowser } from "../../kit/console.ts";
import { type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import {
  bankAccount,
  fundedCustomer,
  openStory,
  type RawAnswer,
  type Story,
} from "../../kit/story.ts";
import { connectedAgent } from "../../kit/story-agents.ts";
import { agree, sealedFor, verdictOf } from "../../kit/story-approvals.ts";
import { expectStatus } from "../../kit/story-rails.ts";
import { adjustmentOf } from "../../kit/valid-approval-calls.ts";

interface Fact {
  readonly key: string;
  readonly label: string;
  readonly value?: string;
  readonly personal?: string;
  readonly before?: string;
  readonly personalBefore?: string;
}

const server = await sharedServer();
let workspaceId: string;
let story: Story;
let owner: ConsoleBrowser;
let finance: InvitedPerson;
let approver: InvitedPerson;
let second: InvitedPerson;
let viewer: InvitedPerson;
let accountId: string;
let payeeId: string;

beforeAll(async () => {
  ({ workspaceId } = await server.makePlatform());
  story = await openStory(server, { workspaceId });
  owner = await makeOwner(server, workspaceId);
  finance = await makePerson(owner, ["FINANCE"]);
  approver = await makePerson(owner, ["APPROVER"]);
  second = await makePerson(owner, ["APPROVER"]);
  viewer = await makePerson(owner, ["VIEWER"]);
  const made = await fundedCustomer(story, 1_000_000);
  ({ accountId } = made);
  payeeId = await bankAccount(story, { customerId: made.customerId });
  const rules = { PAYMENT: { waits: true } };
  const platformId = `PlatformConfig:${story.platformId}`;
  expectStatus(200, await owner.call("PUT", "/workspace/policies", { platformId, rules }));
}, 60_000);

const pay = (amount: number, by = finance) =>
  by.browser.at(story.platformId)("POST", "/transfer-out", {
    source: { accountId },
    destination: { accountId: payeeId },
    amount,
    description: "Rent of May",
  });
const waiting = (answer: RawAnswer): string => expectStatus(202, answer).json.id;
const seenBy = async ({ browser }: InvitedPerson, id: string) =>
  expectStatus(200, await browser.call("GET", `/workspace/approvals/${id}`)).json;
const textOf = (facts: readonly Fact[], key: string) => {
  const fact = facts.find((one) => one.key === key);
  return fact?.value ?? fact?.personal;
};

/** The kept text of the only agreement to an order. */
async function keptOf(id: string) {
  const { reads } = server.app.store.database;
  const { platformId } = story;
  const approval = present(await findApproval(reads, platformId, id.slice(9)), "an approval");
  const [{ showingId = "", shownDigest } = { shownDigest: undefined }] = approval.decisions;
  const row = present(await findShowing(reads, platformId, showingId), "what was shown");
  return { row, shownDigest, showing: openShowing(server.app.store, platformId, row) };
}

describe("what is shown of a payment", () => {
  it("is its amount, payee, account and asker, with what is known of them", async () => {
    const id = waiting(await pay(301_250));
    const { shown } = await seenBy(approver, id);
    expect(shown.title).toBe("Transfer out");
    const told = Object.fromEntries(
      (shown.facts as readonly Fact[]).map(({ key, value, personal }) => [key, value ?? personal]),
    );
    expect(told).toMatchObject({
      amount: "3,012.50 USD",
      "payee.bank": expect.any(String),
      "payee.country": "United States",
      "payee.lastFour": expect.stringMatching(/^••\d{4}$/),
      "payee.type": "USD account",
      "payee.paid": "0 times before",
      "payee.nameCheck": "The name matches",
      "from.type": "USD account at the platform",
      "from.balance": "10,000.00 USD",
      "from.balanceAfter": "6,987.50 USD",
      "asker.by": "The console, with a passkey",
      "content.description": "Rent of May",
    });
    expect(told["payee.created"]).toMatch(/^\d+ \w{3} \d{4} by the API token /);
    expect(told["asker.name"]).toMatch(/^Person \d+ \(person-\d+@example\.com\)$/);
    expect(shown.warnings.map(({ key }: { readonly key: string }) => key)).toEqual([
      "FIRST_PAYMENT",
      "NEW_ACCOUNT",
    ]);
  });

  it("is what the passkey signs, and is kept", async () => {
    const id = waiting(await pay(100));
    const { shown } = await seenBy(approver, id);
    const path = `/workspace/approvals/${id}/decide`;
    const seen = { outcome: "APPROVED", shown: shown.sealed };
    const { json } = expectStatus(200, await approver.browser.call("POST", path, seen));
    const done = expectStatus(200, await agree(approver.browser, id, { shown: shown.sealed })).json;
    expect(done.state).toBe("DONE");
    const { row, showing, shownDigest } = await keptOf(id);
    expect(showing).toMatchObject({ approvalId: id, to: approver.id, at: shown.at });
    const { sealed: _, ...facts } = shown;
    expect({ ...showing, ...facts }).toEqual(showing);
    expect(row.digest).toBe(shownDigest);
    expect(done.decisions[0].shownDigest).toBe(shownDigest);
    const text = `florin approval v2\n${id}\n${done.contentDigest}\n${shownDigest}`;
    expect(json.challenge).toBe(createHash("sha256").update(text).digest("base64url"));
    // Afterwards it is shown as it was then.
    expect((await seenBy(second, id)).shown).toEqual(facts);
  });

  it("counts what moved meanwhile as it was shown", async () => {
    const [first, next] = [waiting(await pay(100)), waiting(await pay(200))];
    const shown = await sealedFor(approver.browser, next);
    const { shown: before } = await seenBy(approver, next);
    expect((await agree(approver.browser, first)).json.state).toBe("DONE");
    expect(
      (await agree(approver.browser, next, shown === undefined ? {} : { shown })).json.state,
    ).toBe("DONE");
    const { showing } = await keptOf(next);
    expect(textOf(showing.facts, "from.balance")).toBe(textOf(before.facts, "from.balance"));
  });
});

describe("an agreement", () => {
  const agreed = async (id: string, shown: string, by = approver) =>
    verdictOf(await agree(by.browser, id, { shown }));

  it("needs the facts that were sealed for this person and this order", async () => {
    const [id, other] = [waiting(await pay(100)), waiting(await pay(100))];
    const sealed = present(await sealedFor(approver.browser, id), "the sealed facts");
    const ofOther = present(await sealedFor(approver.browser, other), "the sealed facts");
    const flipped = `${sealed.slice(0, -2)}${sealed.endsWith("A") ? "B" : "A"}${sealed.slice(-1)}`;
    for (const [by, wrong] of [
      [approver, ofOther],
      [second, sealed],
      [approver, flipped],
      [approver, "nothing"],
      [approver, ""],
    ] as const) {
      expect(await agreed(id, wrong, by)).toEqual([400, "INVALID_INPUT"]);
    }
    expect((await seenBy(approver, id)).decisions).toEqual([]);
    expect(await agreed(id, sealed)).toEqual([200]);
  });

  it("is not signed by a passkey over other facts", async () => {
    const [id, other] = [waiting(await pay(100)), waiting(await pay(101))];
    const path = `/workspace/approvals/${other}/decide`;
    const seen = { outcome: "APPROVED", shown: await sealedFor(approver.browser, other) };
    const { challenge } = (await approver.browser.call("POST", path, seen)).json;
    expect(verdictOf(await agree(approver.browser, id, { challenge }))).toEqual([
      401,
      "UNAUTHORIZED",
    ]);
  });

  it("is refused when a fact that does not move is another one now", async () => {
    const id = waiting(await pay(100));
    const sealed = present(await sealedFor(approver.browser, id), "the sealed facts");
    expectStatus(200, await finance.browser.call("PATCH", "/me", { name: "Another Name" }));
    const answer = await agree(approver.browser, id, { shown: sealed });
    expect([answer.status, answer.json.details]).toEqual([409, { changed: ["asker.name"] }]);
    expect((await agree(approver.browser, id)).json.state).toBe("DONE");
  });
});

it("is without personal values for a person who may not see them, who gets no seal", async () => {
  const id = waiting(await pay(100));
  const { shown } = await seenBy(viewer, id);
  expect(shown.sealed).toBeUndefined();
  const { facts } = shown as { readonly facts: readonly Fact[] };
  expect(textOf(facts, "amount")).toBe("1.00 USD");
  expect(new Set(facts.flatMap(({ personal = [] }) => personal))).toEqual(new Set(["•••"]));
  expect(facts.some(({ key }) => key === "payee.name")).toBe(true);
});

it("of an adjustment is the account with its balance before and after, and why", async () => {
  const more = { amount: 1_250, note: "An apology for May" };
  const asked = await story.call("POST", "/adjustments", adjustmentOf(accountId, more));
  const { facts } = (await seenBy(approver, waiting(asked))).shown;
  const told = Object.fromEntries(
    (facts as readonly Fact[]).map(({ label, value, personal }) => [label, value ?? personal]),
  );
  expect(told).toMatchObject({
    Amount: "12.50 USD",
    Note: "An apology for May",
    "Reason code": "Goodwill",
  });
  expect(told["Asked with"]).toMatch(/^An API token/);
});

describe("a list of approvals", () => {
  const inList = async ({ browser }: InvitedPerson, id: string) =>
    (await browser.call("GET", "/workspace/approvals?limit=100")).json.data.find(
      (one: { readonly id: string }) => one.id === id,
    );

  it("says what each is, its amount, and who pays, is paid and asked", async () => {
    const id = waiting(await pay(301_250));
    const { title, amount, parties } = await inList(approver, id);
    expect([title, amount]).toEqual(["Transfer out", "3,012.50 USD"]);
    expect(parties).toMatchObject({
      by: { kind: "PERSON", id: finance.id },
      from: { kind: "INTERNAL_ACCOUNT", id: accountId },
      to: { kind: "EXTERNAL_ACCOUNT", id: payeeId },
    });
    const masked = (await inList(viewer, id)).parties;
    expect(masked.to.name).not.toBe(parties.to.name);
    const asked = waiting(await story.call("POST", "/adjustments", adjustmentOf(accountId)));
    expect(await inList(approver, asked)).toMatchObject({
      amount: "1.25 USD",
      parties: { by: { kind: "TOKEN" }, to: { id: accountId } },
    });
  });
});

describe("a comment", () => {
  const comment = ({ browser }: InvitedPerson, id: string, text: string) =>
    browser.call("POST", `/workspace/approvals/${id}/comments`, { comment: text });

  it("is of both sides, before and after the end, and is kept in order", async () => {
    const id = waiting(await pay(100));
    expectStatus(201, await comment(approver, id, "Which invoice is it?"));
    expectStatus(201, await comment(finance, id, "That of May"));
    expect((await agree(approver.browser, id)).json.state).toBe("DONE");
    expectStatus(201, await comment(approver, id, "Thanks"));
    const { comments, mayComment } = await seenBy(second, id);
    expect(comments.map((one: { readonly comment: string }) => one.comment)).toEqual([
      "Which invoice is it?",
      "That of May",
      "Thanks",
    ]);
    expect(comments[0].author.id).toBe(approver.id);
    expect(mayComment).toBe(true);
  });

  it("is not of others, not empty, not too long, and not on what is not there", async () => {
    const id = waiting(await pay(100));
    expect(verdictOf(await comment(viewer, id, "Hello"))).toContain("APPROVAL_NOT_YOURS");
    expect((await seenBy(viewer, id)).mayComment).toBe(false);
    for (const text of ["", " ", "x".repeat(1_001)])
      expect(verdictOf(await comment(approver, id, text))).toEqual([400, "INVALID_INPUT"]);
    const unknown = "Approval:00000000-0000-7000-8000-000000000000";
    expect(verdictOf(await comment(approver, unknown, "Hello"))).toEqual([
      404,
      "APPROVAL_NOT_FOUND",
    ]);
    expect((await seenBy(approver, id)).comments).toEqual([]);
  });

  it("is hidden from a person without personal data, and is in the audit log", async () => {
    const id = waiting(await pay(100));
    expectStatus(201, await comment(approver, id, "Ana Ruiz called"));
    expect((await seenBy(viewer, id)).comments).toMatchObject([{ comment: "•••" }]);
    const { json } = await owner.at(story.platformId)("GET", "/audit-entries?act=comment-approval");
    expect(json.data[0]).toMatchObject({ act: "comment-approval" });
    expect(JSON.stringify(json.data)).not.toContain("Ana Ruiz called");
  });
});

describe("an order of an agent that waits", () => {
  const shownAt = (
    { browser }: InvitedPerson,
    { agentId, id }: { readonly agentId: string; readonly id: string },
  ) => browser.at(story.platformId)("GET", `/agents/${agentId}/actions/${id}/shown`);

  it("has the facts and warnings of a payment, with the rule by which it waits", async () => {
    const agent = await connectedAgent(story, {
      policy: { defaultExecutionMode: "APPROVAL_REQUIRED" },
    });
    const { id } = expectStatus(201, await agent.pay(301)).json;
    const { json } = expectStatus(200, await shownAt(approver, { agentId: agent.agentId, id }));
    expect(json).toMatchObject({ title: "Order of an agent" });
    expect(json).not.toHaveProperty("sealed");
    const facts = json.facts as readonly Fact[];
    expect(
      ["amount", "payee.paid", "from.balance", "from.balanceAfter", "asker.by"].map((key) =>
        textOf(facts, key),
      ),
    ).toEqual([
      "3.01 USD",
      "0 times before",
      "1,000.00 USD",
      "996.99 USD",
      "A policy by which every order waits",
    ]);
    expect(textOf(facts, "asker.name")).toBe("The agent Bill payer");
    expect(json.warnings.map(({ key }: { readonly key: string }) => key)).toEqual([
      "FIRST_PAYMENT",
      "NEW_ACCOUNT",
    ]);
    const masked = expectStatus(200, await shownAt(viewer, { agentId: agent.agentId, id })).json;
    expect(textOf(masked.facts, "payee.name")).toBe("•••");
    const unknown = { agentId: agent.agentId, id: `AgentAction:${story.platformId}` };
    expect((await shownAt(approver, unknown)).status).toBe(404);
  });
});

describe("an agreement, checked later", () => {
  /** What verify says of agreements after a change of the rows, which is undone. */
  const found = (edit: string, values: readonly string[]) =>
    server.database.asSuperuser(async (client) => {
      await client.query("begin");
      try {
        await client.query("set local session_replication_role = replica");
        await client.query(edit, [...values]);
        const told: string[] = [];
        await verifyApprovals(readerOn(client), story.platformId, {
          checks: approvalChecks(server.app.store.sealer),
          tell: ({ what }) => told.push(what),
        });
        return told;
      } finally {
        await client.query("rollback");
      }
    });

  it("covers the kept text, and one of an earlier version the order alone", async () => {
    const id = waiting(await pay(100));
    const { contentDigest } = await seenBy(approver, id);
    expect((await agree(approver.browser, id)).json.state).toBe("DONE");
    const uuid = id.slice("Approval:".length);
    const decisions = "update approvals set decisions = $2::json where id = $1::uuid";
    const approval = present(
      await findApproval(server.app.store.database.reads, story.platformId, uuid),
      "an approval",
    );
    const [
      { showingId: _, shownDigest: _digest, ...older } = present(approval.decisions[0], "one"),
    ] = approval.decisions;
    const withoutShown = JSON.stringify([older]);
    expect((await found(decisions, [uuid, withoutShown])).join()).toContain("something else");
    const lost = JSON.stringify([{ ...approval.decisions[0], showingId: uuid }]);
    expect((await found(decisions, [uuid, lost])).join()).toContain("lost what was shown");

    const text = `florin approval v1\n${id}\n${contentDigest}`;
    const challenge = createHash("sha256").update(text).digest("base64url");
    const { response } = assertionOf(approver.browser, { challenge });
    const assertion = {
      ...older.assertion,
      clientDataJson: response.clientDataJSON,
      authenticatorData: response.authenticatorData,
      signature: response.signature,
    };
    expect(await found(decisions, [uuid, JSON.stringify([{ ...older, assertion }])])).toEqual([]);
  });
});

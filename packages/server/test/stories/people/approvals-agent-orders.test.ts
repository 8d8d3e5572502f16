/** Orders of agents that wait are rows among the approvals of the console, with a page each. */
import { beforeAll, describe, expect, it } from "vitest";
import { type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { connectedAgent, type StoryAgent } from "../../kit/story-agents.ts";
import { verdictOf } from "../../kit/story-approvals.ts";
import { expectStatus } from "../../kit/story-rails.ts";
import { adjustmentOf } from "../../kit/valid-approval-calls.ts";

const server = await sharedServer();
let story: Story;
let approver: InvitedPerson;
let finance: InvitedPerson;
let viewer: InvitedPerson;
let agent: StoryAgent;

beforeAll(async () => {
  const { workspaceId } = await server.makePlatform();
  story = await openStory(server, { workspaceId });
  const owner = await makeOwner(server, workspaceId);
  approver = await makePerson(owner, ["APPROVER"]);
  finance = await makePerson(owner, ["FINANCE"]);
  viewer = await makePerson(owner, ["VIEWER"]);
  agent = await connectedAgent(story, { policy: { defaultExecutionMode: "APPROVAL_REQUIRED" } });
}, 60_000);

const waiting = async (amount: number): Promise<string> =>
  expectStatus(201, await agent.pay(amount)).json.id;
const list = async ({ browser }: InvitedPerson, query = "") =>
  expectStatus(200, await browser.call("GET", `/workspace/approvals?limit=100${query}`)).json.data;
const idsIn = async (person: InvitedPerson, query = ""): Promise<readonly string[]> =>
  (await list(person, query)).map(({ id }: { readonly id: string }) => id);
const rowOf = async (person: InvitedPerson, id: string) =>
  (await list(person)).find((one: { readonly id: string }) => one.id === id);

describe("an order of an agent that waits", () => {
  it("is a row with its amount and parties, which the person may decide about", async () => {
    const id = await waiting(301);
    expect(await rowOf(approver, id)).toMatchObject({
      id,
      platformId: `PlatformConfig:${story.platformId}`,
      kind: "AGENT_ORDER",
      operation: "transferOut",
      state: "PENDING",
      requestedBy: agent.agentId,
      title: "Order of an agent",
      amount: "3.01 USD",
      mayDecide: true,
      mayReject: true,
      mayCancel: false,
      parties: {
        from: { kind: "INTERNAL_ACCOUNT", id: agent.accountId },
        to: { kind: "EXTERNAL_ACCOUNT", id: agent.payeeId },
        by: { kind: "AGENT", name: "Bill payer" },
      },
    });
    expect(await idsIn(approver, "&shown=MINE_TO_DECIDE")).toContain(id);
    const seen = await rowOf(finance, id);
    expect([seen.mayDecide, seen.mayReject, seen.rule]).toEqual([false, false, "CAPABILITY"]);
    expect(await idsIn(finance, "&shown=MINE_TO_DECIDE")).not.toContain(id);
    const clear = (await rowOf(approver, id)).parties.to.name;
    expect((await rowOf(viewer, id)).parties.to.name).not.toBe(clear);
  });

  it("is found by its kind and state, and is in no other view", async () => {
    const id = await waiting(302);
    const { accountId } = await fundedCustomer(story, 1_000);
    const asked = await story.call("POST", "/adjustments", adjustmentOf(accountId));
    const other: string = expectStatus(202, asked).json.id;
    for (const [query, expected] of [
      ["&kind=AGENT_ORDER", [true, false]],
      ["&kind=ADJUSTMENT", [false, true]],
      ["&state=PENDING", [true, true]],
      ["&state=DONE", [false, false]],
      ["&shown=DECIDED", [false, false]],
      ["&shown=MINE_REQUESTED", [false, false]],
      ["&shown=MINE_TO_DECIDE&kind=AGENT_ORDER", [true, false]],
    ] as const) {
      const ids = await idsIn(approver, query);
      expect([query, ids.includes(id), ids.includes(other)]).toEqual([query, ...expected]);
    }
    const wrong = await approver.browser.call("GET", "/workspace/approvals?kind=NONE");
    expect(verdictOf(wrong)).toEqual([400, "INVALID_INPUT"]);
  });

  it("is read page by page with the others, each once and the newest first", async () => {
    const all = await idsIn(approver, "&state=PENDING");
    const walked: string[] = [];
    let cursor = "";
    do {
      const path = `/workspace/approvals?limit=2&state=PENDING${cursor}`;
      const { json } = expectStatus(200, await approver.browser.call("GET", path));
      walked.push(...json.data.map(({ id }: { readonly id: string }) => id));
      cursor = json.hasMore ? `&cursor=${encodeURIComponent(json.nextCursor)}` : "";
    } while (cursor !== "");
    expect(walked).toEqual(all);
    const uuids = all.map((id) => id.split(":")[1] ?? "");
    expect(uuids).toEqual(uuids.toSorted().toReversed());
  });

  it("has a page with the facts and warnings, also after it was decided", async () => {
    const id = await waiting(303);
    const seen = async (person: InvitedPerson) =>
      expectStatus(200, await person.browser.call("GET", `/workspace/approvals/${id}`)).json;
    const { shown, mayDecide, comments, mayComment } = await seen(approver);
    expect([mayDecide, comments, mayComment, shown.sealed]).toEqual([true, [], false, undefined]);
    const keys = shown.facts.map(({ key }: { readonly key: string }) => key);
    for (const key of ["amount", "payee.name", "payee.paid", "from.balanceAfter", "asker.by"])
      expect(keys).toContain(key);
    expect(JSON.stringify((await seen(viewer)).shown.facts)).toContain("•••");
    const decide = approver.browser.at(story.platformId);
    const path = `/agents/${agent.agentId}/actions/${id}/approve`;
    expectStatus(200, await decide("POST", path));
    expect(await idsIn(approver)).not.toContain(id);
    expect(await seen(approver)).toMatchObject({ state: "DONE", mayDecide: false });
  });

  it("of another platform, or of none, is not found", async () => {
    const id = await waiting(304);
    const { workspaceId } = await server.makePlatform();
    await openStory(server, { workspaceId });
    const stranger = await makeOwner(server, workspaceId);
    for (const [browser, path] of [
      [stranger, id],
      [approver.browser, `AgentAction:${story.platformId}`],
      [approver.browser, "AgentAction:1"],
    ] as const) {
      const answer = await browser.call("GET", `/workspace/approvals/${path}`);
      expect(verdictOf(answer)).toEqual([404, "APPROVAL_NOT_FOUND"]);
    }
    const { json } = await stranger.call("GET", "/workspace/approvals");
    expect(json.data).toEqual([]);
  });
});

/** What lets an agent do more, and waits for another person in production. */
import { beforeAll, describe, expect, it } from "vitest";
import { type ConsoleBrowser, signIn } from "../../kit/console.ts";
import { type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { newAgent } from "../../kit/story-agents.ts";
import { agree, reject, shownTo, takeBack, verdictOf } from "../../kit/story-approvals.ts";
import { expectStatus } from "../../kit/story-rails.ts";

const server = await sharedServer();
let story: Story;
let sandbox: Story;
let owner: ConsoleBrowser;
let admin: InvitedPerson;
let approver: InvitedPerson;

beforeAll(async () => {
  const { workspaceId } = await server.makePlatform();
  // Its customers need no verification here.
  const isRegulated = true;
  story = await openStory(server, { workspaceId, environment: "PRODUCTION", isRegulated });
  sandbox = await openStory(server, { workspaceId });
  owner = await makeOwner(server, workspaceId);
  admin = await makePerson(owner, ["ADMIN"]);
  approver = await makePerson(owner, ["APPROVER"]);
});

const UNKNOWN = "Agent:019a4f00-0000-7000-8000-000000000099";
const STRICT = {
  permissions: ["CREATE_TRANSFERS"],
  defaultExecutionMode: "APPROVAL_REQUIRED",
  spendingLimits: { currency: "USD", perTransactionLimit: 1_000, dailyLimit: 5_000 },
};

const at = (browser: ConsoleBrowser, on = story) => browser.at(on.platformId);
const waiting = (answer: RawAnswer) => expectStatus(202, answer).json;
const strictAgent = async (on = story) => newAgent(on, { policy: STRICT, funds: 0 });
const policyOf = async (id: string, on = story) =>
  (await on.call("GET", `/agents/${id}`)).json.policy;
const change = (by: ConsoleBrowser, id: string, changes: object, on = story) =>
  at(by, on)("PATCH", `/agents/${id}/policy`, changes);
const isConnectedBy = async (code: string) => {
  const answer = await story.call("POST", `/agents/device-codes/${code}/redeem`);
  return answer.status === 200;
};
const codeOf = (agentId: string, by = admin) =>
  at(by.browser)("POST", `/agents/${agentId}/device-codes`);

describe("a change of a policy by a person", () => {
  it("by which the agent may do more waits, and is made by the agreement", async () => {
    const { agentId } = await strictAgent();
    const before = await policyOf(agentId);
    const changes = { spendingLimits: { dailyLimit: null }, permissions: ["CREATE_QUOTES"] };
    const asked = waiting(await change(admin.browser, agentId, changes));
    expect(asked).toMatchObject({
      kind: "AGENT_POLICY",
      operation: "updateAgentPolicy",
      requestedBy: admin.id,
      approvalsNeeded: 1,
      summary: `More for ${agentId}: permissions, spendingLimits.dailyLimit`,
      content: { agentId, changes, before },
    });
    expect(await policyOf(agentId)).toEqual(before);
    expect(verdictOf(await agree(admin.browser, asked.id))).toContain("CAPABILITY");
    expect(await shownTo(approver.browser, "?shown=MINE_TO_DECIDE&kind=AGENT_POLICY")).toContain(
      asked.id,
    );
    const done = expectStatus(200, await agree(approver.browser, asked.id)).json;
    expect(done).toMatchObject({ state: "DONE", resultId: agentId });
    expect(await policyOf(agentId)).toMatchObject({
      permissions: ["CREATE_QUOTES"],
      spendingLimits: { dailyLimit: null, perTransactionLimit: 1_000 },
    });
  });

  it("by which it may do less is made at once, as is each one of a token and in a sandbox", async () => {
    const { agentId } = await strictAgent();
    const less = {
      spendingLimits: { dailyLimit: 10 },
      approvalThresholds: { currency: "USD", amount: 0 },
    };
    expectStatus(200, await change(admin.browser, agentId, less));
    const more = { spendingLimits: { dailyLimit: null } };
    expectStatus(200, await story.call("PATCH", `/agents/${agentId}/policy`, more));
    const other = await strictAgent(sandbox);
    expectStatus(200, await change(admin.browser, other.agentId, more, sandbox));
  });

  it("that is refused now does not wait", async () => {
    const { agentId } = await strictAgent();
    const foreign = { accountRestrictions: { allowedAccountIds: ["InternalAccount:none"] } };
    const answers = [
      await change(admin.browser, UNKNOWN, { permissions: ["CREATE_QUOTES"] }),
      await change(admin.browser, agentId, { spendingLimits: { currency: "XXX" } }),
      await change(admin.browser, agentId, foreign),
      await change(admin.browser, agentId, { permissions: "ALL" }),
      await change(approver.browser, agentId, { permissions: [] }),
      await change(admin.browser, `Agent:${(await strictAgent(sandbox)).agentId.slice(6)}`, {
        permissions: [],
      }),
    ];
    expect(answers.map(({ status, json }) => [status, json.code])).toEqual([
      [404, "REFERENCE_NOT_FOUND"],
      [400, "INVALID_CURRENCY"],
      [404, "REFERENCE_NOT_FOUND"],
      [400, "INVALID_INPUT"],
      [403, "FORBIDDEN"],
      [404, "REFERENCE_NOT_FOUND"],
    ]);
  });

  it("fails when the policy is no longer the one that was shown, and changes nothing", async () => {
    const { agentId } = await strictAgent();
    const more = { spendingLimits: { perTransactionLimit: 1_000_000 } };
    const asked = waiting(await change(admin.browser, agentId, more));
    const second = await change(owner, agentId, { permissions: ["CREATE_QUOTES"] });
    expect([second.status, second.json.code]).toEqual([409, "CONFLICT"]);
    expectStatus(200, await change(owner, agentId, { spendingLimits: { dailyLimit: 1 } }));
    const after = await policyOf(agentId);
    const failed = expectStatus(200, await agree(approver.browser, asked.id)).json;
    expect(failed).toMatchObject({ state: "FAILED", failure: { code: "CONFLICT" } });
    expect(await policyOf(agentId)).toEqual(after);
  });

  it("fails for an agent that was deleted meanwhile, and is worth nothing when it is rejected", async () => {
    const [gone, kept] = [await strictAgent(), await strictAgent()];
    const more = { permissions: ["CREATE_TRANSFERS", "CREATE_QUOTES"] };
    const [one, other] = [
      waiting(await change(admin.browser, gone.agentId, more)),
      waiting(await change(admin.browser, kept.agentId, more)),
    ];
    expectStatus(204, await at(owner)("DELETE", `/agents/${gone.agentId}`));
    expect((await agree(approver.browser, one.id)).json).toMatchObject({
      state: "FAILED",
      failure: { code: "REFERENCE_NOT_FOUND" },
    });
    expect((await reject(approver.browser, other.id)).json.state).toBe("REJECTED");
    expect((await policyOf(kept.agentId)).permissions).toEqual(["CREATE_TRANSFERS"]);
  });

  it("is not agreed to by an owner who asked, from another session either", async () => {
    const { agentId } = await strictAgent();
    const asked = waiting(await change(owner, agentId, { permissions: ["CREATE_QUOTES"] }));
    const refused = [403, "APPROVAL_NOT_YOURS", "REQUESTER"];
    expect(verdictOf(await agree(owner, asked.id))).toEqual(refused);
    await signIn(owner);
    expect(verdictOf(await agree(owner, asked.id))).toEqual(refused);
    expect((await takeBack(owner, asked.id)).json.state).toBe("CANCELLED");
  });
});

describe("a paused agent", () => {
  it("goes on once another person agrees, and is paused and renamed at once", async () => {
    const { agentId } = await strictAgent();
    const set = (body: object) => at(admin.browser)("PATCH", `/agents/${agentId}`, body);
    expectStatus(200, await set({ isPaused: true }));
    expectStatus(200, await set({ name: "Still paused", isPaused: true }));
    const asked = waiting(await set({ isPaused: false, name: "Running" }));
    expect(asked).toMatchObject({
      summary: `${agentId} goes on after a pause`,
      content: { agentId, isPaused: false, name: "Running" },
    });
    const paused = (await story.call("GET", `/agents/${agentId}`)).json;
    expect(paused).toMatchObject({ isPaused: true, name: "Still paused" });
    expect((await agree(approver.browser, asked.id)).json.state).toBe("DONE");
    const running = (await story.call("GET", `/agents/${agentId}`)).json;
    expect(running).toMatchObject({ isPaused: false, name: "Running" });
  });
});

describe("a device code", () => {
  it("leads in once another person has agreed to it, and not before", async () => {
    const { agentId, code: first } = await strictAgent();
    const asked = waiting(await codeOf(agentId));
    expect(asked).toMatchObject({
      kind: "AGENT_POLICY",
      operation: "createAgentDeviceCode",
      summary: `A device code for ${agentId}`,
    });
    const { code } = asked.issued;
    expect(JSON.stringify(asked.content)).not.toContain(code);
    expect(await isConnectedBy(code)).toBe(false);
    expect((await agree(approver.browser, asked.id)).json.resultId).toBe(agentId);
    expect(await isConnectedBy(first)).toBe(false);
    expect(await isConnectedBy(code)).toBe(true);
    expect((await codeOf(agentId)).status).toBe(409);
  });

  it("of another person waits as well, and each of them counts as the agent afterwards", async () => {
    const made = waiting(
      await at(admin.browser)("POST", "/agents", await agentBody("made by two")),
    );
    const { resultId: agentId } = (await agree(approver.browser, made.id)).json;
    const asked = waiting(await at(owner)("POST", `/agents/${agentId}/device-codes`));
    expect(verdictOf(await agree(owner, asked.id))).toContain("REQUESTER");
    expect((await agree(approver.browser, asked.id)).json.state).toBe("DONE");
    expect(await isConnectedBy(asked.issued.code)).toBe(true);
    const { rows } = await server.app.store.database.withClient((client) =>
      client.query("select people from agents where platform_id = $1 and id = $2", [
        story.platformId,
        agentId.slice("Agent:".length),
      ]),
    );
    const { json: me } = await owner.call("GET", "/me");
    expect(JSON.parse(rows[0].people).map((id: string) => `Person:${id}`)).toEqual([
      admin.id,
      me.id,
    ]);
  });
});

async function agentBody(name: string, on = story) {
  const { customerId } = await strictAgent(on);
  return { name, customerId, policy: { ...STRICT, defaultExecutionMode: "AUTO" } };
}

describe("a new agent of a person", () => {
  it("is no way round: it waits, whatever was deleted before, and its code works afterwards", async () => {
    const { agentId, customerId } = await strictAgent();
    expectStatus(204, await at(admin.browser)("DELETE", `/agents/${agentId}`));
    const body = { ...(await agentBody("remade")), customerId };
    const asked = waiting(await at(admin.browser)("POST", "/agents", body));
    expect(asked).toMatchObject({
      kind: "AGENT_POLICY",
      operation: "createAgent",
      summary: `An agent of ${customerId} with CREATE_TRANSFERS`,
      content: { name: "remade", customerId, policy: body.policy },
    });
    const { code } = asked.issued.deviceCode;
    expect(await isConnectedBy(code)).toBe(false);
    const done = (await agree(approver.browser, asked.id)).json;
    expect(done.state).toBe("DONE");
    expect((await story.call("GET", `/agents/${done.resultId}`)).json).toMatchObject({
      name: "remade",
      policy: body.policy,
    });
    expect(await isConnectedBy(code)).toBe(true);
  });

  it("fails for a customer who was deleted meanwhile", async () => {
    const body = await agentBody("late");
    const asked = waiting(await at(admin.browser)("POST", "/agents", body));
    expectStatus(200, await story.call("DELETE", `/customers/${body.customerId}`));
    const failed = (await agree(approver.browser, asked.id)).json;
    expect(failed).toMatchObject({ state: "FAILED", failure: { code: "CUSTOMER_DELETED" } });
    expect(await isConnectedBy(asked.issued.deviceCode.code)).toBe(false);
  });

  it("is made at once in a sandbox, and refused now where it would be refused", async () => {
    const body = await agentBody("sandboxed", sandbox);
    const { deviceCode } = expectStatus(
      201,
      await at(admin.browser, sandbox)("POST", "/agents", body),
    ).json;
    expect(deviceCode.code).toMatch(/^SERVICE-AGENT-/);
    const foreign = await at(admin.browser)("POST", "/agents", body);
    expect([foreign.status, foreign.json.code]).toEqual([404, "USER_NOT_FOUND"]);
  });

  it("waits in a sandbox whose policy says so, and under one key is asked for once", async () => {
    const placeOf = `PlatformConfig:${sandbox.platformId}`;
    const set = (waits: boolean) =>
      owner.call("PUT", "/workspace/policies", {
        platformId: placeOf,
        rules: { AGENT_POLICY: { waits } },
      });
    expectStatus(200, await set(true));
    const body = await agentBody("asked once", sandbox);
    const call = () => at(admin.browser, sandbox)("POST", "/agents", body, { key: "once" });
    const [first, again] = [waiting(await call()), waiting(await call())];
    expect(again).toEqual(first);
    expect((await agree(approver.browser, first.id)).json.state).toBe("DONE");
    expectStatus(200, await set(false));
  });
});

/** The end of freezes, rejections that are overridden, and new payees, as orders that wait for another person. */
import { beforeAll, describe, expect, it } from "vitest";
import { setReviewers } from "../../../src/domain/platforms/set-reviewers.ts";
import type { ConsoleBrowser } from "../../kit/console.ts";
import { type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import {
  bankAccountBody,
  fundedCustomer,
  ignoreUnknownFields,
  openStory,
  type RawAnswer,
  type Story,
} from "../../kit/story.ts";
import { agree, reject, verdictOf } from "../../kit/story-approvals.ts";
import { expectStatus } from "../../kit/story-rails.ts";
import { begun, newBusiness } from "../../kit/story-verifications.ts";

const server = await sharedServer();
let story: Story;
let sandbox: Story;
let owner: ConsoleBrowser;
let compliance: InvitedPerson;
let second: InvitedPerson;
let support: InvitedPerson;
let approver: InvitedPerson;

beforeAll(async () => {
  const { workspaceId } = await server.makePlatform();
  story = await openStory(server, { workspaceId, environment: "PRODUCTION" });
  await ignoreUnknownFields(story);
  sandbox = await openStory(server, { workspaceId });
  await server.app.engine.submit({
    platformId: story.platformId,
    actor: { kind: "operator", id: "shell" },
    command: setReviewers,
    input: { reviewers: "WORKSPACE" },
    toAnswer: () => ({ status: 200, body: "" }),
  });
  owner = await makeOwner(server, workspaceId);
  compliance = await makePerson(owner, ["COMPLIANCE"]);
  second = await makePerson(owner, ["COMPLIANCE"]);
  support = await makePerson(owner, ["SUPPORT"]);
  approver = await makePerson(owner, ["APPROVER"]);
});

const at = ({ browser }: { readonly browser: ConsoleBrowser }, on = story) =>
  browser.at(on.platformId);
const waiting = (answer: RawAnswer) => expectStatus(202, answer).json;
const verdicts = (answers: readonly RawAnswer[]) =>
  answers.map(({ status, json }) => [status, json.code]);
const inReview = async (on: Story) => begun(on, await newBusiness(on), "PENDING_MANUAL_REVIEW");
const setPolicy = (rules: object, on = story) =>
  owner.call("PUT", "/workspace/policies", {
    platformId: `PlatformConfig:${on.platformId}`,
    rules,
  });

const OBJECTS = [
  ["a customer", "customers", "customerId"],
  ["an account", "internal-accounts", "accountId"],
] as const;

describe.each(OBJECTS)("the end of a freeze of %s", (_what, noun, member) => {
  const target = async (on = story) => (await fundedCustomer(on, 0))[member];
  const freeze = (id: string, body: object, by = support, on = story) =>
    at(by, on)("POST", `/${noun}/${id}/freeze`, body);
  const unfreeze = (id: string, by = compliance, on = story) =>
    at(by, on)("POST", `/${noun}/${id}/unfreeze`);
  const frozen = async (id: string, on = story) =>
    (await on.call("GET", `/${noun}/${id}`)).json.frozen;
  const LEGAL = { reason: "LEGAL_ORDER", scope: "ALL", note: "case 4711" };

  it("waits in production, where a freeze does not, and takes another person", async () => {
    const id = await target();
    const { frozen: shown } = expectStatus(200, await freeze(id, LEGAL)).json;
    const asked = waiting(await unfreeze(id));
    expect(asked).toMatchObject({
      kind: "UNFREEZE",
      requestedBy: compliance.id,
      approvalsNeeded: 1,
      summary: `The end of the freeze of ${id}`,
      content: { [member]: id, frozen: shown },
    });
    expect(JSON.stringify(asked)).not.toContain("4711");
    expect(verdicts([await unfreeze(id, second)])).toEqual([[409, "CONFLICT"]]);
    expect(verdictOf(await agree(compliance.browser, asked.id))).toContain("REQUESTER");
    for (const { browser } of [support, approver])
      expect(verdictOf(await agree(browser, asked.id))).toContain("CAPABILITY");
    expect(await frozen(id)).toEqual(shown);
    const done = expectStatus(200, await agree(second.browser, asked.id)).json;
    expect(done).toMatchObject({ state: "DONE", resultId: id });
    expect(await frozen(id)).toBeUndefined();
  });

  it("is at once a token's, and anyone's who may in a sandbox", async () => {
    const [id, other] = [await target(), await target(sandbox)];
    for (const [one, on] of [
      [id, story],
      [other, sandbox],
    ] as const)
      expectStatus(200, await freeze(one, LEGAL, support, on));
    expectStatus(200, await story.call("POST", `/${noun}/${id}/unfreeze`));
    expectStatus(200, await unfreeze(other, compliance, sandbox));
  });

  it("is not got by a freeze that lets credits in again; a stricter one holds at once", async () => {
    const id = await target();
    expectStatus(200, await freeze(id, { reason: "OTHER" }));
    expectStatus(200, await freeze(id, LEGAL));
    const weak = { reason: "CUSTOMER_REQUEST", note: "calmed down" };
    const asked = waiting(await freeze(id, weak));
    expect(asked).toMatchObject({
      kind: "UNFREEZE",
      summary: `A freeze of ${id} that no longer stops credits`,
      content: { ...weak, frozen: { reason: "LEGAL_ORDER", scope: "ALL" } },
    });
    expect(await frozen(id)).toMatchObject({ reason: "LEGAL_ORDER", scope: "ALL" });
    expect((await agree(second.browser, asked.id)).json.state).toBe("DONE");
    expect(await frozen(id)).toMatchObject({ reason: "CUSTOMER_REQUEST", scope: "DEBITS" });
  });

  it("fails when another freeze has taken its place, and that one stays", async () => {
    const id = await target();
    expectStatus(200, await freeze(id, { reason: "CUSTOMER_REQUEST" }));
    const asked = waiting(await unfreeze(id));
    expectStatus(200, await freeze(id, LEGAL));
    const failed = (await agree(second.browser, asked.id)).json;
    expect(failed).toMatchObject({
      state: "FAILED",
      failure: { code: "CONFLICT", details: { changed: "freeze" } },
    });
    expect(await frozen(id)).toMatchObject({ reason: "LEGAL_ORDER", scope: "ALL" });
    const again = waiting(await unfreeze(id));
    expectStatus(200, await story.call("POST", `/${noun}/${id}/unfreeze`));
    expect((await agree(second.browser, again.id)).json.state).toBe("FAILED");
    expect(await frozen(id)).toBeUndefined();
  });

  it("that is refused now does not wait", async () => {
    const id = await target();
    const answers = [
      await unfreeze(id),
      await unfreeze(id, support),
      await unfreeze(await target(sandbox)),
      await unfreeze("nothing"),
      await freeze(id, { reason: "BORED" }),
    ];
    const unknown = noun === "customers" ? "USER_NOT_FOUND" : "REFERENCE_NOT_FOUND";
    expect(verdicts(answers)).toEqual([
      [409, "CONFLICT"],
      [403, "FORBIDDEN"],
      [404, unknown],
      [404, unknown],
      [400, "INVALID_INPUT"],
    ]);
  });
});

describe("the approval of a verification that was rejected", () => {
  const decide = (id: string, body: object, by = compliance, on = story) =>
    at(by, on)("POST", `/verifications/${id}/decide`, body);
  const OVERRIDE = { outcome: "APPROVED", note: "the match was another person" };
  const rejected = async (on = story) => {
    const id = await inReview(on);
    const body = { outcome: "REJECTED", reasonCode: "APPLICANT_SANCTIONED" };
    const { customerId } = expectStatus(200, await decide(id, body, compliance, on)).json;
    return { id, customerId };
  };
  const standing = async (customerId: string, on = story) =>
    (await on.call("GET", `/customers/${customerId}`)).json.kybStatus;

  it("waits in production for another person, and approves the customer", async () => {
    const { id, customerId } = await rejected();
    expect(await standing(customerId)).toBe("REJECTED");
    const asked = waiting(await decide(id, OVERRIDE));
    expect(asked).toMatchObject({
      kind: "KYC_OVERRIDE",
      operation: "decideVerification",
      summary: `The approval of ${id}, which was rejected`,
      content: {
        verificationId: id,
        ...OVERRIDE,
        rejection: { decidedBy: compliance.id, reasonCode: "APPLICANT_SANCTIONED", note: null },
      },
    });
    expect(verdictOf(await agree(compliance.browser, asked.id))).toContain("REQUESTER");
    expect(verdictOf(await agree(approver.browser, asked.id))).toContain("CAPABILITY");
    expect(await standing(customerId)).toBe("REJECTED");
    const done = (await agree(second.browser, asked.id)).json;
    expect(done).toMatchObject({ state: "DONE", resultId: id });
    expect(await standing(customerId)).toBe("APPROVED");
    const found = (await at(compliance)("GET", `/verifications/${id}/case`)).json;
    expect(found).toMatchObject({
      verificationStatus: "APPROVED",
      decision: { by: compliance.id, note: OVERRIDE.note },
    });
    expect(
      verdicts([await decide(id, OVERRIDE), await decide(id, { outcome: "REJECTED" })]),
    ).toEqual([
      [409, "CONFLICT"],
      [409, "CONFLICT"],
    ]);
  });

  it("is at once in a sandbox, and never a token's", async () => {
    const { id, customerId } = await rejected(sandbox);
    const byToken = await sandbox.call("POST", `/verifications/${id}/decide`, OVERRIDE);
    expect(verdicts([byToken])).toEqual([[409, "CONFLICT"]]);
    expect(expectStatus(200, await decide(id, OVERRIDE, compliance, sandbox)).json).toMatchObject({
      verificationStatus: "APPROVED",
    });
    expect(await standing(customerId, sandbox)).toBe("APPROVED");
  });

  it("fails when the rejection was overridden meanwhile, or the customer is gone", async () => {
    const { id, customerId } = await rejected();
    const asked = waiting(await decide(id, OVERRIDE));
    expect(verdicts([await decide(id, OVERRIDE, second)])).toEqual([[409, "CONFLICT"]]);
    expect((await reject(second.browser, asked.id)).json.state).toBe("REJECTED");
    expect(await standing(customerId)).toBe("REJECTED");
    const again = waiting(await decide(id, OVERRIDE));
    expectStatus(200, await story.call("DELETE", `/customers/${customerId}`));
    expect((await agree(second.browser, again.id)).json).toMatchObject({
      state: "FAILED",
      failure: { code: "CUSTOMER_DELETED" },
    });
  });

  it("is of the verification that the path names, and shows no member that the call does not know", async () => {
    const [{ id }, other] = [await rejected(), await rejected()];
    const more = { verificationId: other.id.slice("Verification:".length), rejection: "none" };
    const asked = waiting(await decide(id, { ...OVERRIDE, ...more, agreedBy: "the board" }));
    expect(asked.content).toEqual({
      verificationId: id,
      ...OVERRIDE,
      rejection: { decidedBy: compliance.id, reasonCode: "APPLICANT_SANCTIONED", note: null },
    });
    expect((await agree(second.browser, asked.id)).json.resultId).toBe(id);
    expect(await standing(other.customerId)).toBe("REJECTED");
  });

  it("is no other decision, and no other person's", async () => {
    const { id } = await rejected();
    const open = await inReview(story);
    const foreign = await inReview(sandbox);
    const answers = [
      await decide(id, { outcome: "REJECTED" }),
      await decide(id, OVERRIDE, approver),
      await decide(foreign, OVERRIDE),
      await decide(id, { ...OVERRIDE, reasonCode: "APPLICANT_FRAUD" }),
    ];
    expect(verdicts(answers)).toEqual([
      [409, "CONFLICT"],
      [403, "FORBIDDEN"],
      [404, "REFERENCE_NOT_FOUND"],
      [400, "INVALID_INPUT"],
    ]);
    expectStatus(200, await decide(open, { outcome: "APPROVED" }));
  });
});

describe("a new external account of a person", () => {
  const WAYS = [
    ["/customers/external-accounts", "createCustomerExternalAccount", true],
    ["/platform/external-accounts", "createPlatformExternalAccount", false],
  ] as const;

  it.each(WAYS)(
    "waits at %s where the policy says so, and is made as it was sent",
    async (path, operation, isCustomers) => {
      const { customerId } = await fundedCustomer(story, 0);
      const body = () => bankAccountBody(isCustomers ? { customerId } : {});
      const add = (sent: object, by = support) => at(by)("POST", path, sent);
      expectStatus(201, await add(body()));
      expectStatus(200, await setPolicy({ PAYEE: { waits: true } }));
      expectStatus(201, await story.call("POST", path, body()));
      const sent = body();
      const asked = waiting(await add(sent));
      const whose = isCustomers ? customerId : "the platform";
      expect(asked).toMatchObject({
        kind: "PAYEE",
        operation,
        summary: `An external account of ${whose} in USD: USD_ACCOUNT`,
        content: sent,
      });
      expect(verdictOf(await agree(support.browser, asked.id))).toContain("CAPABILITY");
      const { resultId } = expectStatus(200, await agree(approver.browser, asked.id)).json;
      const kept = (await story.call("GET", `${path}/${resultId}`)).json;
      expect(kept.accountInfo).toMatchObject(sent.accountInfo);
      // The account is there now, so a second order about it fails, and one that is asked for is refused.
      expect(verdicts([await add(sent)])).toEqual([[409, "CONFLICT"]]);
      const twice = body();
      const [one, other] = [waiting(await add(twice)), waiting(await add(twice))];
      expect((await agree(approver.browser, one.id)).json.state).toBe("DONE");
      expect((await agree(approver.browser, other.id)).json).toMatchObject({
        state: "FAILED",
        failure: { code: "CONFLICT" },
      });
      expect(
        verdicts([await add({ ...sent, currency: "EUR" }), await add(sent, approver)]),
      ).toEqual([
        [400, "INVALID_CURRENCY"],
        [403, "FORBIDDEN"],
      ]);
      expectStatus(200, await setPolicy({ PAYEE: { waits: false } }));
    },
  );

  it("is shown without its numbers to a reader who may not see them", async () => {
    expectStatus(200, await setPolicy({ PAYEE: { waits: true } }));
    const viewer = await makePerson(owner, ["VIEWER"]);
    const { customerId } = await fundedCustomer(story, 0);
    const sent = bankAccountBody({ customerId });
    const asked = waiting(await at(support)("POST", WAYS[0][0], sent));
    const seen = await viewer.browser.call("GET", `/workspace/approvals/${asked.id}`);
    expect(expectStatus(200, seen).text).not.toContain(sent.accountInfo.accountNumber);
    expect(seen.text).not.toContain("Ana Ruiz");
    expect((await reject(approver.browser, asked.id)).json.state).toBe("REJECTED");
    expectStatus(200, await setPolicy({ PAYEE: { waits: false } }));
  });
});

describe("the policy of these kinds", () => {
  it("is of a platform, has no amounts, and its loosening is the owners'", async () => {
    const { data } = (await owner.call("GET", "/workspace/policies")).json;
    const ruleOf = ({ platformId }: Story, kind: string) =>
      data.find((one: { platformId: string }) => one.platformId === `PlatformConfig:${platformId}`)
        .rules[kind].waits;
    for (const kind of ["AGENT_POLICY", "UNFREEZE", "KYC_OVERRIDE"])
      expect([ruleOf(sandbox, kind), ruleOf(story, kind)]).toEqual([false, true]);
    const amounts = await setPolicy({ UNFREEZE: { twoAbove: { USD: 1 } } });
    expect(amounts.json.details.field).toBe("rules.UNFREEZE.twoAbove");
    const misplaced = await owner.call("PUT", "/workspace/policies", {
      platformId: null,
      rules: { KYC_OVERRIDE: { waits: false } },
    });
    expect(misplaced.json.details.reason).toBe("belongs to the policy of a platform");
    const loosened = { UNFREEZE: { waits: false } };
    const byOther = await compliance.browser.call("PUT", "/workspace/policies", {
      platformId: `PlatformConfig:${story.platformId}`,
      rules: loosened,
    });
    expect(byOther.status).toBe(403);
    const other = await makePerson(owner, ["OWNER"]);
    const asked = waiting(await setPolicy(loosened));
    expect(asked.summary).toBe("A policy by which less waits: UNFREEZE");
    expect(verdictOf(await agree(owner, asked.id))).toContain("REQUESTER");
    expect((await agree(other.browser, asked.id)).json.state).toBe("DONE");
  });
});

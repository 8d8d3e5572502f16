/** What verify says of guarded acts of people whose approval is not there, or was needed. */
import { beforeAll, describe, expect, it } from "vitest";
import { setReviewers } from "../../../src/domain/platforms/set-reviewers.ts";
import type { ConsoleBrowser } from "../../kit/console.ts";
import { type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { foundAfter } from "../../kit/reconciled.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { agree } from "../../kit/story-approvals.ts";
import { expectStatus } from "../../kit/story-rails.ts";
import { begun, newBusiness } from "../../kit/story-verifications.ts";

const server = await sharedServer();
let story: Story;
let owner: ConsoleBrowser;
let first: InvitedPerson;
let second: InvitedPerson;

beforeAll(async () => {
  const { workspaceId } = await server.makePlatform();
  story = await openStory(server, { workspaceId, environment: "PRODUCTION" });
  await server.app.engine.submit({
    platformId: story.platformId,
    actor: { kind: "operator", id: "shell" },
    command: setReviewers,
    input: { reviewers: "WORKSPACE" },
    toAnswer: () => ({ status: 200, body: "" }),
  });
  owner = await makeOwner(server, workspaceId);
  first = await makePerson(owner, ["COMPLIANCE"]);
  second = await makePerson(owner, ["COMPLIANCE"]);
});

const at = ({ browser }: InvitedPerson) => browser.at(story.platformId);
const found = (edit: string, values: readonly string[] = []) =>
  foundAfter({ server, story }, edit, values);
const setPolicy = (rules: object) =>
  owner.call("PUT", "/workspace/policies", {
    platformId: `PlatformConfig:${story.platformId}`,
    rules,
  });
const LEGAL = { reason: "LEGAL_ORDER", scope: "ALL" };

async function frozenAccount(): Promise<string> {
  const { accountId } = await fundedCustomer(story, 0);
  expectStatus(200, await at(first)("POST", `/internal-accounts/${accountId}/freeze`, LEGAL));
  return `/internal-accounts/${accountId}`;
}

async function frozenCustomer(): Promise<string> {
  const { customerId } = await fundedCustomer(story, 0);
  expectStatus(200, await at(first)("POST", `/customers/${customerId}/freeze`, LEGAL));
  return `/customers/${customerId}`;
}

/** Rejects a verification; answers its path. */
async function rejected(): Promise<string> {
  const id = await begun(story, await newBusiness(story), "PENDING_MANUAL_REVIEW");
  const path = `/verifications/${id}/decide`;
  const body = { outcome: "REJECTED", reasonCode: "APPLICANT_SANCTIONED" };
  expectStatus(200, await at(first)("POST", path, body));
  return path;
}

const WAYS = [
  [
    "the end of a freeze of an account",
    "UNFREEZE",
    async () => at(first)("POST", `${await frozenAccount()}/unfreeze`),
  ],
  [
    "the end of a freeze of a customer",
    "UNFREEZE",
    async () => at(first)("POST", `${await frozenCustomer()}/unfreeze`),
  ],
  [
    "a freeze that lets credits in again",
    "UNFREEZE",
    async () =>
      at(first)("POST", `${await frozenCustomer()}/freeze`, { ...LEGAL, scope: "DEBITS" }),
  ],
  [
    "the approval of a rejected verification",
    "KYC_OVERRIDE",
    async () => at(first)("POST", await rejected(), { outcome: "APPROVED", note: "mistaken" }),
  ],
] as const;

describe.each(WAYS)("%s", (_what, kind, act) => {
  const SIGNED =
    "update approvals set state = $2, failure = case $2 when 'FAILED' then '{}'::json end where id = $1::uuid";

  it("that was agreed to needs its approval as it ended", async () => {
    const asked = expectStatus(202, await act()).json;
    expectStatus(200, await agree(second.browser, asked.id));
    const id = asked.id.slice("Approval:".length);
    const reports = (reason: string) =>
      expect.stringMatching(`^audit_entries .* ${kind} by an approval that is ${reason}$`);
    expect(await found(SIGNED, [id, "DONE"])).toEqual([]);
    expect(await found(SIGNED, [id, "REJECTED"])).toContainEqual(reports(`${kind} and REJECTED`));
    expect(await found("delete from approvals where id = $1::uuid", [id])).toContainEqual(
      reports("not there"),
    );
    expect(
      await found("update approvals set kind = 'PAYEE' where id = $1::uuid", [id]),
    ).toContainEqual(reports("PAYEE and DONE"));
  });

  it("without an approval is one that the policy of its time let pass", async () => {
    expectStatus(200, await setPolicy({ [kind]: { waits: false } }));
    expectStatus(200, await act());
    expectStatus(200, await setPolicy({ [kind]: { waits: true } }));
    expect(await found("select")).toEqual([]);
    const stricter =
      "update audit_entries set changes = replace(changes, '\"waits\":false', '\"waits\":true') where platform_id = $1::uuid and act = 'set-approval-policy'";
    const missing = expect.stringMatching(`^audit_entries .* ${kind} without an approval, `);
    expect(await found(stricter, [story.platformId])).toContainEqual(missing);
    const never =
      "delete from audit_entries where platform_id = $1::uuid and act = 'set-approval-policy'";
    expect(await found(never, [story.platformId])).toContainEqual(missing);
  });
});

it("acts of a version that held none of them back are not judged", async () => {
  const edit =
    "with gone as (delete from approvals where platform_id = $1::uuid) " +
    "update deployment_facts set value = '2100-01-01T00:00:00Z' where name = 'guarded acts since'";
  const findings = await found(edit, [story.platformId]);
  expect(findings.filter((line) => line.startsWith("audit_entries"))).toEqual([]);
});

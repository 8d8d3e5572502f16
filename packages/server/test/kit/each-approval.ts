/** An order of each kind that waits for other people, at a production platform whose workspace has three owners. */
import type { ApprovalKind } from "../../src/domain/people/approvals/approval-kinds.ts";
import { setReviewers } from "../../src/domain/platforms/set-reviewers.ts";
import { present } from "../../src/std/assert.ts";
import { type ConsoleBrowser, stepUp } from "./console.ts";
import { accept, type InvitedPerson, makeOwner, makePerson } from "./console-people.ts";
import { fundedCustomer, openStory, type RawAnswer, type Story } from "./story.ts";
import { newAgent } from "./story-agents.ts";
import { agree } from "./story-approvals.ts";
import {
  activeConnection,
  expectStatus,
  manualConnection,
  payerOf,
  routeTo,
} from "./story-rails.ts";
import { begun, newBusiness } from "./story-verifications.ts";
import type { TestServer } from "./test-server.ts";
import { adjustmentOf } from "./valid-approval-calls.ts";

export interface EachApproval {
  readonly workspaceId: string;
  readonly story: Story;
  /** An owner who has asked for none of them. */
  readonly decider: InvitedPerson;
  /** Wire ids of approvals. */
  readonly asked: Readonly<Record<ApprovalKind, string>>;
}

const FEE = { from: "USD", to: "*", fixedMinor: 50, bps: 25 };

export async function askForEach(server: TestServer): Promise<EachApproval> {
  const { workspaceId } = await server.makePlatform();
  const story = await openStory(server, { workspaceId, environment: "PRODUCTION" });
  await server.app.engine.submit({
    platformId: story.platformId,
    actor: { kind: "operator", id: "test" },
    command: setReviewers,
    input: { reviewers: "WORKSPACE" },
    toAnswer: () => ({ status: 200, body: "" }),
  });
  // Before there are two owners, none of this waits.
  const payer = await payerOf(story, 1_000_000);
  await routeTo(story, await activeConnection(story, manualConnection()));
  expectStatus(200, await story.call("PUT", "/fees", { rules: [FEE] }));
  const customer = await fundedCustomer(story, 0);
  const { agentId } = await newAgent(story, { customer });
  const owner = await makeOwner(server, workspaceId, "olga@example.com");
  const finance = await makePerson(owner, ["FINANCE"]);
  const admin = await makePerson(owner, ["ADMIN"]);
  const compliance = await makePerson(owner, ["COMPLIANCE"]);
  const decider = await makePerson(owner, ["OWNER"]);
  const third = await thirdOwner(owner, decider);
  const at = (one: ConsoleBrowser) => one.at(story.platformId);
  const policy = (rules: object) =>
    owner.call("PUT", "/workspace/policies", {
      platformId: `PlatformConfig:${story.platformId}`,
      rules,
    });
  expectStatus(200, await policy({ PAYEE: { waits: true } }));

  const { accountId, payeeId } = payer;
  const { customerId } = customer;
  const frozen = `/customers/${customerId}`;
  const business = await newBusiness(story);
  const rejected = await begun(story, business, "PENDING_MANUAL_REVIEW");
  const verification = `/verifications/${rejected}/decide`;
  const rejection = { outcome: "REJECTED", reasonCode: "APPLICANT_SANCTIONED", note: "list 7" };
  const waiting = (answer: RawAnswer): string => expectStatus(202, answer).json.id;
  const asked: Record<ApprovalKind, string> = {
    ADJUSTMENT: waiting(await story.call("POST", "/adjustments", adjustmentOf(accountId))),
    PAYMENT: waiting(
      await at(finance.browser)("POST", "/transfer-out", {
        source: { accountId },
        destination: { accountId: payeeId },
        amount: 301_250,
        description: "Rent of May",
      }),
    ),
    PAYEE: waiting(
      await at(finance.browser)("POST", "/customers/external-accounts", newPayee(customerId)),
    ),
    TOKEN: waiting(
      await at(admin.browser)("POST", "/tokens", { name: "payouts", permissions: ["MANAGE"] }),
    ),
    AGENT_POLICY: waiting(await at(admin.browser)("POST", `/agents/${agentId}/device-codes`)),
    UNFREEZE: await (async () => {
      const legal = { reason: "LEGAL_ORDER", scope: "ALL", note: "Court" };
      expectStatus(200, await at(compliance.browser)("POST", `${frozen}/freeze`, legal));
      return waiting(await at(compliance.browser)("POST", `${frozen}/unfreeze`));
    })(),
    KYC_OVERRIDE: await (async () => {
      expectStatus(200, await at(compliance.browser)("POST", verification, rejection));
      const override = { outcome: "APPROVED", note: "The match was another person." };
      return waiting(await at(compliance.browser)("POST", verification, override));
    })(),
    ROLE_GRANT: waiting(
      await owner.call("POST", "/workspace/invites", {
        email: "eve@example.com",
        name: "Eve",
        roles: [{ platformId: null, roles: ["APPROVER"] }],
      }),
    ),
    REENROLMENT: waiting(await owner.call("POST", `/workspace/people/${finance.id}/re-enrol`)),
    ISSUER: await (async () => {
      await stepUp(owner);
      const issuers = [
        { name: "Acme", issuer: "https://id.example.com", clientId: "florin", clientSecret: "s" },
      ];
      const body = { names: ["acme-each"], isRequired: false, issuers };
      return waiting(await owner.call("PUT", "/workspace/sso", body));
    })(),
    OWNER_CHANGE: waiting(await owner.call("DELETE", `/workspace/people/${third.id}`)),
    POLICY: waiting(await policy({ PAYMENT: { above: { USD: 10_000 } } })),
    CONTROL: waiting(await story.call("PUT", "/fees", { rules: [{ ...FEE, fixedMinor: 20 }] })),
  };
  return { workspaceId, story, decider, asked };
}

function newPayee(customerId: string) {
  return {
    customerId,
    currency: "USD",
    accountInfo: {
      accountType: "USD_ACCOUNT",
      accountNumber: "000987654321",
      routingNumber: "021000021",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Jonas Berg" },
    },
  };
}

/** The invitation of a third owner waits for the second one. */
async function thirdOwner(owner: ConsoleBrowser, second: InvitedPerson): Promise<InvitedPerson> {
  const email = "third@example.com";
  const roles = [{ platformId: null, roles: ["OWNER"] }];
  const sent = await owner.call("POST", "/workspace/invites", { email, name: "Third", roles });
  const agreed = await agree(second.browser, expectStatus(202, sent).json.id);
  const { issued } = expectStatus(200, agreed).json;
  const browser = await accept(owner.server, present(issued?.url, "a link"), email);
  const { id } = (await browser.call("GET", "/me")).json;
  return { browser, id };
}

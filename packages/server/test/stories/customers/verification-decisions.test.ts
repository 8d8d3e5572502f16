/** Verifications that people and tokens of a platform decide, and those that they leave to the operator. */
import { beforeAll, expect, it } from "vitest";
import { setReviewers } from "../../../src/domain/platforms/set-reviewers.ts";
import type { ConsoleBrowser } from "../../kit/console.ts";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { openVerification } from "../../kit/made-objects.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type Story } from "../../kit/story.ts";

const server = await sharedServer();
let workspaceId: string;
let story: Story;
let owner: ConsoleBrowser;

beforeAll(async () => {
  ({ workspaceId } = await server.makePlatform());
  story = await openStory(server, { workspaceId });
  owner = await makeOwner(server, workspaceId);
});

const decide = (id: string, body: object, key?: string) =>
  story.call("POST", `/verifications/${id}/decide`, body, key === undefined ? {} : { key });

it("is approved, once, and the customer with it", async () => {
  const id = await openVerification(story);
  const decided = await decide(id, { outcome: "APPROVED", note: "seen" }, "approve");
  expect(decided).toMatchObject({ status: 200, json: { id, verificationStatus: "APPROVED" } });
  const customer = await story.call("GET", `/customers/${decided.json.customerId}`);
  expect(customer.json.kybStatus).toBe("APPROVED");
  expect((await decide(id, { outcome: "APPROVED", note: "seen" }, "approve")).text).toBe(
    decided.text,
  );
  expect(await decide(id, { outcome: "REJECTED" })).toMatchObject({
    status: 409,
    json: { code: "CONFLICT", details: { status: "APPROVED" } },
  });
  const unknown = await decide("Verification:019a4f00-0000-7000-8000-000000000099", {
    outcome: "APPROVED",
  });
  expect(unknown).toMatchObject({ status: 404, json: { code: "REFERENCE_NOT_FOUND" } });
});

it("is sent back with what is to be mended, and submitted again", async () => {
  const id = await openVerification(story);
  const { json: before } = await story.call("GET", `/verifications/${id}`);
  const errors = [
    { type: "MISSING_FIELD", reason: "Tell us the address.", field: "customer.address" },
    { type: "UNREADABLE_DOCUMENT", reason: "The scan is dark.", resourceId: before.customerId },
  ];
  const { json } = await decide(id, { outcome: "RESOLVE_ERRORS", errors });
  expect(json).toMatchObject({
    verificationStatus: "RESOLVE_ERRORS",
    errors: [{ ...errors[0], resourceId: before.customerId }, errors[1]],
  });
  const again = await story.call("POST", "/verifications", { customerId: before.customerId });
  expect(again.json.verificationStatus).toBe("IN_PROGRESS");
});

it("refuses what does not belong together, and objects of other cases", async () => {
  const id = await openVerification(story);
  const error = { type: "MISSING_FIELD", reason: "x" };
  const tries: readonly (readonly [object, string])[] = [
    [{ outcome: "RESOLVE_ERRORS" }, "errors"],
    [{ outcome: "APPROVED", errors: [error] }, "errors"],
    [{ outcome: "APPROVED", reasonCode: "APPLICANT_FRAUD" }, "reasonCode"],
    [{ outcome: "MAYBE" }, "outcome"],
    [
      {
        outcome: "RESOLVE_ERRORS",
        errors: [{ ...error, resourceId: "Customer:019a4f00-0000-7000-8000-000000000099" }],
      },
      "errors.0.resourceId",
    ],
  ];
  for (const [body, field] of tries) {
    const refused = await decide(id, body);
    expect(refused).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
    expect(refused.json.details.errors[0].field).toBe(field);
  }
  expect((await decide(id, { outcome: "REJECTED", reasonCode: "APPLICANT_FRAUD" })).status).toBe(
    200,
  );
});

it("is decided by the people whose role says so, with an entry in the audit log", async () => {
  const compliance = await makePerson(owner, ["COMPLIANCE"]);
  const admin = await makePerson(owner, ["ADMIN"]);
  const id = await openVerification(story);
  const path = `/verifications/${id}/decide`;
  const body = { outcome: "REJECTED", reasonCode: "APPLICANT_SANCTIONED", note: "list" };
  expect((await admin.browser.at(story.platformId)("POST", path, body)).status).toBe(403);
  expect((await compliance.browser.at(story.platformId)("POST", path, body)).status).toBe(200);
  const { json } = await story.call("GET", `/audit-entries?targetId=${id}`);
  expect(json.data).toMatchObject([{ act: "review-verification", actor: { id: compliance.id } }]);
  expect(json.data[0].changes).toContainEqual({
    field: "decisionReason",
    before: null,
    after: "APPLICANT_SANCTIONED",
  });
});

it("is the operator's in production, until the operator says otherwise", async () => {
  const production = await openStory(server, { workspaceId, environment: "PRODUCTION" });
  const made = await production.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName: "Ana Ruiz",
    currencies: ["USD"],
  });
  const path = "/verifications/Verification:019a4f00-0000-7000-8000-000000000099/decide";
  const body = { outcome: "APPROVED" };
  const set = (reviewers: "WORKSPACE" | "OPERATOR") =>
    server.app.engine.submit({
      platformId: story.platformId,
      actor: { kind: "operator", id: "shell" },
      command: setReviewers,
      input: { reviewers },
      toAnswer: () => ({ status: 200, body: "" }),
    });
  expect(made.status).toBe(201);
  expect((await production.call("POST", path, body)).status).toBe(404);
  const id = await openVerification(story);
  await set("OPERATOR");
  const refused = await decide(id, body);
  expect(refused).toMatchObject({ status: 403, json: { details: { reviewers: "OPERATOR" } } });
  const byPerson = await owner.at(story.platformId)("POST", `/verifications/${id}/decide`, body);
  expect(byPerson.status).toBe(403);
  await set("WORKSPACE");
  expect((await decide(id, body)).status).toBe(200);
  const { rows } = await server.app.store.database.withClient((client) =>
    client.query("select environment, reviewers from platforms where platform_id = $1", [
      production.platformId,
    ]),
  );
  expect(rows).toEqual([{ environment: "PRODUCTION", reviewers: "OPERATOR" }]);
});

/** Cases of verifications in the console: the queue, the lease of a reviewer, files of documents; and notes about customers. */
import { beforeAll, describe, expect, it } from "vitest";
import { setReviewers } from "../../../src/domain/platforms/set-reviewers.ts";
import type { ConsoleBrowser } from "../../kit/console.ts";
import { type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { PDF, passportForm } from "../../kit/forms.ts";
import { png } from "../../kit/images.ts";
import { openVerification } from "../../kit/made-objects.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { newBusiness } from "../../kit/story-verifications.ts";

const NOBODYS = "019a4f00-0000-7000-8000-000000000099";

const server = await sharedServer();
let workspaceId: string;
let story: Story;
let others: Story;
let owner: ConsoleBrowser;
let ada: InvitedPerson;
let ben: InvitedPerson;

beforeAll(async () => {
  ({ workspaceId } = await server.makePlatform());
  story = await openStory(server, { workspaceId });
  others = await openStory(server, { workspaceId });
  owner = await makeOwner(server, workspaceId);
  ada = await makePerson(owner, ["COMPLIANCE"]);
  ben = await makePerson(owner, ["COMPLIANCE"]);
});

const at = (browser: ConsoleBrowser) => browser.at(story.platformId);
const take = ({ browser }: InvitedPerson, id: string) =>
  at(browser)("POST", `/verifications/${id}/take`);
const approve = (browser: ConsoleBrowser, id: string) =>
  at(browser)("POST", `/verifications/${id}/decide`, { outcome: "APPROVED" });
const queue = async ({ browser }: InvitedPerson, query = ""): Promise<readonly string[]> => {
  const { json } = await at(browser)("GET", `/verifications/queue?limit=100${query}`);
  return json.data.map(({ id }: { readonly id: string }) => id);
};

describe("a case", () => {
  it("is one person's for ten minutes, and nobody else decides it", async () => {
    const id = await openVerification(story);
    const taken = await take(ada, id);
    expect(taken).toMatchObject({
      status: 200,
      json: { id, customerType: "BUSINESS", takenBy: { id: ada.id } },
    });
    const second = await take(ben, id);
    expect(second).toMatchObject({
      status: 409,
      json: { code: "CONFLICT", details: { takenBy: ada.id } },
    });
    expect(second.json.message).toContain(taken.json.takenBy.name);
    expect((await approve(ben.browser, id)).status).toBe(409);
    expect((await take(ada, id)).status).toBe(200);
    expect((await approve(ada.browser, id)).status).toBe(200);
    expect(await take(ben, id)).toMatchObject({
      status: 409,
      json: { details: { status: "APPROVED" } },
    });
    const { json } = await story.call("GET", `/audit-entries?targetId=${id}`);
    expect(json.data.map(({ act }: { readonly act: string }) => act)).toEqual([
      "review-verification",
      "take-verification",
      "take-verification",
    ]);
  });

  it("is one person's when two take it at the same moment", async () => {
    const id = await openVerification(story);
    const answers = await Promise.all([take(ada, id), take(ben, id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it("is free again when the ten minutes are over", async () => {
    const id = await openVerification(story);
    await take(ada, id);
    await story.call("POST", "/sandbox/clock/advance", { seconds: 601 });
    expect((await at(ben.browser)("GET", `/verifications/${id}/case`)).json.takenBy).toBe(
      undefined,
    );
    expect((await take(ben, id)).json.takenBy.id).toBe(ben.id);
    expect((await approve(ada.browser, id)).status).toBe(409);
    expect((await approve(ben.browser, id)).status).toBe(200);
    const decided = await at(ben.browser)("GET", `/verifications/${id}/case`);
    expect(decided.json).toMatchObject({
      verificationStatus: "APPROVED",
      decision: { by: ben.id },
    });
    expect(decided.json.unmet).toBe(undefined);
  });

  it("is decided by a program while no person has it", async () => {
    const id = await openVerification(story);
    await take(ada, id);
    const decide = () => story.call("POST", `/verifications/${id}/decide`, { outcome: "REJECTED" });
    expect((await decide()).status).toBe(409);
    await story.call("POST", "/sandbox/clock/advance", { seconds: 601 });
    expect((await decide()).status).toBe(200);
  });

  it("stands in the queue, the oldest first, by whose it is and by the kind of customer", async () => {
    const [first, second] = [await openVerification(story), await openVerification(story)];
    await take(ada, second);
    const all = await queue(ada);
    expect(all.indexOf(first)).toBeLessThan(all.indexOf(second));
    expect(await queue(ada, "&assigned=MINE")).toContain(second);
    expect(await queue(ben, "&assigned=MINE")).not.toContain(second);
    const free = await queue(ben, "&assigned=NONE");
    expect(free).toContain(first);
    expect(free).not.toContain(second);
    expect(await queue(ada, "&customerType=INDIVIDUAL")).not.toContain(first);
    await approve(ada.browser, second);
    expect(await queue(ada)).not.toContain(second);
    const page = await at(ada.browser)("GET", "/verifications/queue?limit=1");
    const next = await at(ada.browser)(
      "GET",
      `/verifications/queue?limit=1&cursor=${page.json.nextCursor}`,
    );
    expect(next.json.data[0].id > page.json.data[0].id).toBe(true);
    for (const query of ["assigned=ALL", "customerType=x", "limit=0", "cursor=x"])
      expect((await at(ada.browser)("GET", `/verifications/queue?${query}`)).status).toBe(400);
  });

  it("names what the data lack", async () => {
    const id = await openVerification(story);
    const { json } = await at(ada.browser)("GET", `/verifications/${id}/case`);
    expect(json.unmet.map(({ type }: { readonly type: string }) => type)).toContain(
      "MISSING_FIELD",
    );
  });

  it("has the data as they were submitted, and those of the submission before", async () => {
    const customerId = await newBusiness(story);
    const submit = async () => {
      const submitted = await story.call("POST", "/verifications", { customerId });
      expect(submitted.json.verificationStatus).toBe("RESOLVE_ERRORS");
      return submitted.json.id;
    };
    const caseOf = (id: string) => at(ada.browser)("GET", `/verifications/${id}/case`);
    const first = await submit();
    const once = (await caseOf(first)).json;
    expect(once.submitted.data).toMatchObject({
      businessInfo: { legalName: "Lind Boats LLC", taxId: "1" },
      owners: [],
    });
    expect(once).not.toHaveProperty("submittedBefore");
    const change = { customerType: "BUSINESS", businessInfo: { taxId: "2" } };
    expect((await story.call("PATCH", `/customers/${customerId}`, change)).status).toBe(200);
    // What was submitted stays as it was.
    expect((await caseOf(first)).json.submitted).toEqual(once.submitted);
    const second = await submit();
    const again = (await caseOf(second)).json;
    expect(again.submitted.data.businessInfo.taxId).toBe("2");
    expect(again.submittedBefore).toEqual(once.submitted);
    expect((await caseOf(first)).json).not.toHaveProperty("submittedBefore");
    await expect(
      server.database.asSuperuser((client) =>
        client.query("delete from verification_submissions where platform_id = $1", [
          story.platformId,
        ]),
      ),
    ).rejects.toThrow(/append-only|refuse|change/i);
  });

  it("is answered like an unknown one when it is another platform's", async () => {
    const theirs = await openVerification(others);
    for (const id of [theirs, `Verification:${NOBODYS}`, `Customer:${NOBODYS}`, "x"]) {
      for (const [method, path] of [
        ["POST", "take"],
        ["GET", "case"],
      ] as const) {
        const answer = await at(ada.browser)(method, `/verifications/${id}/${path}`);
        expect([answer.status, answer.json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
      }
    }
    expect(await queue(ada)).not.toContain(theirs);
  });

  it("is taken by nobody where the operator decides", async () => {
    const id = await openVerification(others);
    const set = (reviewers: "WORKSPACE" | "OPERATOR") =>
      server.app.engine.submit({
        platformId: others.platformId,
        actor: { kind: "operator", id: "shell" },
        command: setReviewers,
        input: { reviewers },
        toAnswer: () => ({ status: 200, body: "" }),
      });
    await set("OPERATOR");
    const refused = await ada.browser.at(others.platformId)("POST", `/verifications/${id}/take`);
    expect(refused).toMatchObject({ status: 403, json: { details: { reviewers: "OPERATOR" } } });
    await set("WORKSPACE");
  });
});

describe("the file of a document", () => {
  async function uploaded(bytes: Buffer, on = story): Promise<string> {
    const made = await on.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Ana Ruiz",
      currencies: ["USD"],
    });
    const { json } = await on.call(
      "POST",
      "/documents",
      passportForm(made.json.id, { file: { bytes } }),
    );
    return json.id;
  }

  it("is an attachment of bytes, and each read is in the audit log", async () => {
    for (const bytes of [PDF, png()]) {
      const id = await uploaded(bytes);
      const answer = await at(ada.browser)("GET", `/documents/${id}/content`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("application/octet-stream");
      expect(answer.headers.get("content-disposition")).toMatch(/^attachment;/);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      const { json } = await story.call("GET", `/audit-entries?targetId=${id}`);
      expect(json.data[0]).toMatchObject({ act: "getDocumentContent", actor: { id: ada.id } });
    }
  });

  it("is refused to those who may not read documents, and for another platform's", async () => {
    const finance = await makePerson(owner, ["FINANCE"]);
    const id = await uploaded(PDF);
    const refused = await at(finance.browser)("GET", `/documents/${id}/content`);
    expect(refused.json.details.capability).toBe("documents.read");
    for (const unknown of [await uploaded(PDF, others), `Document:${NOBODYS}`, "x"]) {
      const answer = await at(ada.browser)("GET", `/documents/${unknown}/content`);
      expect(answer).toMatchObject({ status: 404, json: { code: "REFERENCE_NOT_FOUND" } });
    }
  });
});

describe("notes about a customer", () => {
  const noted = ({ browser }: InvitedPerson, id: string, note: unknown, key?: string) =>
    at(browser)("POST", `/customers/${id}/notes`, { note }, key === undefined ? {} : { key });
  const customer = async (on = story) =>
    (
      await on.call("POST", "/customers", {
        customerType: "INDIVIDUAL",
        fullName: "Ana Ruiz",
        currencies: ["USD"],
      })
    ).json.id as string;

  it("are added and listed, the newest first, once for a repeated call", async () => {
    const id = await customer();
    const first = await noted(ada, id, "called back", "note-1");
    expect(first).toMatchObject({
      status: 201,
      json: { customerId: id, note: "called back", author: { id: ada.id } },
    });
    expect((await noted(ada, id, "called back", "note-1")).text).toBe(first.text);
    await noted(ben, id, "<b>sent</b> \u202egpj");
    const { json } = await at(ben.browser)("GET", `/customers/${id}/notes`);
    expect(json.data.map(({ note }: { readonly note: string }) => note)).toEqual([
      "<b>sent</b> \u202egpj",
      "called back",
    ]);
    expect(json.totalCount).toBe(2);
    await story.call("DELETE", `/customers/${id}`);
    expect((await noted(ada, id, "asked why it was closed")).status).toBe(201);
  });

  it("refuse what is no note, and unknown customers", async () => {
    const id = await customer();
    for (const note of [undefined, "", "  ", 5, "x".repeat(2_001), "a\u0000b"])
      expect(await noted(ada, id, note)).toMatchObject({
        status: 400,
        json: { details: { field: "note" } },
      });
    for (const unknown of [await customer(others), `Customer:${NOBODYS}`, "x"])
      expect(await noted(ada, unknown, "x")).toMatchObject({
        status: 404,
        json: { code: "USER_NOT_FOUND" },
      });
    const theirs = await at(ada.browser)("GET", `/customers/${await customer(others)}/notes`);
    expect(theirs.json).toMatchObject({ data: [], totalCount: 0 });
    expect((await at(ada.browser)("GET", `/customers/${id}/notes`)).json.data).toEqual([]);
  });

  it("are never changed, and hidden from those without pii.read", async () => {
    const id = await customer();
    await noted(ada, id, "lives in Lisbon");
    const change = server.app.store.database.withClient((client) =>
      client.query("update customer_notes set note = 'x' where platform_id = $1", [
        story.platformId,
      ]),
    );
    await expect(change).rejects.toThrow();
    const viewer = await makePerson(owner, ["VIEWER"]);
    const { text, status } = await at(viewer.browser)("GET", `/customers/${id}/notes`);
    expect([status, text.includes("Lisbon")]).toEqual([200, false]);
    expect((await noted(viewer, id, "x")).json.details.capability).toBe("customers.write");
  });
});

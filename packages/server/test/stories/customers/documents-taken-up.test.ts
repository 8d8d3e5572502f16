/** What a verification has taken up, on a server that has done nothing else yet. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { passportForm } from "../../kit/forms.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let story: Story;

beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
});
afterAll(() => server.close());

it("a document that a check used stays, even if no document was read before", async () => {
  const business = await story.call("POST", "/customers", {
    customerType: "BUSINESS",
    businessInfo: {
      legalName: "Blue Ridge LLC",
      country: "US",
      taxId: "12-3456789",
      incorporatedOn: "2015-06-01",
      registrationNumber: "5523041",
    },
  });
  const customerId = business.json.id;
  const documents = [
    await story.call("POST", "/documents", passportForm(customerId)),
    await story.call("POST", "/documents", passportForm(customerId)),
  ];
  const submitted = await story.call("POST", "/verifications", { customerId });
  expect(submitted.json.verificationStatus).toBe("APPROVED");
  for (const { json } of documents) {
    const refused = await story.call("DELETE", `/documents/${json.id}`);
    expect([refused.status, refused.json?.code]).toEqual([409, "CONFLICT"]);
  }
});

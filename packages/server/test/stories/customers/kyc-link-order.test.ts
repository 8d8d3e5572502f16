/** What a command refuses when it is run through a link, and in which order. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { updateCustomer } from "../../../src/domain/customers/update-customer.ts";
import { submitVerification } from "../../../src/domain/customers/verification/submit-verification.ts";
import {
  submitThroughLink,
  throughLink,
} from "../../../src/domain/customers/verification/through-link.ts";
import { findLink } from "../../../src/domain/customers/verification/verification-link.sql.ts";
import { hashLinkCode } from "../../../src/domain/customers/verification/verification-link.ts";
import { present } from "../../../src/std/assert.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { linkHomeOf, unverifiedBusiness } from "../../kit/story-links.ts";
import { advance } from "../../kit/story-money.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** In the order of the refusals: each step adds what is refused, and everything below it still holds. */
const steps: readonly {
  readonly what: string;
  readonly make: (story: Story, customerId: string) => Promise<unknown>;
  readonly refused: readonly [status: number, reason: string];
}[] = [
  {
    what: "a customer who is being checked",
    make: (story, customerId) => story.call("POST", "/verifications", { customerId }),
    refused: [409, "PENDING"],
  },
  {
    what: "a deleted customer",
    make: (story, customerId) => story.call("DELETE", `/customers/${customerId}`),
    refused: [410, "CUSTOMER_DELETED"],
  },
  {
    what: "a link that has expired",
    make: (story) => advance(story, 86_400),
    refused: [409, "EXPIRED"],
  },
];

async function business(registrationNumber: string) {
  const story = await openStory(server);
  const customerId = await unverifiedBusiness(story, { registrationNumber });
  const home = await linkHomeOf(story, customerId);
  const code = home.slice(home.lastIndexOf("/") + 1);
  const found = await findLink(server.app.store.database.reads, hashLinkCode(code));
  const { link } = present(found, "the link");
  const run = async (linkId = link.id) => {
    const input = { linkId, input: { customerId: link.customerId } };
    const answer = await server.app.engine.submit({
      platformId: story.platformId,
      actor: { kind: "link", id: linkId },
      command: submitThroughLink,
      input,
      toAnswer: () => ({ status: 200, body: "{}" }),
    });
    const { code: refusal, details } = JSON.parse(answer.body);
    return [answer.status, details?.status ?? refusal];
  };
  return { story, customerId, run };
}

it("names the link before the customer, and the customer before what the command refuses", async () => {
  const { story, customerId, run } = await business("7700001");
  for (const { what, make, refused } of steps) {
    await make(story, customerId);
    expect(await run(), what).toEqual(refused);
  }
  expect(await run(story.platformId)).toEqual([404, "REFERENCE_NOT_FOUND"]);
});

it("refuses a link that was used before it looks whether it has expired", async () => {
  const { story, run } = await business("7700100");
  expect(await run()).toEqual([200, undefined]);
  expect(await run()).toEqual([409, "USED"]);
  await advance(story, 86_400);
  expect(await run()).toEqual([409, "USED"]);
});

it("refuses a customer with a decision, by an unused link", async () => {
  const { story, customerId, run } = await business("7700002");
  await story.call("POST", "/verifications", { customerId });
  expect(await run()).toEqual([409, "REJECTED"]);
});

it("runs commands under their own names", () => {
  expect(throughLink(updateCustomer).name).toBe(updateCustomer.name);
  expect(submitThroughLink.name).toBe(submitVerification.name);
});

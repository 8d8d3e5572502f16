/** The figures of the product at /metrics: by environment, never by platform or customer. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { endReceivers } from "../../kit/receivers.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { openReceiver, setEndpoint } from "../../kit/story-webhooks.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let story: Story;

beforeAll(async () => {
  server = await startTestServer({ settings: { METRICS_PORT: "0" } });
  story = await openStory(server);
});
afterAll(async () => {
  await endReceivers();
  await server.close();
});

async function figures(): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${server.app.metricsPort}/metrics`);
  expect(answer.status).toBe(200);
  return answer.text();
}

const SANDBOX = 'environment="SANDBOX"';

it("count payments, failures and quotes as they come to a status, and say what is open", async () => {
  const funded = await fundedCustomer(story);
  const { accountId, customerId } = funded;
  const pay = async (options: object) => {
    const destination = await bankAccount(story, { customerId, ...options });
    const order = { source: { accountId }, destination: { accountId: destination }, amount: 100 };
    expect((await story.call("POST", "/transfer-out", order)).status).toBe(201);
    await story.settle();
  };
  await pay({});
  await pay({});
  await pay({ suffix: "003" });
  const receiver = await openReceiver(story, () => 500);
  await setEndpoint(story, receiver.url);
  await pay({});
  await story.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName: "Ana Canary",
    currencies: ["USD"],
  });
  const text = await figures();
  const value = (name: string, labels: string) =>
    Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`${name}{${SANDBOX}${labels}} `))
        ?.split(" ")
        .at(-1),
    );
  expect(value("florin_payments_total", ',type="OUTGOING",rail="ACH",status="COMPLETED"')).toBe(3);
  expect(value("florin_payments_total", ',type="OUTGOING",rail="ACH",status="FAILED"')).toBe(1);
  expect(text).toMatch(
    /^florin_payment_failures_total\{environment="SANDBOX",code="ACCOUNT_CLOSED"\} 1$/m,
  );
  expect(value("florin_events_undelivered", "")).toBeGreaterThan(0);
  expect(value("florin_verifications_open", "")).toBe(0);
  expect(value("florin_oldest_payment_seconds", "")).toBe(0);
  for (const canary of ["Canary", story.platformId, customerId.split(":")[1] ?? "", accountId])
    expect(text).not.toContain(canary);
});

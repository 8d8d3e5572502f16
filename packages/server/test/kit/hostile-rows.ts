/** Objects whose every text of a customer, a bank or a receiver could be taken for markup, for a formula, or for another order of letters. */

import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { present } from "../../src/std/assert.ts";
import { fillSandbox, type SandboxObjects } from "./console-rows.ts";
import { passportForm } from "./forms.ts";
import { png } from "./images.ts";
import { httpReceiver } from "./receivers.ts";
import { soon } from "./soon.ts";
import { fundedCustomer, type RawAnswer, type Story } from "./story.ts";
import { activeConnection, expectStatus, manualConnection } from "./story-rails.ts";

/** Short enough for a name at a bank. The last word reads backwards where a page lets it. */
export const HOSTILE =
  "<script>window.hacked=1</script><img src=x onerror=window.hacked=1>{{7*7}}javascript:window.hacked=1 \u202egpj.exe";
/** As a page shows it. */
export const HOSTILE_SHOWN = HOSTILE.replace("\u202e", "\ufffd");
export const LONG = "W".repeat(10_000);
const FORMULA = '=HYPERLINK("javascript:window.hacked=1","\u202egpj")';

export interface HostileObjects extends SandboxObjects {
  /** Pages beside those that every object has. */
  readonly more: readonly string[];
}

/** A call below `/console/api` by the person who is signed in at this page. */
export function consoleCall(page: Page, method: string, path: string, body: unknown) {
  return page.evaluate(
    async ([verb, place, content]) => {
      const { csrf } = await (await fetch("/console/api/session")).json();
      const answer = await fetch(`/console/api${place}`, {
        method: verb,
        headers: {
          "content-type": "application/json",
          "florin-csrf": csrf,
          "idempotency-key": crypto.randomUUID(),
        },
        body: JSON.stringify(content),
      });
      return { status: answer.status, json: await answer.json() };
    },
    [method, path, body] as const,
  );
}

export async function fillHostile(story: Story): Promise<HostileObjects> {
  const made = await fillSandbox(story);
  const post = async (path: string, body: unknown, status = 201) =>
    expectStatus(status, await story.call("POST", path, body)).json;
  const parties = await hostileParties(post, story);
  const { customerId, accountId } = parties;
  const quote = await post("/quotes", {
    source: { sourceType: "REALTIME_FUNDING", currency: "USD", customerId },
    destination: { destinationType: "ACCOUNT", accountId },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 10_000,
    description: HOSTILE,
  });
  const { agent } = await post("/agents", {
    name: HOSTILE,
    customerId,
    policy: {
      permissions: ["VIEW_TRANSACTIONS"],
      defaultExecutionMode: "APPROVAL_REQUIRED",
      spendingLimits: { currency: "USD", perTransactionLimit: 50_000 },
    },
  });
  await post("/tokens", { name: HOSTILE, permissions: ["VIEW"] });
  const approval = await post(
    "/adjustments",
    {
      accountId,
      direction: "CREDIT",
      amount: 1,
      currency: "USD",
      reasonCode: "GOODWILL",
      note: HOSTILE,
    },
    202,
  );
  await post(`/customers/${customerId}/freeze`, { reason: "LEGAL_ORDER", note: HOSTILE }, 200);
  return {
    ...made,
    ...parties,
    ...(await hostileCase(post)),
    ...(await hostileRail(story)),
    quoteId: quote.id,
    agentId: agent.id,
    requestId: await hostileRequest(story),
    ...(await hostileDelivery(story)),
    more: [`approvals/${approval.id}`, `customers/${customerId}?view=json`],
  };
}

type Post = (path: string, body: unknown, status?: number) => Promise<RawAnswer["json"]>;

async function hostileParties(post: Post, story: Story) {
  const { id: customerId } = await post("/customers", {
    customerType: "INDIVIDUAL",
    fullName: HOSTILE,
    platformCustomerId: `${HOSTILE} 2`,
    address: { line1: HOSTILE, city: HOSTILE, postalCode: "62704", country: "US" },
    currencies: ["USD"],
  });
  const place = `/customers/internal-accounts?customerId=${customerId}&currency=USD`;
  const accountId = (await story.call("GET", place)).json.data[0].id as string;
  await post(`/sandbox/internal-accounts/${accountId}/fund`, { amount: 1_000_000 }, 200);
  const payee = (suffix: string) =>
    post("/customers/external-accounts", {
      customerId,
      currency: "USD",
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber: `900000000${suffix}`,
        routingNumber: "021000021",
        bankName: HOSTILE,
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: HOSTILE },
      },
    });
  const { id: externalAccountId } = await payee("789");
  const failing = await payee("004");
  const pay = (id: string, description: string) =>
    post("/transfer-out", {
      source: { accountId },
      destination: { accountId: id },
      amount: 1_250,
      description,
    });
  await pay(externalAccountId, FORMULA);
  await pay(externalAccountId, LONG.slice(0, 500));
  const failed = await pay(failing.id, HOSTILE);
  await story.settle();
  return {
    customerId: customerId as string,
    accountId,
    externalAccountId: externalAccountId as string,
    failedPaymentId: failed.id as string,
  };
}

/** A business whose file, owner and papers are named so. */
async function hostileCase(post: Post) {
  const { id: businessId } = await post("/customers", {
    customerType: "BUSINESS",
    businessInfo: {
      legalName: HOSTILE,
      country: "US",
      taxId: "91-4400219",
      incorporatedOn: "2015-06-01",
      registrationNumber: "7700001",
    },
    address: { line1: HOSTILE, city: HOSTILE, postalCode: "62704", country: "US" },
    currencies: ["USD"],
  });
  const person = {
    firstName: HOSTILE,
    lastName: HOSTILE,
    birthDate: "1990-04-17",
    nationality: "US",
    address: { line1: HOSTILE, postalCode: "62704", country: "US" },
    idType: "SSN",
    identifier: "123-45-6789",
  };
  await post("/beneficial-owners", {
    customerId: businessId,
    roles: ["UBO"],
    ownershipPercentage: 60,
    personalInfo: person,
  });
  const fields = { documentNumber: HOSTILE, issuingAuthority: HOSTILE };
  const file = { bytes: png({ width: 560, height: 380 }), name: HOSTILE, type: "image/png" };
  await post("/documents", passportForm(businessId, { fields, file }));
  await post(
    "/documents",
    passportForm(businessId, { file: { bytes: "%PDF-1.7\n%%EOF\n", name: HOSTILE } }),
  );
  const { id: verificationId } = await post("/verifications", { customerId: businessId }, 200);
  return { businessId: businessId as string, verificationId: verificationId as string };
}

async function hostileRail(story: Story) {
  const connectionId = await activeConnection(story, {
    ...manualConnection(),
    account: { holderName: HOSTILE, bankName: HOSTILE, label: HOSTILE },
    settings: { accountTypes: ["USD_ACCOUNT"], paymentRails: ["RTP"], instructionsNote: HOSTILE },
  });
  const typed = await story.call("POST", `/rails/connections/${connectionId}/entries`, {
    bankReference: HOSTILE,
    reference: HOSTILE,
    remittance: HOSTILE,
    payer: { name: HOSTILE },
    direction: "CREDIT",
    amount: 100,
    currency: "USD",
    bookedOn: "2026-11-21",
  });
  const railEntryId = expectStatus(201, typed).json.id as string;
  const { json } = await story.call("GET", "/rails/items?state=OPEN&limit=100");
  const item = json.data.find((one: { readonly entryId: string }) => one.entryId === railEntryId);
  return { connectionId, railEntryId, railItemId: item.id as string };
}

/** A call with hostile headers, path and body; the log of requests has it. */
async function hostileRequest(story: Story): Promise<string> {
  const headers = {
    // A header has no letters beyond Latin.
    "user-agent": `${HOSTILE.replace("\u202e", "")} ${LONG.slice(0, 5_000)}`,
    "idempotency-key": "<img-src=x-onerror=window.hacked=1>",
  };
  const body = { customerType: "INDIVIDUAL", fullName: HOSTILE, metadata: { [HOSTILE]: HOSTILE } };
  const named = { ...headers, "x-request-id": "hostile" };
  await story.call("POST", "/customers", body, { headers: named });
  const path = `/customers/${encodeURIComponent(HOSTILE)}`;
  await story.call("GET", path, undefined, { headers });
  await story.server.app.requestLog?.flush();
  const { json } = await story.call("GET", "/request-logs?requestId=hostile");
  return present(json.data[0]?.id as string | undefined, "the row of the call");
}

/** An endpoint that answers with markup, marks of direction, control characters and a long text. */
async function hostileDelivery(story: Story) {
  const receiver = await httpReceiver(async (request, response) => {
    await text(request);
    const named = { "content-type": "text/html", "x-note": "<script>window.hacked=1</script>" };
    response.writeHead(500, named).end(`${HOSTILE}\u0000\u001b[31m${LONG}`);
  });
  const made = await story.call("POST", "/webhook-endpoints", {
    url: receiver.url,
    description: HOSTILE,
    events: ["INTERNAL_ACCOUNT.*"],
  });
  const endpointId = expectStatus(201, made).json.id as string;
  await fundedCustomer(story);
  const delivery = await soon(async () => {
    const place = `/webhook-deliveries?endpointId=${endpointId}&limit=1`;
    const [found] = (await story.call("GET", place)).json.data;
    if (found === undefined || found.attempts === 0) throw new Error("no delivery was tried yet");
    return found as { readonly id: string; readonly eventId: string };
  });
  return { endpointId, deliveryId: delivery.id, eventId: delivery.eventId };
}

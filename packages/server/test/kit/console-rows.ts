/** One object for each page of the console, and texts that a page could take for markup. */
import { hashInvitationCode } from "../../src/domain/uma/invitations/invitation.ts";
import { present } from "../../src/std/assert.ts";
import { passportForm } from "./forms.ts";
import { png } from "./images.ts";
import { soon } from "./soon.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "./story.ts";
import { bookItem, idOfBatch, payersOf, sendBatch } from "./story-batches.ts";
import { begun } from "./story-verifications.ts";
import type { TestServer } from "./test-server.ts";
import { railObjects } from "./valid-rail-calls.ts";
import { KEYS, seen } from "./valid-uma-policy-calls.ts";

export interface SandboxObjects {
  readonly customerId: string;
  readonly accountId: string;
  readonly externalAccountId: string;
  readonly failedPaymentId: string;
  readonly quoteId: string;
  readonly batchId: string;
  readonly agentId: string;
  readonly invitationId: string;
  readonly posting: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly deliveryId: string;
  readonly requestId: string;
  readonly connectionId: string;
  readonly railPaymentId: string;
  readonly railMarkId: string;
  readonly railItemId: string;
  readonly railEntryId: string;
  readonly receivableId: string;
  readonly scheduleId: string;
  readonly holdId: string;
  readonly businessId: string;
  readonly verificationId: string;
  /** The page of a case of another platform, which operators decide. */
  readonly operatorsCase: string;
  readonly hostileCustomerIds: readonly string[];
}

/** `isShown`: a list shows it as it is; marks of direction are replaced, and long texts are cut. */
export const HOSTILE_TEXTS: readonly { readonly text: string; readonly isShown: boolean }[] = [
  { text: "<script>window.hacked = 1</script>", isShown: true },
  { text: '<img src=x onerror="window.hacked = 1">', isShown: true },
  { text: "javascript:window.hacked=1", isShown: true },
  { text: "{{constructor.constructor('window.hacked=1')()}}", isShown: true },
  { text: "$" + "{window.hacked=1}", isShown: true },
  { text: "\u202egpj.exe \u2066hidden", isShown: false },
  { text: "W".repeat(255), isShown: false },
];

export async function fillSandbox(story: Story): Promise<SandboxObjects> {
  const made = async (path: string, body: unknown) => (await story.call("POST", path, body)).json;
  const first = async (path: string) => {
    const { data } = (await story.call("GET", path)).json;
    return present(data[0] as { readonly id: string } | undefined, `an object of ${path}`);
  };
  const endpoint = await made("/webhook-endpoints", {
    url: "http://127.0.0.1:9/hooks",
    description: "<b>orders</b>",
    events: [],
  });
  const hostileCustomerIds: string[] = [];
  for (const { text } of HOSTILE_TEXTS) {
    const { id } = await made("/customers", {
      customerType: "INDIVIDUAL",
      fullName: text,
      platformCustomerId: text,
      currencies: ["USD"],
    });
    hostileCustomerIds.push(id);
  }
  const { customerId, accountId } = await fundedCustomer(story, 1_000_000);
  const externalAccountId = await bankAccount(story, { customerId });
  const failing = await bankAccount(story, { customerId, suffix: "004" });
  const pay = (destination: string, description: string) =>
    made("/transfer-out", {
      source: { accountId },
      destination: { accountId: destination },
      amount: 1_250,
      description,
    });
  for (const { text } of HOSTILE_TEXTS) await pay(externalAccountId, text);
  const failed = await pay(failing, "<i>late</i>");
  const quote = await made("/quotes", {
    source: { sourceType: "REALTIME_FUNDING", currency: "USD", customerId },
    destination: { destinationType: "ACCOUNT", accountId },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 10_000,
  });
  const { agent } = await made("/agents", {
    name: "<u>payer</u>",
    customerId,
    policy: {
      permissions: ["VIEW_TRANSACTIONS", "CREATE_TRANSFERS"],
      defaultExecutionMode: "APPROVAL_REQUIRED",
      spendingLimits: { currency: "USD", perTransactionLimit: 50_000, dailyLimit: 100_000 },
    },
  });
  const schedule = await made("/payment-schedules", {
    name: "<b>Rent</b> of the office",
    template: {
      kind: "TRANSFER_OUT",
      source: { accountId },
      destination: { accountId: externalAccountId },
      amount: 120_000,
      description: "<i>Rent</i>",
    },
    rule: {
      every: "MONTH",
      on: 31,
      time: "09:00",
      timeZone: "Europe/Berlin",
      holidays: "TARGET",
    },
    retry: { times: 3, everyMinutes: 60 },
  });
  const hold = await made(`/internal-accounts/${accountId}/holds`, {
    amount: 80_000,
    description: "<u>Order 1042</u>",
  });
  await made(`/holds/${hold.id}/capture`, {
    amount: 30_000,
    destination: { accountId: externalAccountId },
    final: false,
  });
  await story.settle();
  const { businessId, verificationId } = await openCase(story);
  await umaRows(story);
  return {
    // Last: from now on the routes of the connections take what the sandbox carried.
    ...(await railRows(story)),
    businessId,
    verificationId,
    operatorsCase: (await openOperatorsCase(story.server)).place,
    customerId,
    accountId,
    externalAccountId,
    failedPaymentId: failed.id,
    quoteId: quote.id ?? "",
    scheduleId: schedule.id,
    batchId: await batchOf(story),
    holdId: hold.id,
    agentId: agent.id,
    invitationId: await openInvitation(story, customerId),
    posting: (await first("/ledger/postings?limit=1")).id,
    endpointId: endpoint.id,
    eventId: (await first("/events?limit=1")).id,
    deliveryId: (await first("/webhook-deliveries?limit=1")).id,
    requestId: (await soon(() => first("/request-logs?method=POST&limit=1"))).id,
    hostileCustomerIds,
  };
}

/** Institutions, one of which has changed its key, and what was exchanged with them. */
export async function umaRows(story: Story): Promise<void> {
  await seen(story, "vasp.example", KEYS.first, "1.0", "<b>Example</b> Bank");
  const pinned = { status: "ALLOWED", overrides: { pinKeys: true, certificates: "DOMAIN" } };
  await story.call("PUT", "/uma/counterparties/vasp.example", pinned);
  await seen(story, "vasp.example", KEYS.second, "1.1", "<b>Example</b> Bank");
  await seen(story, "wallet.example", KEYS.third);
  await story.call("PUT", "/uma/counterparties/blocked.example", { status: "BLOCKED" });
  const { exchangeLog, settled } = story.server.app.umaNotes;
  const { platformId } = story;
  const vaspDomain = "vasp.example";
  const about = { platformId, vaspDomain, umaVersion: "1.0" };
  const lookup = { ...about, kind: "LOOKUP" } as const;
  exchangeLog.record({ ...lookup, direction: "IN", outcome: "OK", ms: 12 });
  exchangeLog.record({ ...lookup, direction: "IN", outcome: "USER_NOT_FOUND", ms: 8 });
  const failed = "COUNTERPARTY_PUBKEY_FETCH_ERROR";
  exchangeLog.record({ ...lookup, direction: "OUT", outcome: failed, ms: 5_004 });
  exchangeLog.record({ ...about, kind: "PAY_REQUEST", direction: "IN", outcome: "OK", ms: 480 });
  await settled();
}

/** A batch with a payment that was made and one that was refused. */
async function batchOf(story: Story): Promise<string> {
  const payers = await payersOf(story, 1_000);
  const items = [
    bookItem(payers, { reference: "salary-0001" }),
    bookItem(payers, { reference: "salary-0002", amount: 900_000 }),
  ];
  return idOfBatch(await sendBatch(story, items, { name: "Salaries November" }));
}

/** The public API does not tell the id. */
async function openInvitation(story: Story, customerId: string): Promise<string> {
  const { umaAddress } = (await story.call("GET", `/customers/${customerId}`)).json;
  const body = { inviterUma: umaAddress, firstName: "Ana", amountToSend: 12_500 };
  const { code } = (await story.call("POST", "/invitations", body)).json;
  const { rows } = await story.server.app.store.database.withClient((client) =>
    client.query("select id from invitations where code_hash = $1", [hashInvitationCode(code)]),
  );
  return `Invitation:${rows[0]?.id}`;
}

async function railRows(story: Story) {
  const rail = async (kind: string) => present(railObjects[kind], kind)(story);
  const railPaymentId = await rail("RailPayment");
  const { connectionId } = (await story.call("GET", `/rails/payments/${railPaymentId}`)).json;
  return {
    railPaymentId,
    connectionId: connectionId as string,
    railMarkId: await rail("RailMark"),
    railItemId: await rail("RailItem"),
    railEntryId: await rail("RailEntry"),
    receivableId: await rail("RailReceivable"),
  };
}

/** A business that waits for a reviewer, with an owner, two pictures and a file. */
export async function openCase(story: Story) {
  const made = async (path: string, body: unknown) => (await story.call("POST", path, body)).json;
  const { id: businessId } = await made("/customers", {
    customerType: "BUSINESS",
    businessInfo: {
      legalName: "Lind Boats LLC",
      country: "US",
      taxId: "91-4400219",
      incorporatedOn: "2015-06-01",
      registrationNumber: "7700001",
    },
    address: {
      line1: "12 Harbour Street",
      city: "Springfield",
      postalCode: "62704",
      country: "US",
    },
    currencies: ["USD"],
  });
  await made("/beneficial-owners", {
    customerId: businessId,
    roles: ["UBO"],
    ownershipPercentage: 60,
    personalInfo: {
      firstName: "Mara",
      lastName: "Lindqvist",
      birthDate: "1990-04-17",
      nationality: "US",
      address: { line1: "8 Quay Road", postalCode: "62704", country: "US" },
      idType: "SSN",
      identifier: "123-45-6789",
    },
  });
  const sheets = [
    { bytes: png({ width: 560, height: 380 }), name: "passport.png", type: "image/png" },
    { bytes: png({ width: 280, height: 400 }), name: "register.png", type: "image/png" },
  ];
  await made("/documents", passportForm(businessId));
  for (const file of sheets) await made("/documents", passportForm(businessId, { file }));
  const { id: verificationId } = await made("/verifications", { customerId: businessId });
  return { businessId, verificationId } as { businessId: string; verificationId: string };
}

/** The same business at a production platform of another workspace, which leaves its verifications to operators. */
export async function openOperatorsCase(server: TestServer) {
  const story = await openStory(server, { environment: "PRODUCTION", name: "lind-boats" });
  const { businessId } = await openCase(story);
  const verificationId = await begun(story, businessId, "PENDING_MANUAL_REVIEW");
  const place = `system-verifications/PlatformConfig:${story.platformId}/${verificationId}`;
  return { story, businessId, verificationId, place };
}

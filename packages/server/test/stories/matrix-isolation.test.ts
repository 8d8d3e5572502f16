/**
 * Two platforms: wherever a request can name an object, the id of the other platform's object is answered as an id that
 * nobody has. Each place is also tried with an id of our own, so that the call is known to work.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/http/request/routes.ts";
import { present } from "../../src/std/assert.ts";
import { systemClock } from "../../src/std/clock.ts";
import { randomIds } from "../../src/std/ids.ts";
import { propertiesOf } from "../../src/validation/schema.ts";
import { servedSchemas, withValue } from "../kit/field-probes.ts";
import { makeObject, optionsOf, type ValidCall } from "../kit/made-objects.ts";
import { endReceivers } from "../kit/receivers.ts";
import { openStory, type RawAnswer, type Story } from "../kit/story.ts";
import { connectedAgent, type StoryAgent } from "../kit/story-agents.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";
import { validCall } from "../kit/valid-calls.ts";
import { railPlaces } from "../kit/valid-rail-calls.ts";

type Where = "path" | "body" | "query";
type Places = Readonly<Partial<Record<Where, Readonly<Record<string, string>>>>>;

/** Every place of a request that names an object, and the kind of the object. */
const places: Readonly<Record<string, Places>> = {
  getToken: { path: { tokenId: "Token" } },
  deleteToken: { path: { tokenId: "Token" } },
  getCustomer: { path: { customerId: "Customer" } },
  updateCustomer: { path: { customerId: "Customer" } },
  deleteCustomer: { path: { customerId: "Customer" } },
  createBeneficialOwner: { body: { customerId: "Customer" } },
  listBeneficialOwners: { query: { customerId: "Customer" } },
  getBeneficialOwner: { path: { beneficialOwnerId: "BeneficialOwner" } },
  updateBeneficialOwner: { path: { beneficialOwnerId: "BeneficialOwner" } },
  createKycLink: { path: { customerId: "Customer" } },
  createVerification: { body: { customerId: "Customer" } },
  listVerifications: { query: { customerId: "Customer" } },
  getVerification: { path: { verificationId: "Verification" } },
  getBulkCustomerJob: { path: { jobId: "Job" } },
  listDocuments: { query: { documentHolder: "Customer" } },
  getDocument: { path: { documentId: "Document" } },
  replaceDocument: { path: { documentId: "Document" } },
  deleteDocument: { path: { documentId: "Document" } },
  listCustomerInternalAccounts: { query: { customerId: "Customer" } },
  getInternalAccount: { path: { id: "InternalAccount" } },
  createCustomerExternalAccount: { body: { customerId: "Customer" } },
  listCustomerExternalAccounts: { query: { customerId: "Customer" } },
  getCustomerExternalAccount: { path: { externalAccountId: "ExternalAccount" } },
  deleteCustomerExternalAccount: { path: { externalAccountId: "ExternalAccount" } },
  getPlatformExternalAccount: { path: { externalAccountId: "PlatformExternalAccount" } },
  deletePlatformExternalAccount: { path: { externalAccountId: "PlatformExternalAccount" } },
  freezeCustomer: { path: { customerId: "Customer" } },
  unfreezeCustomer: { path: { customerId: "Customer" } },
  freezeInternalAccount: { path: { internalAccountId: "InternalAccount" } },
  unfreezeInternalAccount: { path: { internalAccountId: "InternalAccount" } },
  createTransfer: {
    body: { "source.accountId": "InternalAccount", "destination.accountId": "InternalAccount" },
  },
  transferOut: {
    body: { "source.accountId": "InternalAccount", "destination.accountId": "ExternalAccount" },
  },
  transferIn: {
    body: { "source.accountId": "ExternalAccount", "destination.accountId": "InternalAccount" },
  },
  createQuote: {
    body: {
      "source.accountId": "InternalAccount",
      "source.customerId": "Customer",
      "destination.accountId": "ExternalAccount",
    },
  },
  listQuotes: {
    query: {
      customerId: "Customer",
      sendingAccountId: "InternalAccount",
      receivingAccountId: "ExternalAccount",
    },
  },
  getQuote: { path: { quoteId: "Quote" } },
  executeQuote: { path: { quoteId: "Quote" } },
  sendSandboxFunds: { body: { quoteId: "FundableQuote" } },
  listTransactions: {
    query: {
      customerId: "Customer",
      accountIdentifier: "InternalAccount",
      senderAccountIdentifier: "InternalAccount",
      receiverAccountIdentifier: "ExternalAccount",
    },
  },
  getTransaction: { path: { transactionId: "Transaction" } },
  getTransactionTimeline: { path: { transactionId: "Transaction" } },
  approveTransaction: { path: { transactionId: "AskedTransaction" } },
  rejectTransaction: { path: { transactionId: "AskedTransaction" } },
  lookupUmaReceiver: { query: { customerId: "Customer" } },
  lookupExternalAccountReceiver: {
    path: { accountId: "ExternalAccount" },
    query: { customerId: "Customer" },
  },
  receiveUmaPayment: { body: { customerId: "Customer" } },
  fundInternalAccount: { path: { accountId: "InternalAccount" } },
  listAgents: { query: { customerId: "Customer" } },
  listAgentApprovals: { query: { agentId: "Agent", customerId: "Customer" } },
  createAgent: { body: { customerId: "Customer" } },
  getAgent: { path: { agentId: "Agent" } },
  updateAgent: { path: { agentId: "Agent" } },
  deleteAgent: { path: { agentId: "Agent" } },
  updateAgentPolicy: { path: { agentId: "Agent" } },
  createAgentDeviceCode: { path: { agentId: "Agent" } },
  getAgentDeviceCodeStatus: { path: { code: "DeviceCode" } },
  approveAgentAction: { path: { agentId: "Agent", actionId: "AgentAction" } },
  rejectAgentAction: { path: { agentId: "Agent", actionId: "AgentAction" } },
  agentGetAction: { path: { actionId: "AgentAction" } },
  agentListTransactions: {
    query: {
      accountIdentifier: "InternalAccount",
      senderAccountIdentifier: "InternalAccount",
      receiverAccountIdentifier: "ExternalAccount",
    },
  },
  agentGetTransaction: { path: { transactionId: "Transaction" } },
  agentCreateQuote: {
    body: {
      "source.accountId": "InternalAccount",
      "source.customerId": "Customer",
      "destination.accountId": "ExternalAccount",
    },
  },
  agentGetQuote: { path: { quoteId: "Quote" } },
  agentExecuteQuote: { path: { quoteId: "Quote" } },
  agentTransferOut: {
    body: { "source.accountId": "InternalAccount", "destination.accountId": "ExternalAccount" },
  },
  agentTransferIn: {
    body: { "source.accountId": "ExternalAccount", "destination.accountId": "InternalAccount" },
  },
  agentCreateExternalAccount: { body: { customerId: "Customer" } },
  agentGetExternalAccount: { path: { externalAccountId: "ExternalAccount" } },
  agentDeleteExternalAccount: { path: { externalAccountId: "ExternalAccount" } },
  listEvents: { query: { resourceId: "Transaction" } },
  getEvent: { path: { eventId: "Webhook" } },
  getEventRaw: { path: { eventId: "Webhook" } },
  listLedgerAccounts: { query: { internalAccountId: "InternalAccount", customerId: "Customer" } },
  listLedgerEntries: { path: { ledgerAccountId: "LedgerAccount" } },
  listPostings: { query: { accountId: "LedgerAccount", transactionId: "Transaction" } },
  getWebhookEndpoint: { path: { endpointId: "WebhookEndpoint" } },
  updateWebhookEndpoint: { path: { endpointId: "WebhookEndpoint" } },
  deleteWebhookEndpoint: { path: { endpointId: "WebhookEndpoint" } },
  rotateWebhookEndpointKey: { path: { endpointId: "WebhookEndpoint" } },
  testWebhookEndpoint: { path: { endpointId: "WebhookEndpoint" } },
  createStatement: { body: { accountId: "InternalAccount" } },
  listStatements: { query: { accountId: "InternalAccount" } },
  getStatement: { path: { statementId: "Statement" } },
  getStatementFile: { path: { statementId: "Statement" } },
  listRequestLogs: { query: { tokenId: "Token", resourceId: "Transaction" } },
  getRequestLog: { path: { requestLogId: "RequestLog" } },
  ...railPlaces,
  createCredential: { body: { accountId: "Wallet" } },
  listCredentials: { query: { accountId: "Wallet" } },
  challengeCredential: { path: { id: "AuthMethod" } },
  verifyCredential: { path: { id: "AuthMethod" } },
  revokeCredential: { path: { id: "AuthMethod" } },
  listSessions: { query: { accountId: "Wallet" } },
  refreshSession: { path: { id: "Session" } },
  revokeSession: { path: { id: "Session" } },
  exportWallet: { path: { id: "Wallet" } },
};

/** In the body of these an object that does not exist is a bad field. */
const BAD_FIELDS: ReadonlySet<string> = new Set(["createQuote", "agentCreateQuote"]);
/** Places that take a code whose very purpose is to lead across platforms: see invitations-across.test.ts, agents.test.ts. */
const crossings: Readonly<Record<string, Places>> = {
  getInvitation: { path: { invitationCode: "InvitationCode" } },
  claimInvitation: { path: { invitationCode: "InvitationCode" } },
  cancelInvitation: { path: { invitationCode: "InvitationCode" } },
  redeemAgentDeviceCode: { path: { code: "DeviceCode" } },
  // A callback has a signature for its credentials: see rails-callbacks.test.ts.
  takeRailCallback: { path: { connectionUuid: "RailConnection" } },
};

/** Parameters that take ids of several kinds. */
const ANY_KIND: ReadonlySet<string> = new Set(["resourceId"]);

/** Names in paths that mean the same to every platform. */
const KNOWN_TO_ALL = new Set(["receiverUmaAddress", "posting"]);

/** Fields that look like ids but are the platform's own words, and ids that count with something else alone: of a lookup see quotes-uma.test.ts. */
const OWN_WORDS = new Set([
  "platformCustomerId",
  "platformAccountId",
  "taxId",
  // Counts with its own UMA address alone: see quotes-uma.test.ts.
  "lookupId",
  // A word of the bank's, and one that follows from an id.
  "eventId",
  "endToEndId",
  // The number of an account that is no IBAN.
  "otherId",
  // The id of a call, which may be the caller's own text.
  "requestId",
  "operationId",
  // Of a passkey: the authenticator's own word.
  "credentialId",
]);

/** It finds calls of ours by an id in their path, whosever object that is: see request-logs.test.ts. */
const OF_OWN_CALLS = "listRequestLogs resourceId";

const placesTried = Object.entries(places).flatMap(([operationId, byWhere]) =>
  (["path", "body", "query"] as const).flatMap((where) =>
    Object.entries(byWhere[where] ?? {}).map(([field, kind]) => ({
      operationId,
      where,
      field,
      kind,
    })),
  ),
);

const tried = placesTried.filter(
  ({ operationId, field }) => `${operationId} ${field}` !== OF_OWN_CALLS,
);

let server: TestServer;
let ours: Story;
let theirs: Story;
const theirObjects = new Map<string, string>();
const ourObjects = new Map<string, string>();
let theirsBefore: readonly string[];

beforeAll(async () => {
  server = await startTestServer();
  ours = await openStory(server);
  theirs = await openStory(server);
  await Promise.all([fill(theirObjects, theirs), fill(ourObjects, ours)]);
  // Past every deadline, so that nothing of theirs changes by itself any more.
  await theirs.call("POST", "/sandbox/clock/advance", { seconds: 3_600 });
  theirsBefore = await everythingOfTheirs();
});
afterAll(async () => {
  await endReceivers();
  await server.close();
});

async function fill(objects: Map<string, string>, story: Story): Promise<void> {
  for (const [kind, make] of Object.entries(makeObject)) objects.set(kind, await make(story));
}

function idLike(names: Iterable<string>): string[] {
  return [...names].filter((name) => {
    const last = name.split(".").at(-1) ?? "";
    return (
      /(?:Id|AccountIdentifier|^accountIdentifier|^documentHolder)$/.test(last) &&
      !OWN_WORDS.has(last)
    );
  });
}

type Schema = Readonly<Record<string, unknown>>;

/** Every field of a schema and of its variants, each once. */
function fieldsOf(schema: Schema, path = ""): string[] {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const variants = (schema.oneOf ?? []) as readonly Schema[];
  const fields = Object.entries(properties).flatMap(([name, property]) => [
    path + name,
    ...fieldsOf(property, `${path}${name}.`),
  ]);
  return [...new Set([...fields, ...variants.flatMap((variant) => fieldsOf(variant, path))])];
}

it("knows every place where a request names an object", async () => {
  const schemas = await servedSchemas(server.baseUrl);
  for (const operation of operations) {
    const known = places[operation.id] ?? crossings[operation.id] ?? {};
    const inPath = [...operation.path.matchAll(/\{([^}]+)\}/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !KNOWN_TO_ALL.has(name));
    const inQuery = operation.query === undefined ? [] : Object.keys(propertiesOf(operation.query));
    const inBody = fieldsOf(schemas.bodyOf(operation) ?? {});
    expect(Object.keys(known.path ?? {}), operation.id).toEqual(inPath);
    expect(Object.keys(known.query ?? {}), operation.id).toEqual(idLike(inQuery));
    expect(Object.keys(known.body ?? {}).sort(), operation.id).toEqual(idLike(inBody).sort());
  }
});

interface Place {
  readonly operationId: string;
  readonly where: Where;
  readonly field: string;
}

function callWith(place: Place, call: ValidCall, id: string): Promise<RawAnswer> {
  const operation = present(
    operations.find((one) => one.id === place.operationId),
    place.operationId,
  );
  const options = optionsOf(call);
  if (place.where === "query") {
    const [path = "", query] = call.path.split("?");
    const sent = new URLSearchParams(query);
    sent.set(place.field, id);
    return ours.call(operation.method, `${path}?${sent}`, call.body, options);
  }
  if (place.where === "body") {
    const body = withValue(call.body, place.field.split("."), id);
    return ours.call(operation.method, call.path, body, options);
  }
  const at = operation.path.split("/").indexOf(`{${place.field}}`);
  const path = call.path.split("/").map((segment, index) => (index === at ? id : segment));
  return ours.call(operation.method, path.join("/"), call.body, options);
}

const PER_ANSWER = new Set(["date", "x-request-id", "keep-alive", "connection"]);

function comparable({ status, text, headers }: RawAnswer) {
  const masked = text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID");
  return { status, masked, headers: [...headers].filter(([name]) => !PER_ANSWER.has(name)) };
}

const wireKind = (kind: string) =>
  kind === "Wallet" ? "InternalAccount" : kind.replace(/^(?:Platform|Fundable|Asked)/, "");

/** The answers of all lists of the other platform. */
async function everythingOfTheirs(): Promise<readonly string[]> {
  const lists = operations
    .filter(({ id, method }) => method === "GET" && id.startsWith("list"))
    // Rates are told anew every five minutes, whatever anybody does.
    .filter(({ id }) => id !== "listExchangeRates")
    // The log has what this test itself reads.
    .filter(({ id }) => id !== "listRequestLogs");
  const owned = `?customerId=${present(theirObjects.get("Business"), "a business")}`;
  const paths = [
    "/config",
    ...lists.map(({ id, path }) => (id === "listBeneficialOwners" ? path + owned : path)),
  ];
  const answers = await Promise.all(paths.map((path) => theirs.call("GET", path)));
  return answers.map(({ text }) => text);
}

const unknownId = (kind: string) => `${kind}:${randomIds().next(systemClock.now())}`;

/** The path has a code and no id. */
const namesNoKind: ReadonlySet<string> = new Set(["getAgentDeviceCodeStatus"]);

const namesWhatIsNoId: ReadonlySet<string> = new Set(["createCredential"]);

describe.each(tried)("$operationId with $field in the $where", (place) => {
  const operation = present(
    operations.find(({ id }) => id === place.operationId),
    place.operationId,
  );
  const isBadField = place.where === "body" && BAD_FIELDS.has(place.operationId);
  // A parameter, and some fields, are named when they hold no id of their kind; the others name an object that nobody has.
  const isNamed = place.where === "query" || namesWhatIsNoId.has(operation.id);
  const refusedWith = isNamed || isBadField ? 400 : 404;
  let call: ValidCall;
  let ownUuid: string;
  beforeAll(async () => {
    call = await validCall(ours, place.operationId);
    ownUuid = present(ourObjects.get(place.kind), place.kind).split(":")[1] ?? "";
  });

  it("answers another platform's id like an unknown one", async () => {
    const foreign = await callWith(place, call, present(theirObjects.get(place.kind), place.kind));
    const unknown = await callWith(place, call, unknownId(wireKind(place.kind)));
    expect(comparable(foreign)).toEqual(comparable(unknown));
    if (place.where === "query" && /list/i.test(operation.id)) {
      const { totalCount = 0, ...rest } = foreign.json;
      expect({ totalCount, ...rest }).toEqual({ data: [], hasMore: false, totalCount: 0 });
    } else if (isBadField) {
      expect(foreign.json).toMatchObject({ status: 400, code: "INVALID_INPUT" });
      expect(foreign.json.details.errors[0].field).toBe(place.field);
    } else {
      expect(foreign.status).toBe(404);
      expect(foreign.json.code).toMatch(/^[A-Z_]+_NOT_FOUND$/);
    }
  });

  it("answers an id of another kind like one that does not exist, and names the kind", async () => {
    const otherKind = place.kind === "Customer" ? "Token" : "Customer";
    const wrong = await callWith(place, call, `${otherKind}:${ownUuid}`);
    if (ANY_KIND.has(place.field)) {
      expect(wrong.json).toEqual({ data: [], hasMore: false });
      return;
    }
    expect(wrong.status).toBe(refusedWith);
    if (isNamed) {
      expect(wrong.json.code).toBe("INVALID_INPUT");
      expect(wrong.json.details.errors[0].field).toBe(place.field);
    } else {
      const unknown = await callWith(place, call, unknownId(wireKind(place.kind)));
      expect(wrong.json.code).toBe(unknown.json.code);
      if (namesNoKind.has(operation.id)) return;
      expect(wrong.json.message).toMatch(otherKind === "Token" ? /\ba token\b/ : /\ba customer\b/);
    }
  });

  it("takes an id in the one spelling that we write", async () => {
    const kind = wireKind(place.kind);
    for (const spelling of [
      `${kind}:${ownUuid.toUpperCase()}`,
      `${kind}:{${ownUuid}}`,
      `${kind.toLowerCase()}:${ownUuid}`,
      `${kind}:${ownUuid.replaceAll("-", "")}`,
      ownUuid,
      `${kind}:../../${ownUuid}`,
      `${kind}:${"0".repeat(200)}`,
    ]) {
      const written = place.where === "path" ? encodeURIComponent(spelling) : spelling;
      const { status } = await callWith(place, call, written);
      expect([spelling, status]).toEqual([spelling, refusedWith]);
    }
  });

  it("works with an id of our own", async () => {
    // A body names objects that belong together, so it is sent as it was made; so is a path.
    // Made anew, because some of them do not stay as they are for long.
    const fresh = await validCall(ours, place.operationId);
    const answer =
      place.where === "query"
        ? await callWith(place, fresh, present(ourObjects.get(place.kind), place.kind))
        : await ours.call(operation.method, fresh.path, fresh.body, optionsOf(fresh));
    expect(answer.status).toBeLessThan(300);
  });
});

describe("the other platform", () => {
  it("is unchanged after all attempts", async () => {
    await theirs.settle();
    expect(await everythingOfTheirs()).toEqual(theirsBefore);
  });
});

describe("names that a platform chooses", () => {
  it("are the platform's own: two platforms use the same ones", async () => {
    const body = {
      customerType: "INDIVIDUAL",
      platformCustomerId: "same-name",
      currencies: ["USD"],
    };
    const [mine, yours] = [
      await ours.call("POST", "/customers", body),
      await theirs.call("POST", "/customers", body),
    ];
    expect([mine.status, yours.status]).toEqual([201, 201]);
    expect(mine.json.id).not.toBe(yours.json.id);
    const found = await ours.call("GET", "/customers?platformCustomerId=same-name");
    expect(found.json.data.map((one: { id: string }) => one.id)).toEqual([mine.json.id]);
    const elsewhere = await ours.call("GET", `/customers?umaAddress=${yours.json.umaAddress}`);
    expect(elsewhere.json.data).toEqual([]);
  });
});

const ofAgents = new Set(operations.filter(({ access }) => access === "AGENT").map(({ id }) => id));

/** Within one platform an agent sees its own customer alone, and of actions and quotes its own alone. */
describe.each(tried.filter(({ operationId }) => ofAgents.has(operationId)))(
  "$operationId of an agent with $field in the $where",
  (place) => {
    let stranger: StoryAgent;
    let id: string;
    beforeAll(async () => {
      stranger = await connectedAgent(ours);
      const { json } = await stranger.pay(5);
      const objects: Readonly<Record<string, string>> = {
        Customer: stranger.customerId,
        InternalAccount: stranger.accountId,
        ExternalAccount: stranger.payeeId,
        AgentAction: json.id,
        Quote: (await stranger.quote(1_000)).json.id,
        Transaction: json.transaction.id,
      };
      id = present(objects[place.kind], place.kind);
      await ours.settle();
    });

    it("answers a name of another agent like an unknown one, and leaves it unchanged", async () => {
      const call = await validCall(ours, place.operationId);
      const before = await everythingOf(stranger);
      const foreign = await callWith(place, call, id);
      const unknown = await callWith(place, call, unknownId(wireKind(place.kind)));
      expect(comparable(foreign)).toEqual(comparable(unknown));
      if (place.where === "query") expect(foreign.json.data).toEqual([]);
      else expect(foreign.status).toBeGreaterThanOrEqual(400);
      expect(await everythingOf(stranger)).toEqual(before);
    });
  },
);

async function everythingOf(agent: StoryAgent): Promise<readonly string[]> {
  const paths = ["", "/actions", "/transactions", "/external-accounts", "/internal-accounts"];
  const answers = await Promise.all(paths.map((path) => agent.call("GET", path)));
  return answers.map(({ text }) => text);
}

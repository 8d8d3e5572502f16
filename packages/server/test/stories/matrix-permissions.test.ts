/** Every route with every kind of credentials. The table is the rule: a route that it does not name fails. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/http/operations/routes.ts";
import type { Access } from "../../src/http/request/operation.ts";
import { present } from "../../src/std/assert.ts";
import { systemClock } from "../../src/std/clock.ts";
import { randomIds } from "../../src/std/ids.ts";
import { basic } from "../kit/basic.ts";
import { sampleOf } from "../kit/sample.ts";
import { ignoreUnknownFields, openStory, type Story } from "../kit/story.ts";
import { connectedAgent } from "../kit/story-agents.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";

const rules: Readonly<Record<string, Access | `${Access} SANDBOX`>> = {
  resendEvent: "MANAGE",
  resendEvents: "MANAGE",
  getEventResend: "VIEW",
  cancelEventResend: "MANAGE",
  retryWebhookDelivery: "MANAGE",
  rotateWebhookKey: "MANAGE",
  getConfig: "VIEW",
  updateConfig: "MANAGE",
  createToken: "MANAGE",
  listTokens: "VIEW",
  getToken: "VIEW",
  deleteToken: "MANAGE",
  createCustomer: "MANAGE",
  listCustomers: "VIEW",
  getCustomer: "VIEW",
  updateCustomer: "MANAGE",
  deleteCustomer: "MANAGE",
  createBeneficialOwner: "MANAGE",
  listBeneficialOwners: "VIEW",
  getBeneficialOwner: "VIEW",
  updateBeneficialOwner: "MANAGE",
  createKycLink: "MANAGE",
  createVerification: "MANAGE",
  listVerifications: "VIEW",
  getVerification: "VIEW",
  decideVerification: "MANAGE",
  uploadCustomersCsv: "MANAGE",
  getBulkCustomerJob: "VIEW",
  uploadDocument: "MANAGE",
  listDocuments: "VIEW",
  getDocument: "VIEW",
  replaceDocument: "MANAGE",
  deleteDocument: "MANAGE",
  listCustomerInternalAccounts: "VIEW",
  listPlatformInternalAccounts: "VIEW",
  getInternalAccount: "VIEW",
  createCustomerExternalAccount: "MANAGE",
  listCustomerExternalAccounts: "VIEW",
  getCustomerExternalAccount: "VIEW",
  deleteCustomerExternalAccount: "MANAGE",
  createPlatformExternalAccount: "MANAGE",
  listPlatformExternalAccounts: "VIEW",
  getPlatformExternalAccount: "VIEW",
  deletePlatformExternalAccount: "MANAGE",
  freezeCustomer: "MANAGE",
  unfreezeCustomer: "MANAGE",
  createInternalAccount: "MANAGE",
  updateInternalAccount: "MANAGE",
  closeInternalAccount: "MANAGE",
  requestFundingInstructions: "MANAGE",
  getInternalAccountBalance: "VIEW",
  createBalanceAlert: "MANAGE",
  listBalanceAlerts: "VIEW",
  deleteBalanceAlert: "MANAGE",
  freezeInternalAccount: "MANAGE",
  unfreezeInternalAccount: "MANAGE",
  createTransfer: "TRANSACT",
  createHold: "TRANSACT",
  listHolds: "VIEW",
  getHold: "VIEW",
  captureHold: "TRANSACT",
  releaseHold: "TRANSACT",
  createPaymentBatch: "TRANSACT",
  createPaymentBatchFromCsv: "TRANSACT",
  getPaymentBatchTemplate: "VIEW",
  getPaymentBatchItemsFile: "VIEW",
  listPaymentBatches: "VIEW",
  getPaymentBatch: "VIEW",
  listPaymentBatchItems: "VIEW",
  cancelPaymentBatch: "TRANSACT",
  transferOut: "TRANSACT",
  createPaymentSchedule: "TRANSACT",
  listPaymentSchedules: "VIEW",
  getPaymentSchedule: "VIEW",
  updatePaymentSchedule: "TRANSACT",
  pausePaymentSchedule: "TRANSACT",
  resumePaymentSchedule: "TRANSACT",
  skipPaymentScheduleRun: "TRANSACT",
  runPaymentSchedule: "TRANSACT",
  endPaymentSchedule: "TRANSACT",
  listPaymentScheduleRuns: "VIEW",
  previewPaymentSchedule: "VIEW",
  listExchangeRates: "VIEW",
  createQuote: "TRANSACT",
  listQuotes: "VIEW",
  getQuote: "VIEW",
  executeQuote: "TRANSACT",
  sendSandboxFunds: "TRANSACT SANDBOX",
  transferIn: "TRANSACT",
  listTransactions: "VIEW",
  getTransaction: "VIEW",
  updateTransaction: "TRANSACT",
  getTransactionTimeline: "VIEW",
  listDiscoveries: "VIEW",
  listUmaProviders: "VIEW",
  listUmaDomains: "VIEW",
  getUmaDomain: "VIEW",
  updateUmaDomain: "MANAGE",
  checkUmaDomain: "MANAGE",
  getUmaPayment: "VIEW",
  getUmaTravelRule: "TRANSACT",
  getUmaPolicy: "VIEW",
  setUmaPolicy: "MANAGE",
  listUmaCounterparties: "VIEW",
  setUmaCounterparty: "MANAGE",
  acceptUmaCounterpartyKey: "MANAGE",
  listUmaExchanges: "VIEW",
  createInvitation: "TRANSACT",
  getInvitation: "VIEW",
  claimInvitation: "TRANSACT",
  cancelInvitation: "TRANSACT",
  approveTransaction: "TRANSACT",
  rejectTransaction: "TRANSACT",
  refundTransaction: "TRANSACT",
  lookupUmaReceiver: "VIEW",
  lookupExternalAccountReceiver: "VIEW",
  fundInternalAccount: "TRANSACT SANDBOX",
  receiveUmaPayment: "TRANSACT SANDBOX",
  payUmaInvoice: "TRANSACT SANDBOX",
  getUmaFaults: "VIEW SANDBOX",
  setUmaFaults: "TRANSACT SANDBOX",
  advanceClock: "TRANSACT SANDBOX",
  getClock: "VIEW SANDBOX",
  testWebhook: "MANAGE SANDBOX",
  getWebhookPublicKey: "VIEW",
  listEvents: "VIEW",
  streamEvents: "VIEW",
  getEvent: "VIEW",
  getEventRaw: "VIEW",
  listLedgerAccounts: "VIEW",
  listLedgerEntries: "VIEW",
  listPostings: "VIEW",
  getPosting: "VIEW",
  getLedgerBalances: "VIEW",
  getTrialBalance: "VIEW",
  search: "VIEW",
  getLedgerCommand: "VIEW",
  getCommandProof: "VIEW",
  getChain: "VIEW",
  listCheckpoints: "VIEW",
  createCheckpoint: "MANAGE",
  listWebhookEndpoints: "VIEW",
  createWebhookEndpoint: "MANAGE",
  getWebhookEndpoint: "VIEW",
  updateWebhookEndpoint: "MANAGE",
  deleteWebhookEndpoint: "MANAGE",
  rotateWebhookEndpointKey: "MANAGE",
  testWebhookEndpoint: "MANAGE",
  listWebhookDeliveries: "VIEW",
  getWebhookDelivery: "VIEW",
  listDeliveryAttempts: "VIEW",
  createStatement: "VIEW",
  listStatements: "VIEW",
  getStatement: "VIEW",
  getStatementFile: "VIEW",
  createExport: "VIEW",
  listExports: "VIEW",
  getExport: "VIEW",
  getExportFile: "VIEW",
  listRequestLogs: "VIEW",
  streamRequestLogs: "VIEW",
  getRequestLog: "VIEW",
  listAuditEntries: "MANAGE",
  listPeople: "MANAGE",
  createRailConnection: "MANAGE",
  listRailConnections: "VIEW",
  getRailConnection: "VIEW",
  updateRailConnection: "MANAGE",
  testRailConnection: "MANAGE",
  activateRailConnection: "MANAGE",
  pauseRailConnection: "MANAGE",
  resumeRailConnection: "MANAGE",
  archiveRailConnection: "MANAGE",
  getRailQueueFile: "TRANSACT",
  addVirtualAccounts: "MANAGE",
  createRailRoute: "MANAGE",
  listRailRoutes: "VIEW",
  resolveRailRoute: "VIEW",
  getRailRoute: "VIEW",
  updateRailRoute: "MANAGE",
  deleteRailRoute: "MANAGE",
  listRailPayments: "VIEW",
  getRailPayment: "VIEW",
  markRailPayment: "TRANSACT",
  markRailPayments: "TRANSACT",
  rerouteRailPayment: "TRANSACT",
  recallRailPayment: "TRANSACT",
  createRailEntry: "TRANSACT",
  listRailEntries: "VIEW",
  getRailEntry: "VIEW",
  createRailBalance: "TRANSACT",
  getRailReconciliation: "VIEW",
  getRailReconciliationFile: "VIEW",
  listRailMarks: "VIEW",
  getRailMark: "VIEW",
  confirmRailMark: "TRANSACT",
  refuseRailMark: "TRANSACT",
  listReceivables: "VIEW",
  getReceivable: "VIEW",
  collectReceivable: "TRANSACT",
  writeReceivableOff: "TRANSACT",
  listRailItems: "VIEW",
  getRailItem: "VIEW",
  resolveRailItem: "TRANSACT",
  takeRailCallback: "PUBLIC",
  listUmaKeys: "VIEW",
  getUmaKey: "VIEW",
  getUmaKeyRequest: "VIEW",
  setUmaKeyChain: "MANAGE",
  rotateUmaKey: "MANAGE",
  destroyUmaKey: "MANAGE",
  createRateSource: "MANAGE",
  listRateSources: "VIEW",
  getRateSource: "VIEW",
  updateRateSource: "MANAGE",
  deleteRateSource: "MANAGE",
  setRates: "MANAGE",
  refreshRateSource: "MANAGE",
  uploadRates: "MANAGE",
  listRateObservations: "VIEW",
  getSpreads: "VIEW",
  setSpreads: "MANAGE",
  getFees: "VIEW",
  setFees: "MANAGE",
  listFeeVersions: "VIEW",
  getQuotePrice: "VIEW",
  listFxPositions: "VIEW",
  setFxLimits: "MANAGE",
  adjustFxPositions: "TRANSACT",
  createAdjustment: "MANAGE",
  listAdjustments: "VIEW",
  listApprovals: "VIEW",
  getApproval: "VIEW",
  createAgent: "MANAGE",
  listAgents: "VIEW",
  listAgentApprovals: "VIEW",
  getAgent: "VIEW",
  updateAgent: "MANAGE",
  deleteAgent: "MANAGE",
  updateAgentPolicy: "MANAGE",
  previewAgentPolicy: "VIEW",
  listAgentActions: "VIEW",
  createAgentDeviceCode: "MANAGE",
  getAgentDeviceCodeStatus: "VIEW",
  redeemAgentDeviceCode: "PUBLIC",
  approveAgentAction: "TRANSACT",
  rejectAgentAction: "TRANSACT",
  agentMe: "AGENT",
  agentListActions: "AGENT",
  agentGetAction: "AGENT",
  agentListInternalAccounts: "AGENT",
  agentListTransactions: "AGENT",
  agentGetTransaction: "AGENT",
  agentCreateQuote: "AGENT",
  agentGetQuote: "AGENT",
  agentExecuteQuote: "AGENT",
  agentTransferOut: "AGENT",
  agentTransferIn: "AGENT",
  agentListExternalAccounts: "AGENT",
  agentCreateExternalAccount: "AGENT",
  agentGetExternalAccount: "AGENT",
  agentDeleteExternalAccount: "AGENT",
  createCredential: "MANAGE",
  listCredentials: "VIEW",
  challengeCredential: "TRANSACT",
  verifyCredential: "TRANSACT",
  revokeCredential: "MANAGE",
  listSessions: "VIEW",
  refreshSession: "TRANSACT",
  revokeSession: "TRANSACT",
  exportWallet: "TRANSACT",
  getIssuerKey: "VIEW",
};

/** Time that can be moved on, so that the limit on failed logins of one address is not what is measured. */
let aheadMs = 0;
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };

let server: TestServer;
let sandbox: Story;
let production: Story;
const tokens = new Map<string, string>();
/** The bearers of an agent of each platform. */
const bearers = new Map<Story, string>();

beforeAll(async () => {
  server = await startTestServer({ clock });
  sandbox = await openStory(server);
  production = await openStory(server, { environment: "PRODUCTION" });
  // A call that is let in is refused for what it lacks, and not for the field that makes it harmless.
  for (const story of [sandbox, production]) await ignoreUnknownFields(story);
  for (const permission of ["VIEW", "TRANSACT", "MANAGE"]) {
    const made = await sandbox.call("POST", "/tokens", {
      name: permission,
      permissions: [permission],
    });
    tokens.set(permission, basic(made.json.clientId, made.json.clientSecret));
  }
  for (const story of [sandbox, production]) {
    bearers.set(story, (await connectedAgent(story, { funds: 0 })).bearer);
  }
});
afterAll(() => server.close());

interface Route {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly takes: "nothing" | "json" | "form";
  readonly mayBeEmpty: boolean;
}

const routes: readonly Route[] = operations.map(
  ({ id, method, path, body, form, bodyOptional }) => ({
    id,
    method,
    path,
    takes: form !== undefined ? "form" : body !== undefined ? "json" : "nothing",
    mayBeEmpty: bodyOptional === true,
  }),
);

/** A call that reaches the operation and changes nothing: an empty body, an id that nobody has. */
function harmless({ method, path, takes }: Route, story: Story, authorization?: string | null) {
  const unknown = path.replaceAll(/\{([a-z]+)[A-Z][a-z]+\}/gi, (_, kind: string) => {
    const name =
      kind === "account" ? "InternalAccount" : kind.charAt(0).toUpperCase() + kind.slice(1);
    return `${name}:${randomIds().next(clock.now())}`;
  });
  const proof = authorization === undefined ? story.authorization : authorization;
  const bodies = { nothing: undefined, json: { limit: "none" }, form: new FormData() };
  return story.call(method, unknown, bodies[takes], { authorization: proof });
}

/** What such a call is answered once it is let in. */
function whenLetIn({ id, path, takes, mayBeEmpty }: Route): readonly number[] {
  // It names no business, or no endpoint.
  if (id === "testWebhook" || id === "listBeneficialOwners" || id === "lookupUmaReceiver")
    return [400];
  // Nothing is all that a change of these needs.
  if (id === "updateConfig") return [200];
  if (id === "updateBeneficialOwner" || id === "updateInternalAccount") return [404];
  if (id === "rejectAgentAction") return [404];
  if (id === "challengeCredential") return [404];
  // A signature is its credentials.
  if (id === "takeRailCallback") return [401];
  // Their account is a parameter that has to be there.
  if (id === "listCredentials" || id === "listSessions") return [400];
  // What they look for or begin with is one, too.
  if (id === "search" || id === "getChain") return [400];
  if (id === "createCheckpoint") return [201];
  if (takes !== "nothing" && !mayBeEmpty) return [400];
  return path.includes("{") ? [404] : [200];
}

const UNAUTHORIZED = { status: 401, json: { status: 401, code: "UNAUTHORIZED" } };
const FORBIDDEN = { status: 403, json: { status: 403, code: "FORBIDDEN" } };

it("names every route once and no other", () => {
  expect(routes.map(({ id }) => id).sort()).toEqual(Object.keys(rules).sort());
});

/** Credentials that are nobody's, or somebody else's. */
function wrongFor(access: string | undefined): readonly (string | null)[] {
  const token = sandbox.authorization;
  const bearer = present(bearers.get(sandbox), "a bearer");
  const common = [null, basic("0123456789abcdef0123456789abcdef", sandbox.clientSecret)];
  return access === "AGENT"
    ? [...common, token, `Bearer sat_${"0".repeat(40)}`, bearer.replace("Bearer", "Basic")]
    : [
        ...common,
        basic(sandbox.clientId, production.clientSecret),
        token.replace("Basic", "Bearer"),
        bearer,
      ];
}

const routesFor = (isWanted: (access: string | undefined) => boolean) =>
  routes
    .map((route) => ({ ...route, rule: (rules[route.id] ?? "").split(" ") }))
    .filter(({ rule: [access] }) => isWanted(access));

describe.each(sampleOf(routesFor((access) => access !== "PUBLIC")))("$id", (route) => {
  const [access] = route.rule;

  it("asks for credentials that exist", async () => {
    const answers = [];
    for (const authorization of wrongFor(access)) {
      aheadMs += 3_000;
      answers.push(await harmless(route, sandbox, authorization));
    }
    for (const answer of answers) {
      expect(answer).toMatchObject(UNAUTHORIZED);
      const scheme = access === "AGENT" ? /^Bearer / : /^Basic /;
      expect(answer.headers.get("www-authenticate")).toMatch(scheme);
      expect(answer.text).toBe(answers[0]?.text);
    }
  });
});

const isOfTokens = (access: string | undefined) => access !== "PUBLIC" && access !== "AGENT";

describe.each(sampleOf(routesFor(isOfTokens)))("$id", (route) => {
  const [access, only] = route.rule;

  it.each(["VIEW", "TRANSACT", "MANAGE"])("judges a token with %s alone", async (permission) => {
    const answer = await harmless(route, sandbox, tokens.get(permission));
    if (permission === access) expect(whenLetIn(route)).toContain(answer.status);
    else {
      expect(answer).toMatchObject(FORBIDDEN);
      expect(answer.json.details).toEqual({ permission: access });
      expect(answer.json.message).toBe(`The token does not have the permission ${access}.`);
    }
  });

  it("judges a production token", async () => {
    const answer = await harmless(route, production);
    if (only === "SANDBOX") expect(answer).toMatchObject(FORBIDDEN);
    else expect(whenLetIn(route)).toContain(answer.status);
  });
});

describe.each(routesFor((access) => access === "AGENT"))("$id", (route) => {
  it("accepts an agent of a sandbox and of a production platform", async () => {
    for (const [story, bearer] of bearers) {
      const answer = await harmless(route, story, bearer);
      expect(whenLetIn(route)).toContain(answer.status);
    }
  });
});

describe.each(routesFor((access) => access === "PUBLIC"))("$id", (route) => {
  it("requires no credentials", async () => {
    for (const authorization of [null, "Basic nonsense"]) {
      expect(whenLetIn(route)).toContain((await harmless(route, sandbox, authorization)).status);
    }
  });
});

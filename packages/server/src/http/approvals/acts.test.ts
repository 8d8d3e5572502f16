import { randomBytes } from "node:crypto";
import Type from "typebox";
import { beforeAll, describe, expect, it } from "vitest";
import type { Approval } from "../../domain/people/approvals/approval.ts";
import { approvalKinds } from "../../domain/people/approvals/approval-kinds.ts";
import { describeOrder, shownActs } from "../../domain/people/approvals/shown/describe.ts";
import type { Loaded, World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { createSealer, toMasterKey } from "../../secrets/sealing.ts";
import { Bug, present } from "../../std/assert.ts";
import { systemClock } from "../../std/clock.ts";
import { randomIds } from "../../std/ids.ts";
import { isJsonObject, type Json, type JsonObject } from "../../std/json.ts";
import { type CompileSchema, createSchemaCompiler } from "../../validation/validation.ts";
import { consoleOperations } from "../console/console-routes.ts";
import { operations } from "../operations/routes.ts";
import { type Act, actThat, openOrder } from "./act.ts";
import { acts } from "./acts.ts";
import { openContent, sealContent } from "./approval-content.ts";
import { replacedInCommit, replacingActs } from "./replaced.ts";

let compile: CompileSchema;
beforeAll(async () => {
  compile = await createSchemaCompiler();
});

const idOf = (kind: string) => `${kind}:019a4f00-0000-7000-8000-000000000002`;
const uuid = "019a4f00-0000-7000-8000-000000000002";
const frozen = { since: "2026-11-21T11:00:00.000Z", reason: "OTHER", scope: "ALL" };
const connection = { id: idOf("RailConnection"), name: "House bank" };
const secrets = { signingSecret: { sealed: "v1", fingerprint: "5f0c4b8f" }, callbackSecret: null };

const schedule = {
  name: "Rent",
  currency: "USD",
  template: {
    kind: "BOOK",
    source: { accountId: idOf("InternalAccount") },
    destination: { accountId: idOf("InternalAccount") },
    amount: 5,
  },
  rule: { at: "2026-12-01T08:00:00.000Z" },
};

/** What an order stores beside the body of its request, or in place of members of it. */
const BESIDE: Readonly<Record<string, object>> = {
  createAdjustment: {},
  transferOut: {},
  transferIn: {},
  createTransfer: {},
  createPaymentBatch: {},
  refundTransaction: { transactionId: idOf("Transaction") },
  captureHold: { holdId: idOf("Hold") },
  executeQuote: {
    quoteId: idOf("Quote"),
    source: { sourceType: "ACCOUNT", accountId: idOf("InternalAccount") },
    destination: { destinationType: "ACCOUNT", accountId: idOf("ExternalAccount") },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 100,
    sendingCurrency: "USD",
    receivingCurrency: "EUR",
    minReceived: 90,
  },
  createPaymentSchedule: {},
  updatePaymentSchedule: { scheduleId: idOf("PaymentSchedule"), before: schedule },
  runPaymentSchedule: { scheduleId: idOf("PaymentSchedule"), ...schedule },
  createToken: { clientId: "c".repeat(32), secretHash: "a".repeat(64) },
  createCustomerExternalAccount: {},
  createPlatformExternalAccount: {},
  updateAgentPolicy: {
    spendingLimits: undefined,
    agentId: idOf("Agent"),
    changes: { permissions: [] },
    before: {},
  },
  updateAgent: { agentId: idOf("Agent") },
  createAgentDeviceCode: { agentId: idOf("Agent"), codeHash: "hash" },
  createAgent: { codeHash: "hash" },
  unfreezeCustomer: { customerId: idOf("Customer"), frozen },
  unfreezeInternalAccount: { accountId: idOf("InternalAccount"), frozen },
  freezeCustomer: { customerId: idOf("Customer"), frozen },
  freezeInternalAccount: { accountId: idOf("InternalAccount"), frozen },
  decideVerification: { verificationId: idOf("Verification") },
  updatePerson: { personId: idOf("Person"), isSuspended: true, reason: undefined },
  removePerson: { personId: idOf("Person") },
  createInvite: { personId: uuid },
  reEnrolPerson: { personId: idOf("Person") },
  updateSso: {
    issuers: [
      {
        id: uuid,
        name: "Acme",
        issuer: "https://acme.example",
        clientId: "florin",
        secret: { sealId: "1", sealed: "v1" },
        autoJoin: { domain: "acme.example", role: "VIEWER" },
      },
    ],
    before: {},
  },
  setPolicy: { platformId: undefined },
  createRailConnection: { sealId: "1", secrets },
  updateRailConnection: { connectionId: idOf("RailConnection"), secrets, before: connection },
  activateRailConnection: { connectionId: idOf("RailConnection"), connection },
  createRailRoute: { connection },
  updateRailRoute: { routeId: idOf("RailRoute"), connection },
  setFees: {},
  setSpreads: {},
  setFxLimits: {},
};

/** Rows that are compared as a whole, and a table of account types that validates its fields itself. */
const OPAQUE = new Set(["before", "connection", "accountInfo"]);

function contentOf(act: string): JsonObject {
  const { requestExample = {} } = present(
    [...operations, ...consoleOperations].find(({ id }) => id === act),
    `the operation ${act}`,
  );
  return JSON.parse(
    JSON.stringify({ ...(requestExample as object), ...BESIDE[act] }),
  ) as JsonObject;
}

/** The content with a value of a wrong type in the place of each member, by its path. */
function spoiled(value: Json, path = ""): readonly (readonly [string, Json])[] {
  const own = [[path, typeof value === "number" || value === null ? "seven" : 7] as const];
  const entries = isJsonObject(value) && !OPAQUE.has(path) ? Object.entries(value) : [];
  const inner = entries.flatMap(([name, member]) =>
    spoiled(member, path === "" ? name : `${path}.${name}`).map(
      ([at, wrong]) => [at, { ...(value as JsonObject), [name]: wrong }] as const,
    ),
  );
  return path === "" ? inner : [...own, ...inner];
}

function isRefused(act: Pick<Act, "decode">, content: Json): boolean {
  try {
    act.decode(content as JsonObject, compile);
    return false;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return true;
  }
}

/** The members whose wrong values the act takes. */
function unvalidated(act: Pick<Act, "decode">, content: JsonObject): readonly string[] {
  return spoiled(content)
    .filter(([, changed]) => !isRefused(act, changed))
    .map(([path]) => path);
}

const rows = [...acts.values()].map((act) => [act.act, act] as const);

const pending: Approval = {
  id: uuid,
  kind: "CONTROL",
  act: "setFees",
  summary: "Lower fees",
  state: "PENDING",
  requestedBy: idOf("Person"),
  requesterId: uuid,
  requesterPeople: [],
  amountMinor: null,
  amountCurrency: null,
  subjectId: null,
  gainers: [],
  contentSealed: "sealed",
  sealId: uuid,
  contentDigest: "digest",
  capabilities: [],
  approvalsNeeded: 1,
  decisions: [],
  resultId: null,
  failure: null,
  jobId: null,
  expiresAt: 1,
  createdAt: 0,
  updatedAt: 0,
};

interface Tools {
  readonly compile: CompileSchema;
}

/** Opened by the one act, which carries out what its content says. */
function opened(content: JsonObject, approval: Partial<Approval> = {}) {
  const done: JsonObject[] = [];
  const schema = Type.Object({ bps: Type.Integer(), scope: Type.String({ default: "ALL" }) });
  const setFees = actThat<typeof schema, Tools>(pending, schema, (decoded) => ({
    needs: () => [],
    carryOut: () => `${decoded.bps} ${decoded.scope} ${done.push(decoded)}`,
  }));
  return openOrder<Tools>(new Map([["setFees", setFees]]), content, {
    services: { compile },
    platformId: uuid,
    approval: { ...pending, ...approval },
    environment: "PRODUCTION",
    place: { platform: undefined, people: [], now: 0 },
  });
}

describe("an order that is opened", () => {
  const carryOut = (order: Awaited<ReturnType<typeof opened>>) =>
    order.carryOut({} as World, pending);

  it("does what its content says, which keeps its digest where a default is filled in", async () => {
    const content = { bps: 5 };
    const order = await opened(content);
    expect(order.content).toBe(content);
    expect(content).toEqual({ bps: 5 });
    expect(carryOut(order)).toBe("5 ALL 1");
  });

  it("does nothing with a content that does not fit, and says what is wrong", async () => {
    const order = await opened({ bps: "5" });
    expect(order.needs({} as Loaded)).toEqual([]);
    expect(() => carryOut(order)).toThrow(Refusal);
    expect(() => carryOut(order)).toThrow(/bps/);
  });

  it.each([
    ["an act that is not in the table", { act: "setSpreads" }],
    ["an act that every object has", { act: "toString" }],
    ["an act of another kind", { kind: "PAYMENT" }],
  ] as const)("is a bug for %s", async (_what, approval) => {
    await expect(opened({ bps: 5 }, approval)).rejects.toThrow(Bug);
  });
});

describe("the table of acts", () => {
  it("has an act of every kind, each the operation that it is named after", () => {
    expect([...new Set(rows.map(([, { kind }]) => kind))].toSorted()).toEqual(
      approvalKinds.toSorted(),
    );
    expect([...acts.keys()].toSorted()).toEqual(Object.keys(BESIDE).toSorted());
    expect(rows.map(([act]) => contentOf(act))).toHaveLength(37);
    expect(shownActs.toSorted()).toEqual([...acts.keys()].toSorted());
  });

  it("compares in the commit what an order replaces, for every act that shows it", () => {
    const change = { before: { sentinel: "one" }, after: { sentinel: "two" } };
    const names = new Map<string, string>();
    const asker = {
      id: idOf("Person"),
      name: "Ana",
      by: "The console",
      hours: [],
      isChanged: false,
    };
    const at = { now: 0, askedAt: 0, names, asker, place: "Acme", change };
    const showing = rows
      .map(([act]) => act)
      .filter((act) =>
        describeOrder({ act, content: contentOf(act) }, at).facts.some(
          ({ key }) => key === "change.sentinel",
        ),
      );
    // A new route has the same lines as a changed one, and replaces nothing.
    expect(showing.toSorted()).toEqual([...replacingActs, "createRailRoute"].toSorted());
    for (const act of replacingActs) {
      const order = {
        content: contentOf(act),
        platformId: uuid,
        environment: "PRODUCTION",
      } as const;
      expect(replacedInCommit({ act }, order).replacedNow?.needs()).toHaveLength(1);
    }
  });

  it.each(rows)("takes the content of %s as it was stored, and changes none of it", (name, act) => {
    const sealer = createSealer({
      current: toMasterKey(randomBytes(32).toString("base64"), "test"),
    });
    const sent = contentOf(name);
    const sealed = sealContent({ sealer, ids: randomIds(), clock: systemClock }, uuid, sent);
    expect(sealer.open(sealed.contentSealed, `approvals.content ${uuid} ${sealed.sealId}`)).toEqual(
      Buffer.from(JSON.stringify(sent)),
    );
    const opened = openContent({ sealer }, uuid, sealed);
    expect(isRefused(act, opened)).toBe(false);
    expect(opened).toEqual(sent);
  });

  it.each(rows)("refuses a content of %s with a wrong member, or with none", (name, act) => {
    expect(unvalidated(act, contentOf(name))).toEqual([]);
    expect(isRefused(act, {})).toBe(true);
  });

  it("would be found to have a row that does not validate", () => {
    const planted = { decode: () => () => ({ needs: () => [], carryOut: () => null }) };
    expect(unvalidated(planted, { amount: 1, source: { id: "a" } })).toEqual([
      "amount",
      "source",
      "source.id",
    ]);
  });
});

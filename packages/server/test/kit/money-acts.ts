/**
 * Each operation that posts to the books, makes an order to a connection, or changes what may be paid, as acts-alone.test.ts finds them: it
 * waits for a second person in a guarded workspace, or a reason says why it does not. A new one fails that test until it stands here.
 */
import { present } from "../../src/std/assert.ts";
import type { Story } from "./story.ts";
import { creditLine, itemsOf } from "./story-funding.ts";
import type { Guarded } from "./story-guarded.ts";
import { agreeing } from "./story-guarded.ts";
import { internalAccount } from "./story-money.ts";
import {
  activeConnection,
  balanceOf,
  expectStatus,
  manualConnection,
  payerOf,
  routeTo,
} from "./story-rails.ts";
import { adjustmentOf } from "./valid-approval-calls.ts";

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const post = (path: string, body?: unknown): Call => ({ method: "POST", path, body });
const patch = (path: string, body: unknown): Call => ({ method: "PATCH", path, body });
const put = (path: string, body: unknown): Call => ({ method: "PUT", path, body });

async function setupConnection(easy: Story): Promise<string> {
  const made = await easy.call("POST", "/rails/connections", manualConnection());
  return expectStatus(201, made).json.id;
}

const desk = (easy: Story) => activeConnection(easy, manualConnection());

async function item(easy: Story): Promise<string> {
  const path = `/rails/connections/${await desk(easy)}/entries`;
  const { json } = expectStatus(201, await easy.call("POST", path, creditLine()));
  const [opened] = await itemsOf(easy, json.id);
  return present(opened, "the item of an entry").id;
}

/** A collection, in the queue of a desk; settled, and taken back after its money was spent, it leaves a receivable. */
async function collection(easy: Story, accountId: string, payeeId: string): Promise<string> {
  const id = await desk(easy);
  const route = await routeTo(easy, id, { direction: "PULL", priority: 1 });
  const pulled = await easy.call("POST", "/transfer-in", {
    source: { accountId: payeeId },
    destination: { accountId },
    amount: 100,
  });
  const { id: transactionId } = expectStatus(201, pulled).json;
  await easy.call("DELETE", `/rails/routes/${route}`);
  const { json } = await easy.call("GET", `/rails/payments?transactionId=${transactionId}`);
  return json.data[0].id;
}

async function receivable(easy: Story): Promise<string> {
  const { accountId, payeeId, pay } = await payerOf(easy, 0);
  const order = await collection(easy, accountId, payeeId);
  const mark = async (id: string, outcome: string) =>
    expectStatus(200, await easy.call("POST", `/rails/payments/${id}/mark`, { outcome }));
  await mark(order, "SETTLED");
  const route = await routeTo(easy, await desk(easy));
  expectStatus(201, await pay(await balanceOf(easy, accountId)));
  await easy.call("DELETE", `/rails/routes/${route}`);
  await mark(order, "RETURNED");
  await mark(await collection(easy, accountId, payeeId), "SETTLED");
  const query = `/rails/receivables?internalAccountId=${accountId}&state=OPEN`;
  return (await easy.call("GET", query)).json.data[0].id;
}

async function queued(easy: Story): Promise<string> {
  const { accountId, payeeId } = await payerOf(easy, 0);
  return collection(easy, accountId, payeeId);
}

/** Calls that a guarded workspace answers with 202, where the operation's own call moves money or loosens something. */
export const WAITING: Readonly<Record<string, (easy: Story) => Promise<Call>>> = {
  createRailConnection: async () =>
    post("/rails/connections", { ...manualConnection(), control: { approval: "NONE" } }),
  updateRailConnection: async (easy) =>
    patch(`/rails/connections/${await desk(easy)}`, { control: { payoutCeiling: 1 } }),
  activateRailConnection: async (easy) =>
    post(`/rails/connections/${await setupConnection(easy)}/activate`),
  createRailRoute: async (easy) =>
    post("/rails/routes", {
      name: "dollars",
      direction: "OUT",
      currency: "USD",
      connectionId: await setupConnection(easy),
    }),
  updateRailRoute: async (easy) =>
    patch(`/rails/routes/${await routeTo(easy, await desk(easy), { priority: 900 })}`, {
      priority: 899,
    }),
  setFees: async (easy) => {
    const fee = { from: "USD", to: "*", fixedMinor: 10, bps: 10 };
    expectStatus(200, await easy.call("PUT", "/fees", { rules: [fee] }));
    return put("/fees", { rules: [] });
  },
  setSpreads: async (easy) => {
    const spreads = [{ from: "USD", to: "*", bps: 50 }];
    expectStatus(200, await easy.call("PUT", "/rates/spreads", { spreads }));
    return put("/rates/spreads", { spreads: [] });
  },
  setFxLimits: async (easy) => {
    const limits = [{ currency: "EUR", maxLong: 10 }];
    expectStatus(200, await easy.call("PUT", "/fx/limits", { limits }));
    return put("/fx/limits", { limits: [] });
  },
  createRailEntry: async (easy) =>
    post(`/rails/connections/${await desk(easy)}/entries`, creditLine()),
  createRailBalance: async (easy) =>
    post(`/rails/connections/${await desk(easy)}/balances`, {
      currency: "USD",
      asOf: "2026-11-20",
      booked: 1_000,
    }),
  resolveRailItem: async (easy) =>
    post(`/rails/items/${await item(easy)}/resolve`, {
      parts: [{ kind: "OWN_FUNDS", amount: 1_000, label: "interest" }],
      note: "January",
    }),
  markRailPayment: async (easy) =>
    post(`/rails/payments/${await queued(easy)}/mark`, { outcome: "SETTLED" }),
  markRailPayments: async (easy) =>
    post("/rails/marks", { marks: [{ paymentId: await queued(easy), outcome: "SETTLED" }] }),
  collectReceivable: async (easy) => post(`/rails/receivables/${await receivable(easy)}/collect`),
  writeReceivableOff: async (easy) =>
    post(`/rails/receivables/${await receivable(easy)}/write-off`, { note: "gone" }),
  adjustFxPositions: async (easy) =>
    post("/fx/adjustments", {
      connectionId: await desk(easy),
      legs: [{ currency: "USD", amount: -100 }],
      note: "sold elsewhere",
    }),
  createAdjustment: async (easy) =>
    post("/adjustments", adjustmentOf(await internalAccount(easy, { currency: "USD" }))),
};

export function waitingCall(guarded: Guarded, id: string): Promise<Call> {
  return present(WAITING[id], `the call of ${id}`)(agreeing(guarded));
}

export interface Reviewed {
  /** Why no second person is asked. */
  readonly why: string;
  /** Orders of people wait all the same: approvals-payments.test.ts. */
  readonly waitsOfPeople?: true;
  /** It is the second person's own act. */
  readonly decides?: true;
}

const PAYMENT = {
  why: "a program pays within the ceiling of the connection, above which the order is HELD",
  waitsOfPeople: true,
} as const;
const OF_AGENT = { why: "within the policy of the agent, whose widening waits" } as const;

export const REVIEWED: Readonly<Record<string, Reviewed>> = {
  transferOut: PAYMENT,
  transferIn: {
    why: "a program collects; that the money came is a report of the connection, or a mark",
    waitsOfPeople: true,
  },
  createTransfer: {
    why: "a program moves money between accounts of the platform, and none leaves it",
    waitsOfPeople: true,
  },
  createPaymentBatch: PAYMENT,
  createPaymentBatchFromCsv: PAYMENT,
  cancelPaymentBatch: { why: "less is paid" },
  createPaymentSchedule: PAYMENT,
  updatePaymentSchedule: {
    why: "a program changes what it may make anew; its runs are payments",
    waitsOfPeople: true,
  },
  runPaymentSchedule: PAYMENT,
  executeQuote: PAYMENT,
  refundTransaction: {
    why: "a program gives money back to the account that it came from",
    waitsOfPeople: true,
  },
  createHold: { why: "sets money aside on its own account, and none leaves it" },
  captureHold: {
    why: "a program pays as by createTransfer or transferOut, within the same ceilings",
    waitsOfPeople: true,
  },
  releaseHold: { why: "gives money back to the account that it came from" },
  createQuote: {
    why: "holds money of its account only as executeQuote does; of a person not at all",
  },
  approveTransaction: { why: "takes in a payment that its sender has made" },
  rejectTransaction: { why: "gives a payment back to its sender" },
  claimInvitation: { why: "begins the payment that the inviter was charged for" },
  cancelInvitation: { why: "gives the inviter's money back to the inviter" },
  approveAgentAction: { why: "is the second person of an agent's order", decides: true },
  agentTransferOut: OF_AGENT,
  agentTransferIn: OF_AGENT,
  agentCreateQuote: OF_AGENT,
  agentExecuteQuote: OF_AGENT,
  confirmRailMark: { why: "is the second person of a mark", decides: true },
  refuseRailMark: { why: "is the second person of a mark, and moves nothing out", decides: true },
  recallRailPayment: { why: "gives money back to the account that it came from" },
  rerouteRailPayment: { why: "along a route that two owners agreed to, under its ceiling" },
  pauseRailConnection: { why: "less is paid" },
  resumeRailConnection: { why: "what was agreed to goes on" },
  archiveRailConnection: { why: "less is paid" },
  deleteRailRoute: { why: "less is paid, or by a route that two owners agreed to" },
};

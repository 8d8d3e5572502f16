/** Recipes for events of payments and accounts. The last three digits of an account number decide the outcome. */
import { asObject } from "../json.ts";
import type { Recipe } from "./recipes.ts";
import { fund, makeBank, makeEuroBank, makeParty, type Sandbox, textOf } from "./sandbox.ts";

/** Longer than a quote lives. */
const SECONDS_TO_EXPIRY = 360;

/** How long a hold that is to expire lives. */
const HOLD_SECONDS = 600;

async function transferOut(sandbox: Sandbox, suffix?: string): Promise<string> {
  const { customerId, accountId } = await makeParty(sandbox);
  const made = await sandbox.call("POST", "/transfer-out", {
    source: { accountId },
    destination: { accountId: await makeBank(sandbox, customerId, suffix) },
    amount: sandbox.settings.amount,
  });
  return textOf(made, "id");
}

async function paymentBatch(sandbox: Sandbox): Promise<string> {
  const { customerId, accountId } = await makeParty(sandbox);
  const item = {
    reference: "florin-trigger",
    kind: "TRANSFER_OUT",
    source: { accountId },
    destination: { accountId: await makeBank(sandbox, customerId) },
    amount: sandbox.settings.amount,
  };
  const made = await sandbox.call("POST", "/payment-batches", {
    mode: "INDEPENDENT",
    items: [item],
  });
  return textOf(made, "id");
}

async function transferIn(sandbox: Sandbox, suffix?: string): Promise<string> {
  const { customerId, accountId } = await makeParty(sandbox, 0);
  const made = await sandbox.call("POST", "/transfer-in", {
    source: { accountId: await makeBank(sandbox, customerId, suffix) },
    destination: { accountId },
    amount: sandbox.settings.amount,
  });
  return textOf(made, "id");
}

/** A refund of a completed transfer in. */
async function refund(sandbox: Sandbox, suffix?: string): Promise<string> {
  const path = `/transactions/${await transferIn(sandbox, suffix)}`;
  await sandbox.until(path, "COMPLETED");
  await sandbox.call("POST", `${path}/refund`, { reason: "OTHER" });
  return path.slice("/transactions/".length);
}

interface MadeQuote {
  readonly quoteId: string;
  readonly transactionId: string;
}

async function quote(sandbox: Sandbox, suffix?: string): Promise<MadeQuote> {
  const { customerId, accountId } = await makeParty(sandbox);
  const made = await sandbox.call("POST", "/quotes", {
    source: { sourceType: "ACCOUNT", accountId },
    destination: {
      destinationType: "ACCOUNT",
      accountId: await makeEuroBank(sandbox, customerId, suffix),
    },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: sandbox.settings.amount,
  });
  return { quoteId: textOf(made, "id"), transactionId: textOf(made, "transactionId") };
}

async function executedQuote(sandbox: Sandbox, suffix?: string): Promise<string> {
  const { quoteId, transactionId } = await quote(sandbox, suffix);
  await sandbox.call("POST", `/quotes/${quoteId}/execute`);
  return transactionId;
}

async function expiredQuote(sandbox: Sandbox): Promise<string> {
  const { transactionId } = await quote(sandbox);
  await sandbox.call("POST", "/sandbox/clock/advance", { seconds: SECONDS_TO_EXPIRY });
  return transactionId;
}

interface MadeHold {
  readonly path: string;
  readonly id: string;
  readonly customerId: string;
}

async function hold(sandbox: Sandbox, members: object = {}): Promise<MadeHold> {
  const { customerId, accountId } = await makeParty(sandbox);
  const made = await sandbox.call("POST", `/internal-accounts/${accountId}/holds`, {
    amount: sandbox.settings.amount,
    ...members,
  });
  const id = textOf(made, "id");
  return { path: `/holds/${id}`, id, customerId };
}

async function frozenAccount(sandbox: Sandbox): Promise<string> {
  const { accountId } = await makeParty(sandbox, 0);
  await sandbox.call("POST", `/internal-accounts/${accountId}/freeze`, { reason: "OTHER" });
  return accountId;
}

/** A schedule that is due in a minute, which its account cannot pay. */
async function refusedRun(sandbox: Sandbox): Promise<string> {
  const { customerId, accountId } = await makeParty(sandbox, 0);
  const { now } = await sandbox.call("GET", "/sandbox/clock");
  const made = await sandbox.call("POST", "/payment-schedules", {
    name: "florin trigger",
    template: {
      kind: "TRANSFER_OUT",
      source: { accountId },
      destination: { accountId: await makeBank(sandbox, customerId) },
      amount: sandbox.settings.amount,
    },
    rule: { at: new Date(Date.parse(String(now)) + 60_000).toISOString() },
  });
  await sandbox.call("POST", "/sandbox/clock/advance", { seconds: 61 });
  return textOf(made, "id");
}

async function agentAction(sandbox: Sandbox): Promise<string> {
  const { customerId, accountId } = await makeParty(sandbox);
  const { amount } = sandbox.settings;
  const made = await sandbox.call("POST", "/agents", {
    name: "florin trigger",
    customerId,
    policy: {
      permissions: ["CREATE_TRANSFERS"],
      defaultExecutionMode: "APPROVAL_REQUIRED",
      spendingLimits: { currency: "USD", perTransactionLimit: amount },
    },
  });
  const payee = await makeBank(sandbox, customerId);
  const code = textOf(asObject(made.deviceCode), "code");
  const path = `/agents/device-codes/${encodeURIComponent(code)}/redeem`;
  const token = textOf(await sandbox.callAs(undefined, path), "accessToken");
  const order = { source: { accountId }, destination: { accountId: payee }, amount };
  return textOf(await sandbox.callAs(token, "/agents/me/transfer-out", order), "id");
}

export const paymentRecipes: readonly Recipe[] = [
  { type: "OUTGOING_PAYMENT.PENDING", does: "a transfer to a bank", run: transferOut },
  { type: "OUTGOING_PAYMENT.PROCESSING", does: "an executed quote to a bank", run: executedQuote },
  { type: "OUTGOING_PAYMENT.COMPLETED", does: "a transfer to a bank", run: transferOut },
  {
    type: "OUTGOING_PAYMENT.FAILED",
    does: "a transfer to an account that ends in 004",
    run: (sandbox) => transferOut(sandbox, "004"),
  },
  {
    type: "OUTGOING_PAYMENT.EXPIRED",
    does: `a quote, and the sandbox's clock moved on by ${SECONDS_TO_EXPIRY} s`,
    run: expiredQuote,
  },
  {
    type: "OUTGOING_PAYMENT.REFUND_PENDING",
    does: "an executed quote to an account that ends in 002",
    run: (sandbox) => executedQuote(sandbox, "002"),
  },
  {
    type: "OUTGOING_PAYMENT.REFUND_COMPLETED",
    does: "an executed quote to an account that ends in 002",
    run: (sandbox) => executedQuote(sandbox, "002"),
  },
  {
    type: "OUTGOING_PAYMENT.REFUND_FAILED",
    does: "an executed quote to an account that ends in 007",
    run: (sandbox) => executedQuote(sandbox, "007"),
  },
  {
    type: "PAYMENT_BATCH.COMPLETED",
    does: "a batch with one transfer to a bank",
    run: paymentBatch,
  },
  { type: "INCOMING_PAYMENT.PENDING", does: "a transfer from a bank", run: transferIn },
  { type: "INCOMING_PAYMENT.COMPLETED", does: "a transfer from a bank", run: transferIn },
  {
    type: "INCOMING_PAYMENT.FAILED",
    does: "a transfer from an account that ends in 004",
    run: (sandbox) => transferIn(sandbox, "004"),
  },
  {
    type: "INCOMING_PAYMENT.REFUND_PENDING",
    does: "a refund of a transfer from a bank",
    run: refund,
  },
  {
    type: "INCOMING_PAYMENT.REFUND_COMPLETED",
    does: "a refund of a transfer from a bank",
    run: refund,
  },
  {
    type: "INCOMING_PAYMENT.REFUND_FAILED",
    does: "a refund of a transfer from an account that ends in 007",
    run: (sandbox) => refund(sandbox, "007"),
  },
  {
    type: "INTERNAL_ACCOUNT.BALANCE_UPDATED",
    does: "a funded account",
    run: async (sandbox) => {
      const { accountId } = await makeParty(sandbox, 0);
      await fund(sandbox, accountId, sandbox.settings.amount);
      return accountId;
    },
  },
  {
    type: "INTERNAL_ACCOUNT.ALERT",
    does: "an account whose balance rises above the amount of an alert",
    run: async (sandbox) => {
      const { accountId } = await makeParty(sandbox, 0);
      const { amount } = sandbox.settings;
      const path = `/internal-accounts/${accountId}/alerts`;
      const alert = await sandbox.call("POST", path, { direction: "ABOVE", amount });
      await fund(sandbox, accountId, amount);
      await fund(sandbox, accountId, amount);
      return textOf(alert, "id");
    },
  },
  { type: "HOLD.CREATED", does: "a hold", run: async (sandbox) => (await hold(sandbox)).id },
  {
    type: "HOLD.CAPTURED",
    does: "a hold that is paid to a bank",
    run: async (sandbox) => {
      const { path, id, customerId } = await hold(sandbox);
      const accountId = await makeBank(sandbox, customerId);
      await sandbox.call("POST", `${path}/capture`, { destination: { accountId } });
      return id;
    },
  },
  {
    type: "HOLD.RELEASED",
    does: "a hold that is released",
    run: async (sandbox) => {
      const { path, id } = await hold(sandbox);
      await sandbox.call("POST", `${path}/release`);
      return id;
    },
  },
  {
    type: "HOLD.EXPIRED",
    does: `a hold, and the sandbox's clock moved on by ${HOLD_SECONDS} s`,
    run: async (sandbox) => {
      const now = Date.parse(textOf(await sandbox.call("GET", "/sandbox/clock"), "now"));
      const expiresAt = new Date(now + HOLD_SECONDS * 1_000).toISOString();
      const { id } = await hold(sandbox, { expiresAt });
      await sandbox.call("POST", "/sandbox/clock/advance", { seconds: HOLD_SECONDS });
      return id;
    },
  },
  {
    type: "PAYMENT_SCHEDULE.RUN_FAILED",
    does: "a schedule of an account without money, and the sandbox's clock moved past its time",
    run: refusedRun,
  },
  {
    type: "PAYMENT_SCHEDULE.RUN_MISSED",
    does: "a server in production that was down for more than a day",
  },
  { type: "INTERNAL_ACCOUNT.FROZEN", does: "a frozen account", run: frozenAccount },
  {
    type: "INTERNAL_ACCOUNT.UNFROZEN",
    does: "an account that was frozen and is free again",
    run: async (sandbox) => {
      const accountId = await frozenAccount(sandbox);
      await sandbox.call("POST", `/internal-accounts/${accountId}/unfreeze`);
      return accountId;
    },
  },
  {
    type: "AGENT_ACTION.PENDING_APPROVAL",
    does: "an agent that asks for a transfer",
    run: agentAction,
  },
];

/** Objects of each kind, and calls that need several of them. */

import { present } from "../../src/std/assert.ts";
import { bookObjects } from "./book-calls.ts";
import { csvForm, csvOf, passportForm } from "./forms.ts";
import {
  bankAccount,
  type CallOptions,
  fundedCustomer,
  type RawAnswer,
  type Story,
} from "./story.ts";
import { connectedAgent, newAgent, pendingAction } from "./story-agents.ts";
import { bookItem, idOfBatch, payersOf, sendBatch } from "./story-batches.ts";
import { uploadLogo } from "./story-branding.ts";
import { euroAccount, quoteBody } from "./story-quotes.ts";
import { newWallet, registrationBody } from "./story-wallets.ts";
import { listenTo, untilHeard } from "./story-webhooks.ts";
import { approvalObjects } from "./valid-approval-calls.ts";
import { railObjects } from "./valid-rail-calls.ts";
import { rateObjects } from "./valid-rate-calls.ts";
import { scheduleObjects } from "./valid-schedule-calls.ts";
import { umaObjects } from "./valid-uma-calls.ts";
import { umaDomainObjects } from "./valid-uma-domain-calls.ts";
import { umaPaymentObjects } from "./valid-uma-payment-calls.ts";
import { umaSandboxObjects } from "./valid-uma-sandbox-calls.ts";
import { webhookObjects } from "./valid-webhook-calls.ts";

export interface ValidCall {
  readonly path: string;
  readonly body?: unknown;
  readonly authorization?: string;
}

export function optionsOf({ authorization }: ValidCall): CallOptions {
  return authorization === undefined ? {} : { authorization };
}

export type Make = (story: Story) => ValidCall | Promise<ValidCall>;

/** Creates an object for each kind of id in a path. */
export const makeObject: Readonly<Record<string, (story: Story) => Promise<string>>> = {
  ...bookObjects,
  ...webhookObjects,
  ...railObjects,
  ...rateObjects,
  ...approvalObjects,
  ...scheduleObjects,
  ...umaObjects,
  ...umaDomainObjects,
  ...umaPaymentObjects,
  ...umaSandboxObjects,
  Customer: async (story) => idOf(await emptyCustomer(story)),
  Business: async (story) => idOf(await business(story)),
  BeneficialOwner: async (story) => {
    const body = { ...OWNER, customerId: await made(story, "Business") };
    return idOf(await story.call("POST", "/beneficial-owners", body));
  },
  Verification: async (story) => {
    const customerId = await made(story, "Business");
    return idOf(await story.call("POST", "/verifications", { customerId }));
  },
  InternalAccount: async (story) => (await fundedCustomer(story, 10_000)).accountId,
  Hold: async (story) => {
    const path = `/internal-accounts/${await made(story, "InternalAccount")}/holds`;
    return idOf(await story.call("POST", path, { amount: 100 }));
  },
  TransferGroup: async (story) => {
    const [one, two] = [await made(story, "InternalAccount"), await made(story, "InternalAccount")];
    const leg = (from: string, to: string) => ({
      source: { accountId: from },
      destination: { accountId: to },
      amount: 100,
    });
    const legs = [leg(one, two), leg(two, one)];
    return (await story.call("POST", "/transfers", { legs })).json.groupId;
  },
  BalanceAlert: async (story) => {
    const path = `/internal-accounts/${await made(story, "InternalAccount")}/alerts`;
    return idOf(await story.call("POST", path, { direction: "ABOVE", amount: 900_000 }));
  },
  PaymentBatch: async (story) =>
    idOfBatch(await sendBatch(story, [bookItem(await payersOf(story))])),
  ExternalAccount: async (story) => {
    const { customerId } = await fundedCustomer(story, 0);
    return bankAccount(story, { customerId });
  },
  PlatformExternalAccount: (story) => bankAccount(story),
  Token: async (story) => idOf(await story.call("POST", "/tokens", TOKEN)),
  Quote: async (story) => idOf(await quoteFor(story)),
  FundableQuote: async (story) => idOf(await fundableQuote(story)),
  Transaction: async (story) => idOf(await pay(story)),
  Wallet: async (story) => (await newWallet(story)).accountId,
  AuthMethod: async (story) => (await credentialOf(story, "PASSKEY")).id,
  Session: async (story) => (await session(story)).json.id,
  InvitationCode: async (story) => (await invite(story)).json.code,
  PlatformDocument: async (story) => idOf(await uploadLogo(story)),
  Document: async (story) => {
    const holder = idOf(await emptyCustomer(story));
    return idOf(await story.call("POST", "/documents", passportForm(holder)));
  },
  Job: async (story) =>
    (await story.call("POST", "/customers/bulk/csv", csvForm(csvOf([])))).json.jobId,
  RequestLog: async (story) => {
    await story.server.app.requestLog?.flush();
    const { json } = await story.call("GET", "/request-logs?limit=1");
    return json.data[0].id;
  },
  AskedTransaction: async (story) => askedTransaction(story),
  ReceivedTransaction: async (story) => {
    const { accountId: source } = await fundedCustomer(story, 100);
    const { accountId: destination } = await fundedCustomer(story, 0);
    const sides = { source: { accountId: source }, destination: { accountId: destination } };
    const { json } = await story.call("POST", "/transfers", { ...sides, amount: 50 });
    return json.counterpartTransactionId;
  },
  Agent: async (story) => (await newAgent(story)).agentId,
  AgentAction: async (story) => (await pendingAction(story)).actionId,
  DeviceCode: async (story) => (await newAgent(story)).code,
};

function idOf({ status, json, text }: RawAnswer): string {
  if (status >= 300) throw new Error(`nothing was made: ${text}`);
  return json.id;
}

export async function credentialOf(story: Story, type: string) {
  const { accountId } = await newWallet(story);
  const body = registrationBody(type, accountId);
  const made = await story.call("POST", "/auth/credentials", body);
  return { id: made.json.id as string, accountId };
}

async function session(story: Story): Promise<RawAnswer> {
  const { id } = await credentialOf(story, "EMAIL_OTP");
  const body = { type: "EMAIL_OTP", otp: "000000", clientPublicKey: CLIENT_KEY };
  return story.call("POST", `/auth/credentials/${id}/verify`, body);
}

/** The base point of the curve, which is a valid public key. */
export const CLIENT_KEY =
  "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296" +
  "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";

export const TOKEN = { name: "a token", permissions: ["VIEW"] };

export const OWNER = {
  roles: ["UBO"],
  ownershipPercentage: 50,
  personalInfo: {
    firstName: "Mara",
    lastName: "Lind",
    birthDate: "1980-04-05",
    nationality: "US",
    address: { line1: "2 Pier Rd", postalCode: "02110", country: "US" },
    idType: "SSN",
    identifier: "123-45-6789",
  },
};

function business(story: Story): Promise<RawAnswer> {
  return story.call("POST", "/customers", {
    customerType: "BUSINESS",
    currencies: ["USD"],
    businessInfo: {
      legalName: "Lind Boats LLC",
      country: "US",
      taxId: "12-3456789",
      incorporatedOn: "2015-06-01",
    },
  });
}

export function emptyCustomer(story: Story): Promise<RawAnswer> {
  return story.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName: "Ana Ruiz",
    currencies: ["USD"],
  });
}

async function invite(story: Story): Promise<RawAnswer> {
  const { umaAddress } = (await emptyCustomer(story)).json;
  return story.call("POST", "/invitations", { inviterUma: umaAddress });
}

async function pay(story: Story): Promise<RawAnswer> {
  const { path, body } = await transfer(story, "out");
  return story.call("POST", path, body);
}

export async function transfer(story: Story, direction: "in" | "out"): Promise<ValidCall> {
  const { accountId, customerId } = await fundedCustomer(story, 10_000);
  const internal = { accountId };
  const external = { accountId: await bankAccount(story, { customerId }) };
  return direction === "out"
    ? { path: "/transfer-out", body: { source: internal, destination: external, amount: 100 } }
    : { path: "/transfer-in", body: { source: external, destination: internal, amount: 100 } };
}

async function quoteFor(story: Story): Promise<RawAnswer> {
  const { path, body } = await quoteCall(story);
  return story.call("POST", path, body);
}

export async function quoteCall(story: Story): Promise<ValidCall> {
  const { accountId, customerId } = await fundedCustomer(story, 10_000);
  return {
    path: "/quotes",
    body: {
      source: { sourceType: "ACCOUNT", accountId },
      destination: { destinationType: "ACCOUNT", accountId: await euroAccount(story, customerId) },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 1_000,
    },
  };
}

async function fundableQuote(story: Story): Promise<RawAnswer> {
  const { body } = await quoteCall(story);
  const source = { sourceType: "REALTIME_FUNDING", currency: "USD" };
  const customer = await emptyCustomer(story);
  const accountId = await euroAccount(story, customer.json.id);
  return story.call("POST", "/quotes", {
    ...(body as object),
    source: { ...source, customerId: customer.json.id },
    destination: { destinationType: "ACCOUNT", accountId },
  });
}

export async function counterparty(story: Story): Promise<string> {
  const { umaDomain } = (await story.call("GET", "/config")).json;
  return `$success.usd@sandbox.${umaDomain}`;
}

export async function announcement(story: Story): Promise<ValidCall> {
  return {
    path: "/sandbox/uma/receive",
    body: {
      senderUmaAddress: await counterparty(story),
      customerId: (await emptyCustomer(story)).json.id,
      receivingCurrencyCode: "USD",
      receivingCurrencyAmount: 100,
    },
  };
}

/** A transaction that waits for the platform's approval: its endpoint answers 202. */
async function askedTransaction(story: Story): Promise<string> {
  const { webhookEndpoint } = (await story.call("GET", "/config")).json;
  if (webhookEndpoint === undefined) await listenTo(story, () => 202);
  const { path, body } = await announcement(story);
  const { id } = (await story.call("POST", path, body)).json;
  await untilHeard(story, id);
  return id;
}

let accountNumbers = 0;

export function usdAccount() {
  accountNumbers += 1;
  return {
    currency: "USD",
    accountInfo: {
      accountType: "USD_ACCOUNT",
      accountNumber: `2${String(accountNumbers).padStart(8, "0")}789`,
      routingNumber: "021000021",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
    },
  };
}

export async function byAgent(story: Story, path: string, body?: unknown): Promise<ValidCall> {
  const agent = await connectedAgent(story);
  const submitted = await agent.pay(1);
  const own: Readonly<Record<string, string>> = {
    actionId: submitted.json.id,
    transactionId: submitted.json.transaction.id,
    externalAccountId: agent.payeeId,
  };
  return {
    path: `/agents/me${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => present(own[name], name))}`,
    body,
    authorization: agent.bearer,
  };
}

export async function agentTransfer(story: Story, direction: "in" | "out"): Promise<ValidCall> {
  const { accountId, payeeId, bearer: authorization } = await connectedAgent(story);
  const [internal, external] = [{ accountId }, { accountId: payeeId }];
  const [source, destination] = direction === "out" ? [internal, external] : [external, internal];
  const path = `/agents/me/transfer-${direction}`;
  return { path, body: { source, destination, amount: 100 }, authorization };
}

export async function agentQuote(story: Story): Promise<ValidCall> {
  const { accountId, customerId, bearer: authorization } = await connectedAgent(story);
  const to = await euroAccount(story, customerId);
  const body = quoteBody({ from: accountId, to, amount: 1_000 });
  return { path: "/agents/me/quotes", body, authorization };
}

export async function onAgentQuote(story: Story, tail: string): Promise<ValidCall> {
  const agent = await connectedAgent(story);
  const { id } = (await agent.quote(1_000)).json;
  return { path: `/agents/me/quotes/${id}${tail}`, authorization: agent.bearer };
}

export async function onAction(story: Story, word: string, body?: unknown): Promise<ValidCall> {
  const { agent, actionId } = await pendingAction(story);
  return { path: `/agents/${agent.agentId}/actions/${actionId}/${word}`, body };
}

export async function made(story: Story, kind: string): Promise<string> {
  return present(await makeObject[kind]?.(story), `a ${kind}`);
}

/** A verification that waits for a person: the sandbox leaves a business with this number open. */
export async function openVerification(story: Story): Promise<string> {
  const customer = await story.call("POST", "/customers", {
    customerType: "BUSINESS",
    businessInfo: {
      legalName: "Lind Boats LLC",
      country: "US",
      taxId: "1",
      incorporatedOn: "2015-06-01",
      registrationNumber: "7700001",
    },
  });
  const { id: customerId } = customer.json;
  return idOf(await story.call("POST", "/verifications", { customerId }));
}

/** What the compiler refuses of a strict program that uses the client: one run over a file for each mistake, and one without. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const source = (name: string) => join(root, "packages/client/src", name);

const OPENING = `
import type { AgentClient, Client, FlorinError } from "@florin/client";
import type { WebhookEvent } from "@florin/client/webhooks";
declare const client: Client;
declare const agent: AgentClient;
declare const error: FlorinError;
declare const event: WebhookEvent;
declare const file: Blob;
`;

/** The mistake, a line that makes it, and what the compiler's one complaint has to name. */
const MISTAKES: readonly (readonly [mistake: string, code: string, complaint: RegExp])[] = [
  [
    "an account type without its fields",
    `await client.externalAccounts.createForPlatform({
       currency: "USD",
       accountInfo: { accountType: "USD_ACCOUNT" },
     });`,
    /NewUsdAccount.*accountNumber, routingNumber, beneficiary/,
  ],
  [
    "a misspelt account type",
    `await client.externalAccounts.createForPlatform({
       currency: "EUR",
       accountInfo: { accountType: "EURO_ACCOUNT", iban: "DE89370400440532013000" },
     });`,
    /"EURO_ACCOUNT"/,
  ],
  [
    "a currency that does not exist",
    `await client.customers.create({ customerType: "INDIVIDUAL", currencies: ["USDD"] });`,
    /"USDD".*CurrencyCode/,
  ],
  [
    "a misspelt status",
    `await client.transactions.list({ status: "COMPLETD" });`,
    /"COMPLETD".*"COMPLETED"/,
  ],
  [
    "a purpose that does not exist",
    `await client.quotes.create({
       source: { sourceType: "ACCOUNT", accountId: "InternalAccount:1" },
       destination: { destinationType: "ACCOUNT", accountId: "ExternalAccount:1" },
       lockedCurrencySide: "SENDING",
       lockedCurrencyAmount: 100,
       purposeOfPayment: "GIFTS",
     });`,
    /"GIFTS".*PurposeOfPayment/,
  ],
  [
    "a misspelt event",
    `if (event.type === "OUTGOING_PAYMENT.COMPLETE") console.log("paid");`,
    /"OUTGOING_PAYMENT\.COMPLETE"/,
  ],
  ["an unknown filter", `await client.quotes.list({ customer: "Customer:1" });`, /'customer'/],
  [
    "a member that an event's data does not have",
    `if (event.type === "OUTGOING_PAYMENT.COMPLETED") console.log(event.data.balance);`,
    /'balance'.*'Transaction'/,
  ],
  ["a number in the place of an id", `await client.transactions.get(17);`, /'number'.*'string'/],
  [
    "a required field that is missing",
    `await client.transfers.out({ source: { accountId: "a" }, destination: { accountId: "b" } });`,
    /'amount'.*'TransferOutBody'/,
  ],
  [
    "a wallet's answer taken for the final one",
    `const answer = await client.wallets.export("InternalAccount:1", { clientPublicKey: "04" });
     console.log(answer.encryptedWalletCredentials);`,
    /'encryptedWalletCredentials'.*'SignedRetryChallenge'/,
  ],
  [
    "an unknown refusal code",
    `if (error.code === "INSUFFICIENT_FUNDS") throw error;`,
    /"INSUFFICIENT_FUNDS"/,
  ],
];

const RIGHT = `
import type { CurrencyCode, Refusal } from "@florin/client";

const account = (await client.internalAccounts.listForPlatform({ type: "INTERNAL_FIAT" })).data[0];
if (account !== undefined) {
  // What an answer says can be asked for, even when this version has no name for it.
  await client.internalAccounts.listForCustomers({ currency: account.balance.currency.code });
}
await client.customers.create({
  customerType: "BUSINESS",
  currencies: ["USD", "STABLE" as CurrencyCode],
  businessInfo: { legalName: "A", country: "US", taxId: "1", incorporatedOn: "2020-01-01" },
});
await client.externalAccounts.createForPlatform({
  currency: "GHS",
  accountInfo: {
    accountType: "GHS_ACCOUNT",
    bankName: "MTN",
    phoneNumber: "+233200000000",
    beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ama Osei" },
  },
});
const external = await client.externalAccounts.getForPlatform("ExternalAccount:1");
if (external.accountInfo.accountType === "USD_ACCOUNT") {
  const { routingNumber, paymentRails = [] } = external.accountInfo;
  console.log(routingNumber.length, paymentRails.includes("ACH"));
}
const { source, status, sentAmount } = await client.transactions.get("Transaction:1");
if (source?.sourceType === "UMA_ADDRESS") console.log(source.umaAddress.length);
if (status === "COMPLETED") console.log(sentAmount?.amount);
for await (const one of client.transactions.list({ status, type: "OUTGOING" })) console.log(one.id);
await client.rates.list({ destinationCurrency: ["EUR", "MXN"] });
await client.rates.list({ destinationCurrency: "EUR" });
await client.documents.upload({
  file,
  fileName: "p.pdf",
  documentHolder: "Customer:1",
  documentType: "PASSPORT",
  country: "US",
});

switch (event.type) {
  case "OUTGOING_PAYMENT.FAILED":
    console.log(event.data.failureReason === "QUOTE_EXPIRED");
    break;
  case "INCOMING_PAYMENT.PENDING":
    console.log(event.data.requestedReceiverCustomerInfoFields?.length);
    break;
  case "INTERNAL_ACCOUNT.BALANCE_UPDATED":
    console.log(event.data.balance.amount);
    break;
  default:
    console.log(event.id);
}

const made = await client.credentials.create({ type: "EMAIL_OTP", accountId: "InternalAccount:1" });
if (made.payloadToSign !== undefined) {
  const signature = { requestId: made.requestId, stamp: made.payloadToSign };
  await client.credentials.revoke("AuthMethod:1", { signature });
} else console.log(made.nickname);
if ("nickname" in made) console.log(made.createdAt);

const refusals: Readonly<Partial<Record<Refusal<"transferOut">, string>>> = {
  INSUFFICIENT_BALANCE: "not enough money",
  AMOUNT_OUT_OF_RANGE: "too much or too little",
};
console.log(refusals.INSUFFICIENT_BALANCE, error.code === "INSUFFICIENT_BALANCE", error.details?.field);
const action = await agent.transferOut({
  source: { accountId: "a" },
  destination: { accountId: "b", paymentRail: "SEPA" },
  amount: 5,
});
console.log(action.status === "PENDING_APPROVAL", action.transaction?.settledAt);
`;

let folder = "";
let complaints: ReadonlyMap<string, readonly string[]> = new Map();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "florin-mistakes-"));
  const files = new Map([
    ["right", RIGHT],
    ...MISTAKES.map(([, code], index) => [`mistake-${index}`, code] as const),
  ]);
  for (const [name, code] of files) {
    await writeFile(join(folder, `${name}.ts`), `${OPENING}${code}\nexport {};\n`);
  }
  const settings = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: {
      noEmit: true,
      noUnusedLocals: false,
      typeRoots: [join(root, "node_modules/@types")],
      paths: {
        "@florin/client": [source("index.ts")],
        "@florin/client/webhooks": [source("webhooks.ts")],
      },
    },
    files: [...files.keys()].map((name) => `${name}.ts`),
  };
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings));
  complaints = byFile(await compile());
});
afterAll(() => rm(folder, { recursive: true }));

/** What the compiler prints; nothing when it has no complaint. */
function compile(): Promise<string> {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, "-p", "."], { cwd: folder }, (_, stdout) => resolve(stdout));
  });
}

/** A complaint goes on in indented lines. */
function byFile(output: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const one of output.split(/\n(?=\S)/).filter((text) => text.trim() !== "")) {
    const name = /^([\w-]+)\.ts\(/.exec(one)?.[1] ?? "elsewhere";
    found.set(name, [...(found.get(name) ?? []), one.replaceAll(/\s+/g, " ")]);
  }
  return found;
}

it.each(MISTAKES.map(([mistake], index) => [mistake, index] as const))(
  "%s does not compile",
  (_, index) => {
    const [, , complaint = /^$/] = MISTAKES[index] ?? [];
    const found = complaints.get(`mistake-${index}`) ?? [];
    expect(found).toEqual([expect.stringMatching(complaint)]);
  },
);

it("twelve mistakes give twelve type errors, and correct uses give none", () => {
  expect([...complaints.keys()].toSorted()).toEqual(
    MISTAKES.map((_, index) => `mistake-${index}`).toSorted(),
  );
  expect([...complaints.values()].flat()).toHaveLength(12);
});

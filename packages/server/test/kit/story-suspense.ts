/** Twenty items in suspense, twelve of which say to whoever reads them what they are for. */
import { present } from "../../src/std/assert.ts";
import type { RawAnswer, Story } from "./story.ts";
import { credit, fundedDesk, referenceOf } from "./story-funding.ts";
import { euroAccount } from "./story-quotes.ts";
import { euroDesk, expectStatus, fixedEuroRate } from "./story-rails.ts";

export interface PlantedItem {
  readonly bankReference: string;
  /** The id of the account, the quote or the order that is right; undefined where nothing is. */
  readonly right: string | undefined;
  readonly reason: string | undefined;
}

const NAMES = ["Søren Østergaard", "Maria Álvarez", "Jonas Berg", "Li Wei", "Bo Lind", "Eva Novák"];

/** How payers spell a reference wrongly. */
const SPELLINGS: readonly ((reference: string) => string)[] = [
  (text) => `rent ${text.slice(0, 9)}${text[9] === "7" ? "8" : "7"}${text.slice(10)}`,
  (text) => text.slice(0, -1),
  (text) => `Invoice 12 / ${text.slice(0, 8)}5${text.slice(8)}`.toLowerCase(),
  (text) => `${text.slice(0, 4)} ${text.slice(4, 8)} ${text.slice(9)}`,
  (text) => `E${text.slice(1)} thanks`,
  (text) => text.slice(1),
];

async function customerOf(story: Story, fullName: string): Promise<string> {
  const { json } = expectStatus(
    201,
    await story.call("POST", "/customers", {
      ...{ customerType: "INDIVIDUAL", fullName, currencies: ["USD"] },
    }),
  );
  const path = `/customers/internal-accounts?customerId=${json.id}&currency=USD`;
  const accounts = await story.call("GET", path);
  return present(accounts.json.data[0]?.id as string | undefined, "an account of the customer");
}

/** Of a production platform. Answers the connection and the items, in the order in which their lines were booked. */
export async function plantSuspense(
  story: Story,
): Promise<{ readonly deskId: string; readonly planted: readonly PlantedItem[] }> {
  const deskId = await fundedDesk(story, { name: "House bank" });
  const accounts: string[] = [];
  for (const name of NAMES) accounts.push(await customerOf(story, name));
  const planted: PlantedItem[] = [];
  const plant = async (
    more: Readonly<Record<string, unknown>>,
    right?: string,
    reason?: string,
  ): Promise<void> => {
    const { bankReference } = await credit(story, deskId, more);
    planted.push({ bankReference, right, reason });
  };
  // Two earlier credits of a payer whose name is no customer's, by the right reference.
  const usual = present(accounts[1], "an account");
  const reference = await referenceOf(story, usual);
  for (const amount of [5_000, 6_000]) {
    await credit(story, deskId, {
      ...{ amount, remittance: reference, payer: { name: "Casa Verde S.L.", account: "555" } },
    });
  }
  for (const [index, spell] of SPELLINGS.entries()) {
    const accountId = present(accounts[index], "an account");
    const remittance = spell(await referenceOf(story, accountId));
    const payer = { name: `Payer ${index}`, account: `90${index}` };
    await plant({ remittance, payer, amount: 10_000 + index }, accountId, "NEAR_REFERENCE");
  }
  for (const name of ["CASA VERDE S.L.", "Casa Verde S.L."]) {
    const payer = { name, account: "555" };
    await plant({ payer, remittance: "May", amount: 7_000 }, usual, "PAYER_SEEN");
  }
  for (const [name, index] of [
    ["BERG JONAS", 2],
    ["Eva Novak", 5],
  ] as const) {
    const payer = { name, account: "777" };
    await plant({ payer, remittance: "rent", amount: 8_000 }, accounts[index], "CUSTOMER_NAME");
  }
  await euroDesk(story);
  await fixedEuroRate(story);
  for (const amount of [123_456, 98_765]) {
    const quote = await story.call("POST", "/quotes", {
      source: { sourceType: "REALTIME_FUNDING", currency: "USD" },
      destination: { destinationType: "ACCOUNT", accountId: await euroAccount(story) },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: amount,
    });
    const payer = { name: "Unknown Ltd", account: "888" };
    const { id } = expectStatus(201, quote).json;
    await plant({ payer, remittance: "as agreed", amount }, id, "QUOTE_AMOUNT");
  }
  for (let index = 0; index < 8; index++) {
    const payer = { name: `Nobody Known ${index}`, account: `66${index}` };
    await plant({ payer, remittance: `cash ${index}`, amount: 300 + index });
  }
  return { deskId, planted };
}

/** The id that a suggestion names. */
export function suggestedId(suggestion: RawAnswer["json"] | undefined): string | undefined {
  return suggestion?.accountId ?? suggestion?.quoteId ?? suggestion?.paymentId;
}

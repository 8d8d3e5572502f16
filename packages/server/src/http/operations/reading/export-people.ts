/**
 * The form of an export that people read: CSV with names of parties, amounts with the decimals of their currency, states in words and times
 * of a zone. The last column has the id. The rows are those of the form for programs, so both show the same moment; names are
 * those of the moment at which the rows are written.
 *
 * Bounds: the names of a page are looked up together, with one statement a kind.
 */
import { constantWords } from "../../../domain/people/approvals/shown/words.ts";
import type { PeopleKind } from "../../../domain/reading/exports/export.ts";
import { type PartiesOfPage, readParties } from "../../../domain/reading/parties/parties.sql.ts";
import { type PartyReference, referenceTo } from "../../../domain/reading/parties/party.ts";
import { ledgerAccounts } from "../../../ledger/chart.ts";
import { findCurrency } from "../../../money/currency.ts";
import { decimalText } from "../../../money/money.ts";
import type { Reads } from "../../../postgres/database.ts";
import { timeZoneOf } from "../../../std/calendar/time-zone.ts";
import { isUuid } from "../../../std/ids.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../std/json.ts";
import { csvLine } from "../../../wire/reading/csv.ts";

/** Spreadsheets take a file with it for UTF-8. */
const BYTE_ORDER_MARK = "\ufeff";

/** The zone of times, and the names of parties. */
export interface PeopleAt {
  readonly zone: string;
  readonly partyOf: (reference: PartyReference | undefined) => { name: string; detail: string };
}

type Column = readonly [title: string, cell: (row: JsonObject, at: PeopleAt) => string];

interface PeopleForm {
  readonly columns: readonly Column[];
  /** A row has several lines, such as a posting with its legs. */
  readonly linesOf?: (row: JsonObject) => readonly JsonObject[];
  readonly referencesOf: (line: JsonObject) => readonly (PartyReference | undefined)[];
}

/** The member at a path of names; undefined where there is none. */
function memberAt(row: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = row;
  for (const name of path.split(".")) value = isJsonObject(value) ? value[name] : undefined;
  return value;
}

function textAt(row: JsonObject, path: string): string {
  const value = memberAt(row, path);
  if (Array.isArray(value)) return value.join(", ");
  return value === undefined || value === null ? "" : String(value);
}

const text = (title: string, path: string): Column => [title, (row) => textAt(row, path)];
const words = (title: string, path: string): Column => [
  title,
  (row) => constantWords(textAt(row, path).replaceAll(/[.-]/g, "_")),
];
const time = (title: string, path: string): Column => [
  title,
  (row, { zone }) => {
    const at = textAt(row, path);
    return at === "" ? "" : timeZoneOf(zone).textOf(Date.parse(at));
  },
];

function decimal(minor: string, currency: string): string {
  return minor === "" ? "" : decimalText(BigInt(minor), findCurrency(currency)?.decimals ?? 0);
}

/** A number and its currency, in a column each: a spreadsheet can add up the first one. */
function amount(title: string, path: string, code = `${path}.currency.code`): readonly Column[] {
  return [
    [title, (row) => decimal(textAt(row, `${path}.amount`), textAt(row, code))],
    [`${title} currency`, (row) => textAt(row, code)],
  ];
}

function party(title: string, of: (row: JsonObject) => PartyReference | undefined) {
  return [
    [title, (row, { partyOf }) => partyOf(of(row)).name],
    [`${title} details`, (row, { partyOf }) => partyOf(of(row)).detail],
  ] as const satisfies readonly Column[];
}

/** The platform's own id, unless it is a uuid, which is nothing to read: a customer that came without an id got one. */
const yourId: Column = [
  "Your customer id",
  (row) => {
    const own = textAt(row, "platformCustomerId");
    return isUuid(own) ? "" : own;
  },
];

/** The source or the destination of a transaction. */
function sideIn(row: JsonObject, name: "source" | "destination"): PartyReference | undefined {
  const side = memberAt(row, name);
  if (!isJsonObject(side)) return undefined;
  const told = textAt(row, "counterpartyInformation.FULL_NAME");
  const isOther = (textAt(row, "type") === "INCOMING") === (name === "source");
  const { accountId, umaAddress, accountHolderName, accountIdentifier } = side;
  if (typeof accountId === "string") return referenceTo(accountId);
  if (typeof umaAddress === "string")
    return { kind: "UMA", address: umaAddress, told: isOther && told !== "" ? told : undefined };
  return {
    kind: "OUTSIDE",
    name: typeof accountHolderName === "string" ? accountHolderName : undefined,
    lastFour: typeof accountIdentifier === "string" ? accountIdentifier : undefined,
  };
}

const from = (row: JsonObject) => sideIn(row, "source");
const to = (row: JsonObject) => sideIn(row, "destination");
const customer = (row: JsonObject) => referenceTo(textAt(row, "customerId"));

const transactions: PeopleForm = {
  referencesOf: (row) => [from(row), to(row), customer(row)],
  columns: [
    time("Created", "createdAt"),
    ["Direction", (row) => (textAt(row, "direction") === "CREDIT" ? "In" : "Out")],
    words("Status", "status"),
    ...party("From", from),
    ...party("To", to),
    ["Customer", (row, { partyOf }) => partyOf(customer(row)).name],
    yourId,
    ...amount("Sent", "sentAmount"),
    ...amount("Received", "receivedAmount"),
    text("Rate", "exchangeRate"),
    ["Fees", (row) => decimal(textAt(row, "fees"), textAt(row, "sentAmount.currency.code"))],
    words("Rail", "paymentRail"),
    [
      "Reference",
      (row) => textAt(row, "reference") || textAt(row, "reconciliationInstructions.reference"),
    ],
    text("Description", "description"),
    [
      "Remittance information",
      (row) => textAt(row, "remittanceInformation") || textAt(row, "source.remittanceInformation"),
    ],
    [
      "Failure",
      (row) => textAt(row, "failure.message") || constantWords(textAt(row, "failureReason")),
    ],
    ...amount("Refunded", "refundedAmount"),
    time("Settled", "settledAt"),
    text("Payment", "id"),
  ],
};

/** The books have the balance of an internal account under the id of the account. */
const account = (leg: JsonObject) =>
  referenceTo(textAt(leg, "accountId").replace(/^LedgerAccount:/, "InternalAccount:"));

const ledger: PeopleForm = {
  linesOf: ({ legs }) => (Array.isArray(legs) ? legs.filter(isJsonObject) : []),
  referencesOf: (leg) => [account(leg)],
  columns: [
    time("Booked", "at"),
    words("Reason", "reason"),
    ...party("Account", account),
    ...amount("Amount", "amount", "amount.currency"),
    [
      "Balance after",
      (leg) => decimal(textAt(leg, "balanceAfter.amount"), textAt(leg, "amount.currency")),
    ],
    text("Posting", "posting"),
    text("Payment", "transactionId"),
  ],
};

const customers: PeopleForm = {
  referencesOf: () => [],
  columns: [
    ["Name", (row) => textAt(row, "fullName") || textAt(row, "businessInfo.legalName")],
    words("Type", "customerType"),
    ["Verification", (row) => constantWords(textAt(row, "kycStatus") || textAt(row, "kybStatus"))],
    yourId,
    text("Email", "email"),
    text("Phone", "phoneNumber"),
    text("UMA address", "umaAddress"),
    text("Region", "region"),
    text("Currencies", "currencies"),
    text("Born", "birthDate"),
    text("Tax id", "businessInfo.taxId"),
    text("Street", "address.line1"),
    text("Street, second line", "address.line2"),
    text("City", "address.city"),
    text("State", "address.state"),
    text("Postal code", "address.postalCode"),
    text("Country", "address.country"),
    ["Deleted", (row) => (textAt(row, "isDeleted") === "true" ? "Yes" : "No")],
    time("Created", "createdAt"),
    text("Customer", "id"),
  ],
};

const forms: Readonly<Record<PeopleKind, PeopleForm>> = {
  TRANSACTIONS: transactions,
  LEDGER: ledger,
  CUSTOMERS: customers,
};

interface Wish {
  readonly kind: PeopleKind;
  readonly zone: string;
}

/** Titles of times name the zone. */
export function peopleHeading({ kind, zone }: Wish): string {
  const timed = new Set(["Created", "Settled", "Booked"]);
  const titles = forms[kind].columns.map(([title]) =>
    timed.has(title) ? `${title} (${zone})` : title,
  );
  return BYTE_ORDER_MARK + csvLine(titles);
}

export async function peopleLines(
  reads: Reads,
  platformId: string,
  { kind, zone, rows }: Wish & { readonly rows: readonly string[] },
): Promise<string> {
  const parsed = rows.map((row) => JSON.parse(row) as JsonObject);
  const { linesOf = (row: JsonObject) => [row], referencesOf } = forms[kind];
  const references = parsed
    .flatMap(linesOf)
    .flatMap(referencesOf)
    .filter((one) => one !== undefined);
  const parties = await readParties(reads, platformId, references);
  const kinds = await systemKinds(reads, platformId, { references, parties });
  const partyOf = (reference: PartyReference | undefined) => {
    const found = reference && parties(reference);
    if (found !== undefined) return found;
    const id = reference !== undefined && "id" in reference ? reference.id : "";
    return { name: constantWords((kinds.get(id) ?? "").replaceAll("-", "_")), detail: "" };
  };
  return peopleText(kind, parsed, { zone, partyOf });
}

/** The lines of the rows, which are in the form of the list operation. */
export function peopleText(kind: PeopleKind, rows: readonly JsonObject[], at: PeopleAt): string {
  const { columns, linesOf = (row: JsonObject) => [row] } = forms[kind];
  const lines = rows.flatMap(linesOf);
  return lines.map((line) => csvLine(columns.map(([, cell]) => cell(line, at)))).join("");
}

/** What the accounts of the books are for that are no internal accounts, by their uuids. */
async function systemKinds(
  reads: Reads,
  platformId: string,
  {
    references,
    parties,
  }: { readonly references: readonly PartyReference[]; readonly parties: PartiesOfPage },
): Promise<ReadonlyMap<string, string>> {
  const unnamed = references.flatMap((one) =>
    one.kind === "INTERNAL_ACCOUNT" && parties(one) === undefined ? [one.id] : [],
  );
  const ids = [...new Set(unnamed)];
  if (ids.length === 0) return new Map();
  const found = await reads.rows(ledgerAccounts, ledgerAccounts.selectByIds, [platformId, ids]);
  return new Map(found.map(({ id, kind }) => [id, kind]));
}

/** The kinds of objects that are found by their texts. */
import { findCurrency } from "../../../money/currency.ts";
import { decimalText } from "../../../money/money.ts";
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import type { Table, TableRow } from "../../../tables/tables.ts";
import {
  beneficiaryNameIn,
  type ExternalAccount,
  externalAccounts,
} from "../../accounts/external/external-account.ts";
import { type Agent, agents } from "../../agents/agent.ts";
import {
  type BeneficialOwner,
  beneficialOwners,
} from "../../customers/beneficial-owners/beneficial-owner.ts";
import { type Customer, customers, standingOf } from "../../customers/customer.ts";
import {
  type Party,
  type Transaction,
  transactions,
} from "../../payments/transactions/transaction.ts";
import { lastFourOf } from "../parties/account-words.ts";
import { type PaymentParties, partiesOfTransaction } from "../parties/payment-parties.ts";
import { amountTerm, type Term, termsOf } from "./terms.ts";

/** An object that was found, as a list shows it. */
export interface Hit {
  readonly title: string;
  /** Whether the title is a name, which is personal data. */
  readonly isTitlePersonal: boolean;
  readonly subtitle: string | null;
  readonly isSubtitlePersonal: boolean;
  readonly status: string | null;
  readonly at: number;
  /** Of a transaction: who pays and who is paid. */
  readonly sides?: PaymentParties;
}

export interface SearchedKind {
  readonly kind: "Customer" | "BeneficialOwner" | "ExternalAccount" | "Agent" | "Transaction";
  readonly table: Table<TableRow>;
  termsOf(row: TableRow): readonly Term[];
  /** Undefined for an object that cannot be opened any more. */
  hitOf(row: TableRow): Hit | undefined;
}

function searched<Row extends TableRow>(spec: {
  readonly kind: SearchedKind["kind"];
  readonly table: Table<Row>;
  readonly termsOf: (row: Row) => readonly Term[];
  readonly hitOf: (row: Row) => Hit | undefined;
}): SearchedKind {
  return spec as unknown as SearchedKind;
}

const nameOf = ({ fullName, businessInfo, platformCustomerId }: Customer) =>
  fullName ?? businessInfo?.legalName ?? platformCustomerId;

const ownerName = ({ personalInfo: { firstName, middleName, lastName } }: BeneficialOwner) =>
  [firstName, middleName, lastName].filter((part) => part !== undefined).join(" ");

function textIn(info: JsonObject, ...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => (typeof info[name] === "string" ? [info[name] as string] : []));
}

function amountsOf(transaction: Transaction): readonly string[] {
  const { sentMinor, sentCurrency, receivedMinor, receivedCurrency } = transaction;
  const sides = [
    [sentMinor, sentCurrency],
    [receivedMinor, receivedCurrency],
  ] as const;
  return sides.flatMap(([minor, currency]) =>
    minor === null || currency === null ? [] : [amountTerm(decimalOf(minor, currency), currency)],
  );
}

function decimalOf(minor: bigint, currency: string): string {
  return decimalText(minor, findCurrency(currency)?.decimals ?? 0);
}

function titleOf(transaction: Transaction): string {
  const { sentMinor, sentCurrency, receivedMinor, receivedCurrency } = transaction;
  const minor = sentMinor ?? receivedMinor;
  const currency = sentMinor === null ? receivedCurrency : sentCurrency;
  if (minor === null || currency === null) return transaction.type;
  return `${decimalOf(minor, currency)} ${currency}`;
}

const addressOf = (party: Party) => (party.type === "UMA_ADDRESS" ? party.umaAddress : null);
const holderOf = (party: Party) =>
  party.type === "REALTIME_FUNDING" ? party.accountHolderName : null;
/** The references that the API shows: the beneficiary's, and the one of `reconciliationInstructions`. */
const referencesOf = ({ details, reference }: Transaction) => {
  const told = isJsonObject(details) ? details.reference : undefined;
  return [typeof told === "string" ? told : null, reference];
};
/** The words of the payer: of money that came in, or what a payout tells its receiver. */
const remittancesOf = ({ source, details }: Transaction) => {
  const told = isJsonObject(details) ? details.remittanceInformation : undefined;
  return [
    source.type === "REALTIME_FUNDING" ? source.remittanceInformation : null,
    typeof told === "string" ? told : null,
  ];
};

export const searchedTransaction = searched<Transaction>({
  kind: "Transaction",
  table: transactions,
  termsOf: (row) =>
    termsOf({
      reference: referencesOf(row),
      amount: amountsOf(row),
      description: [row.description, ...remittancesOf(row)],
      umaAddress: [addressOf(row.source), addressOf(row.destination)],
      name: [holderOf(row.source)],
    }),
  hitOf(row) {
    const { type, description } = row;
    const [own, other] = referencesOf(row);
    const told = own ?? other ?? description;
    return {
      title: titleOf(row),
      isTitlePersonal: false,
      subtitle: told === null ? type : `${type} · ${told}`,
      isSubtitlePersonal: told !== null && told === description,
      status: row.status,
      at: row.createdAt,
      sides: partiesOfTransaction(row),
    };
  },
});

/** A commit lists the rows that it writes to these tables in `row_changes`, except transactions, which are found by their events. */
export const searchedKinds: readonly SearchedKind[] = [
  searched<Customer>({
    kind: "Customer",
    table: customers,
    termsOf: (row) =>
      termsOf({
        platformCustomerId: [row.platformCustomerId],
        name: [row.fullName, row.businessInfo?.legalName, row.businessInfo?.doingBusinessAs],
        umaAddress: [row.umaAddress],
        email: [row.email],
        phoneNumber: [row.phoneNumber],
      }),
    hitOf: (row) => ({
      title: nameOf(row),
      isTitlePersonal: nameOf(row) !== row.platformCustomerId,
      subtitle: row.platformCustomerId,
      isSubtitlePersonal: false,
      status: row.deletedAt === null ? standingOf(row) : "DELETED",
      at: row.createdAt,
    }),
  }),
  searched<BeneficialOwner>({
    kind: "BeneficialOwner",
    table: beneficialOwners,
    termsOf: (row) =>
      termsOf({
        name: [ownerName(row)],
        email: [row.personalInfo.email],
        phoneNumber: [row.personalInfo.phoneNumber],
      }),
    hitOf: (row) => ({
      title: ownerName(row),
      isTitlePersonal: true,
      subtitle: row.roles.join(", "),
      isSubtitlePersonal: false,
      status: row.kycStatus,
      at: row.createdAt,
    }),
  }),
  searched<ExternalAccount>({
    kind: "ExternalAccount",
    table: externalAccounts,
    termsOf: (row) =>
      termsOf({
        lastFour: [lastFourOf(row)],
        platformAccountId: [row.platformAccountId],
        name: [beneficiaryNameIn(row.accountInfo)],
        umaAddress: textIn(row.accountInfo, "umaAddress"),
        email: textIn(row.accountInfo, "email", "pixKey").filter((text) => text.includes("@")),
        phoneNumber: textIn(row.accountInfo, "phoneNumber"),
      }),
    hitOf(row) {
      if (row.deletedAt !== null) return undefined;
      const name = beneficiaryNameIn(row.accountInfo);
      const last = lastFourOf(row);
      return {
        title: name ?? row.accountType,
        isTitlePersonal: name !== null,
        subtitle: [row.accountType, row.currency, ...(last === null ? [] : [`…${last}`])].join(
          " · ",
        ),
        isSubtitlePersonal: false,
        status: row.status,
        at: row.createdAt,
      };
    },
  }),
  searched<Agent>({
    kind: "Agent",
    table: agents,
    termsOf: (row) => termsOf({ name: [row.name] }),
    hitOf: (row) =>
      row.deletedAt === null
        ? {
            title: row.name,
            isTitlePersonal: false,
            subtitle: null,
            isSubtitlePersonal: false,
            status: row.isPaused ? "PAUSED" : "ACTIVE",
            at: row.createdAt,
          }
        : undefined,
  }),
  searchedTransaction,
];

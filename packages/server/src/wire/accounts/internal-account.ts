import Type from "typebox";
import { accountTypes, ruleOf } from "../../domain/accounts/external/account-types.ts";
import { freezeOf } from "../../domain/accounts/freezes/freeze.ts";
import { fundingInstructions } from "../../domain/accounts/internal/funding-instructions.ts";
import {
  type InternalAccount,
  type InternalAccountSubject,
  internalAccountStatuses,
  internalAccountTypes,
  isDefaultAccount,
  toInternalAccountId,
} from "../../domain/accounts/internal/internal-account.ts";
import { toCustomerId } from "../../domain/customers/customer.ts";
import { toIso } from "../../std/clock.ts";
import type { JsonObject } from "../../std/json.ts";
import { amountJson, CurrencyAmountSchema, DateTimeSchema } from "../fields.ts";
import { MetadataSchema } from "../metadata.ts";
import { listedText } from "../value-lists.ts";
import { FrozenSchema, toWireFreeze } from "./freeze.ts";

/** Fields of payment instructions that identify an account. */
const targetFields = [
  ...new Set(
    accountTypes
      .flatMap((type) => ruleOf(type).fields)
      .filter(({ kind }) => kind === "text")
      .map(({ name }) => name),
  ),
  "qrCode",
  "paymentUrl",
  "assetType",
  "network",
];

export const PaymentInstructionSchema = Type.Object(
  {
    accountOrWalletInfo: Type.Object(
      {
        accountType: Type.String(),
        ...Object.fromEntries(targetFields.map((name) => [name, Type.Optional(Type.String())])),
        paymentRails: Type.Optional(Type.Array(listedText("PaymentRail"))),
        reference: Type.Optional(
          Type.String({ description: "To be given along, so that the money finds its account." }),
        ),
        payloadToSign: Type.Optional(
          Type.String({ description: "Of a quote that an embedded wallet pays." }),
        ),
      },
      {
        additionalProperties: true,
        description: "Where to pay to. Which fields are there depends on `accountType`.",
      },
    ),
    instructionsNotes: Type.Optional(Type.String()),
    isPlatformAccount: Type.Optional(Type.Boolean()),
  },
  { $id: "PaymentInstruction" },
);

export const InternalAccountSchema = Type.Object(
  {
    id: Type.String({ description: "`InternalAccount:<uuid>`" }),
    customerId: Type.Optional(
      Type.String({ description: "Absent for the platform's own accounts." }),
    ),
    name: Type.Optional(Type.String()),
    isDefault: Type.Optional(
      Type.Boolean({
        description:
          "`false` for an account that was opened beside the default one; absent for the default account of its holder and currency.",
      }),
    ),
    metadata: Type.Optional(MetadataSchema),
    type: Type.Enum([...internalAccountTypes]),
    status: Type.Enum([...internalAccountStatuses]),
    frozen: Type.Optional(FrozenSchema),
    balance: CurrencyAmountSchema,
    totalBalance: CurrencyAmountSchema,
    fundingPaymentInstructions: Type.Array(PaymentInstructionSchema, {
      description:
        "Where payers may send money to; in production by the `FUNDING` routes, in the answers of the reading operations alone. An account beside " +
        "the default one has none until they are requested.",
    }),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "InternalAccount" },
);

/** The parts of an account's JSON that follow from its row alone. */
interface FixedParts {
  readonly head: string;
  readonly instructions: string;
  readonly createdAt: string;
}

/** Cached by row: a row is immutable, and its funding instructions are long. */
const fixedParts = new WeakMap<InternalAccount, FixedParts>();

/** `funding`: payment instructions of the platform's connections, if the caller has looked them up. */
export function internalAccountJson(
  { account, ledger }: InternalAccountSubject,
  funding: readonly JsonObject[] = [],
): string {
  const { currency, createdAt, changedAt } = account;
  const { balanceMinor, heldMinor } = ledger;
  const fixed = fixedPartsOf(account);
  const instructions = funding.length === 0 ? fixed.instructions : JSON.stringify(funding);
  return (
    `${fixed.head},"balance":${amountJson(balanceMinor, currency)},` +
    `"totalBalance":${amountJson(balanceMinor + heldMinor, currency)},` +
    `"fundingPaymentInstructions":${instructions},"createdAt":"${fixed.createdAt}",` +
    `"updatedAt":"${toIso(Math.max(createdAt, ledger.updatedAt, changedAt ?? 0))}"}`
  );
}

function fixedPartsOf(account: InternalAccount): FixedParts {
  const known = fixedParts.get(account);
  if (known !== undefined) return known;
  const { id, customerId, type, status, createdAt, name, metadata } = account;
  const freeze = status === "CLOSED" ? null : freezeOf(account);
  const head = JSON.stringify({
    id: toInternalAccountId(id),
    customerId: customerId === null ? undefined : toCustomerId(customerId),
    name: name ?? undefined,
    isDefault: isDefaultAccount(account) ? undefined : false,
    metadata: metadata ?? undefined,
    type,
    status: freeze === null ? status : "FROZEN",
    frozen: freeze === null ? undefined : toWireFreeze(freeze),
  });
  const parts = {
    head: head.slice(0, -1),
    instructions: JSON.stringify(instructionsOf(account)),
    createdAt: toIso(createdAt),
  };
  fixedParts.set(account, parts);
  return parts;
}

/**
 * A closed account and one whose instructions were not requested have none. A production account is funded through connections, which its row does not name; the
 * row has only its wallet address.
 */
function instructionsOf(account: InternalAccount) {
  if (account.status === "CLOSED" || account.additional?.isFundable === false) return [];
  if (!account.isSimulated && account.type !== "EMBEDDED_WALLET") return [];
  return fundingInstructions({
    id: account.id,
    type: account.type,
    currency: account.currency,
    isPlatformAccount: account.customerId === null,
    ...(account.walletAddress === null ? {} : { walletAddress: account.walletAddress }),
  });
}

export const internalAccountExample = {
  id: "InternalAccount:019a4f00-0000-7000-8000-000000000002",
  customerId: "Customer:019a4f00-0000-7000-8000-000000000001",
  type: "INTERNAL_FIAT",
  status: "ACTIVE",
  balance: {
    amount: 87500,
    currency: { code: "USD", name: "US Dollar", symbol: "$", decimals: 2 },
  },
  totalBalance: {
    amount: 100000,
    currency: { code: "USD", name: "US Dollar", symbol: "$", decimals: 2 },
  },
  fundingPaymentInstructions: [
    {
      accountOrWalletInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber: "900012345678",
        routingNumber: "021000021",
        paymentRails: ["ACH", "WIRE"],
        reference: "FLR-7Q2K9D",
      },
      isPlatformAccount: false,
    },
  ],
  createdAt: "2026-11-21T09:00:00.000Z",
  updatedAt: "2026-11-21T10:00:00.000Z",
};

export const additionalAccountExample = {
  ...internalAccountExample,
  id: "InternalAccount:019a4f00-0000-7000-8000-000000000032",
  name: "Rent",
  isDefault: false,
  fundingPaymentInstructions: [],
};

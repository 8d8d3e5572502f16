import Type from "typebox";
import { fundingInstructions } from "../../domain/internal-accounts/funding-instructions.ts";
import type {
  InternalAccount,
  InternalAccountSubject,
} from "../../domain/internal-accounts/internal-account.ts";
import { toInternalAccountId } from "../../domain/internal-accounts/internal-account.ts";
import { toIso } from "../../std/clock.ts";
import { CurrencyAmountSchema, DateTimeSchema, wireAmount } from "./shared.ts";

export const internalAccountTypes = [
  "INTERNAL_FIAT",
  "INTERNAL_CRYPTO",
  "EMBEDDED_WALLET",
] as const;

export const PaymentInstructionSchema = Type.Object(
  {
    accountOrWalletInfo: Type.Object(
      { accountType: Type.String() },
      { additionalProperties: true, description: "Told apart by `accountType`." },
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
    type: Type.Enum([...internalAccountTypes]),
    status: Type.Enum(["PENDING", "ACTIVE", "CLOSED", "FROZEN", "FAILED"]),
    balance: CurrencyAmountSchema,
    totalBalance: CurrencyAmountSchema,
    fundingPaymentInstructions: Type.Array(PaymentInstructionSchema),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "InternalAccount" },
);

/** Instructions follow from the account alone and are long: they are made once for a row in memory. */
const instructions = new WeakMap<InternalAccount, string>();

export function internalAccountJson({ account, ledger }: InternalAccountSubject): string {
  const { id, customerId, type, status, currency, createdAt } = account;
  const head = JSON.stringify({
    id: toInternalAccountId(id),
    ...(customerId === null ? {} : { customerId: `Customer:${customerId}` }),
    type,
    status,
    balance: wireAmount(ledger.balanceMinor, currency),
    totalBalance: wireAmount(ledger.balanceMinor + ledger.heldMinor, currency),
  });
  const tail = JSON.stringify({
    createdAt: toIso(createdAt),
    updatedAt: toIso(Math.max(createdAt, ledger.updatedAt)),
  });
  return `${head.slice(0, -1)},"fundingPaymentInstructions":${instructionsJson(account)},${tail.slice(1)}`;
}

function instructionsJson(account: InternalAccount): string {
  const known = instructions.get(account);
  if (known !== undefined) return known;
  const json = JSON.stringify(instructionsOf(account));
  instructions.set(account, json);
  return json;
}

/** A production account has no rail to be funded through yet; only its own wallet address is real. */
function instructionsOf(account: InternalAccount) {
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

import Type, { type Static, type TSchema } from "typebox";
import {
  type AccountRestrictions,
  type AgentPolicy,
  type ApprovalThresholds,
  agentPermissions,
  executionModes,
  type Payees,
  type PolicyChanges,
  type PolicyClaims,
  payeeModes,
  type SpendingLimits,
} from "../../domain/agents/agent-policy.ts";
import { normalizeUmaAddress } from "../../domain/customers/uma-address.ts";
import { MAX_AMOUNT } from "../../money/money.ts";
import { isJsonObject, type Json, type JsonObject, withoutUndefined } from "../../std/json.ts";
import { refusalKeyword } from "../../validation/schema.ts";
import { currencyField } from "../fields.ts";

const MAX_COUNT = 1_000_000_000;
const MAX_ACCOUNTS = 100;

const limit = (description: string) =>
  Type.Integer({
    minimum: 0,
    maximum: MAX_AMOUNT,
    description: `${description}, in the smallest unit.`,
    [refusalKeyword]: "INVALID_AMOUNT",
  });

/** A number; null removes the limit. */
function clearable(schema: TSchema, description: string) {
  const plain = schema as unknown as Readonly<Record<string, unknown>>;
  return Type.Unsafe<number | null>({ ...plain, type: ["integer", "null"], description });
}

const PermissionsSchema = Type.Array(Type.Enum([...agentPermissions]), {
  maxItems: agentPermissions.length,
  uniqueItems: true,
});

const ExecutionModeSchema = Type.Enum([...executionModes], {
  description: "`AUTO` carries actions out at once; `APPROVAL_REQUIRED` lets the platform decide.",
});

const limitFields = {
  dailyLimit: Type.Optional(clearable(limit(""), "For all actions of a UTC day; null is none.")),
  dailyTransactionLimit: Type.Optional(
    clearable(
      Type.Integer({ minimum: 0, maximum: MAX_COUNT }),
      "How many actions a UTC day can have; absent or null is no limit.",
    ),
  ),
  monthlyLimit: Type.Optional(
    clearable(limit(""), "For all actions of a UTC month; null is none."),
  ),
};

const AccountRuleSchema = Type.Object({
  accountId: Type.String({ maxLength: 64, description: "`InternalAccount:<uuid>`" }),
  executionMode: Type.Optional(ExecutionModeSchema),
  perTransactionLimit: Type.Optional(
    clearable(limit(""), "Takes the place of the common limit; null leaves it as it is."),
  ),
});

const ids = (description: string) =>
  Type.Array(Type.String({ maxLength: 64 }), {
    maxItems: MAX_ACCOUNTS,
    uniqueItems: true,
    description,
  });

const PayeesSchema = Type.Object(
  {
    mode: Type.Enum([...payeeModes], {
      description: "`ANY` pays anyone; `LISTED` pays only those that the two lists name.",
    }),
    externalAccountIds: Type.Optional(
      ids("External accounts of the customer, `ExternalAccount:<uuid>`."),
    ),
    umaAddresses: Type.Optional(
      Type.Array(Type.String({ maxLength: 320 }), {
        maxItems: MAX_ACCOUNTS,
        description:
          "UMA addresses, `$user@domain`. Another address of the same person is not in the list.",
      }),
    ),
  },
  {
    description:
      "Who may be paid outside the customer's internal accounts, by transfers and by quotes. Absent: anyone. Given anew as a whole.",
  },
);

const AccountRestrictionsSchema = Type.Object(
  {
    allowedAccountIds: Type.Optional(
      Type.Unsafe<readonly string[] | null>({
        type: ["array", "null"],
        items: { type: "string", maxLength: 64 },
        maxItems: MAX_ACCOUNTS,
        uniqueItems: true,
        description: "The only internal accounts it may use; null is all of them, `[]` none.",
      }),
    ),
    payees: Type.Optional(PayeesSchema),
    fundingAccountIds: Type.Optional(
      Type.Unsafe<readonly string[] | null>({
        type: ["array", "null"],
        items: { type: "string", maxLength: 64 },
        maxItems: MAX_ACCOUNTS,
        uniqueItems: true,
        description:
          "The only external accounts that it may pull money from, by transfers and by quotes; null or absent is all of them, `[]` none.",
      }),
    ),
    accountRules: Type.Optional(
      Type.Array(AccountRuleSchema, {
        maxItems: MAX_ACCOUNTS,
        description:
          "Each internal account that an action touches is judged, by its rule or else by the common limit and mode.",
      }),
    ),
  },
  { $id: "AccountRestrictions" },
);

const ApprovalThresholdsSchema = Type.Object({
  currency: Type.Optional(currencyField({ description: "Required with `amount`." })),
  amount: Type.Optional(
    clearable(limit(""), "Whatever is above it waits for approval, even in `AUTO`; null is none."),
  ),
});

export const AgentPolicySchema = Type.Object(
  {
    permissions: PermissionsSchema,
    defaultExecutionMode: ExecutionModeSchema,
    spendingLimits: Type.Object({
      currency: currencyField(),
      perTransactionLimit: limit("For one action"),
      ...limitFields,
    }),
    accountRestrictions: Type.Optional(AccountRestrictionsSchema),
    approvalThresholds: Type.Optional(ApprovalThresholdsSchema),
  },
  { $id: "AgentPolicy" },
);

export const PolicyChangesSchema = Type.Object(
  {
    permissions: Type.Optional(PermissionsSchema),
    defaultExecutionMode: Type.Optional(ExecutionModeSchema),
    spendingLimits: Type.Optional(
      Type.Object({
        currency: Type.Optional(currencyField()),
        perTransactionLimit: Type.Optional(limit("For one action")),
        ...limitFields,
      }),
    ),
    accountRestrictions: Type.Optional(AccountRestrictionsSchema),
    approvalThresholds: Type.Optional(ApprovalThresholdsSchema),
  },
  { $id: "AgentPolicyChanges" },
);

/** The fields of an unvalidated policy in a request. */
export function policyClaims(policy: Json | undefined): PolicyClaims {
  const { spendingLimits, approvalThresholds, accountRestrictions } = membersOf(policy);
  const { accountRules, payees } = membersOf(accountRestrictions);
  const { mode, externalAccountIds, umaAddresses } = membersOf(payees);
  return {
    spendingLimits: membersOf(spendingLimits),
    approvalThresholds: membersOf(approvalThresholds),
    accountRestrictions: {
      accountRules: firstOf(accountRules).map(membersOf),
      payees: {
        mode,
        externalAccountIds: firstOf(externalAccountIds),
        umaAddresses: firstOf(umaAddresses),
      },
    },
  };
}

/** At most `MAX_ACCOUNTS` items. The schema refuses a longer list and a value that is no list. */
function firstOf(list: Json | undefined): readonly Json[] {
  return Array.isArray(list) ? list.slice(0, MAX_ACCOUNTS) : [];
}

function membersOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Copies a policy from a request, without unknown members. */
export function knownPolicy(policy: AgentPolicy): AgentPolicy {
  return {
    permissions: policy.permissions,
    defaultExecutionMode: policy.defaultExecutionMode,
    spendingLimits: knownLimits(policy.spendingLimits) as SpendingLimits,
    ...(policy.accountRestrictions === undefined
      ? {}
      : { accountRestrictions: knownRestrictions(policy.accountRestrictions) }),
    ...(policy.approvalThresholds === undefined
      ? {}
      : { approvalThresholds: knownThresholds(policy.approvalThresholds) }),
  };
}

/** Copies changes from a request, without unknown members. */
export function knownChanges(changes: PolicyChanges): PolicyChanges {
  const { permissions, defaultExecutionMode } = changes;
  const { spendingLimits, accountRestrictions, approvalThresholds } = changes;
  return withoutUndefined({
    permissions,
    defaultExecutionMode,
    spendingLimits: spendingLimits && knownLimits(spendingLimits),
    accountRestrictions: accountRestrictions && knownRestrictions(accountRestrictions),
    approvalThresholds: approvalThresholds && knownThresholds(approvalThresholds),
  });
}

function knownLimits(limits: Partial<SpendingLimits>): Partial<SpendingLimits> {
  const { currency, perTransactionLimit, dailyLimit, dailyTransactionLimit, monthlyLimit } = limits;
  return withoutUndefined({
    currency,
    perTransactionLimit,
    dailyLimit,
    dailyTransactionLimit,
    monthlyLimit,
  }) as Partial<SpendingLimits>;
}

function knownRestrictions(restrictions: AccountRestrictions): AccountRestrictions {
  const { allowedAccountIds, accountRules, payees, fundingAccountIds } = restrictions;
  return withoutUndefined({
    allowedAccountIds,
    payees: payees && knownPayees(payees),
    fundingAccountIds,
    accountRules: accountRules?.map(({ accountId, executionMode, perTransactionLimit }) =>
      withoutUndefined({ accountId, executionMode, perTransactionLimit }),
    ),
  }) as AccountRestrictions;
}

/** Addresses in their canonical spelling, in which they are compared. */
function knownPayees({ mode, externalAccountIds, umaAddresses }: Payees): Payees {
  return withoutUndefined({
    mode,
    externalAccountIds,
    umaAddresses: umaAddresses?.map((text) => normalizeUmaAddress(text) ?? text),
  }) as unknown as Payees;
}

function knownThresholds({ currency, amount }: ApprovalThresholds): ApprovalThresholds {
  return withoutUndefined({ currency, amount }) as ApprovalThresholds;
}

export const agentPolicyExample: Static<typeof AgentPolicySchema> = {
  permissions: ["VIEW_TRANSACTIONS", "CREATE_TRANSFERS"],
  defaultExecutionMode: "AUTO",
  spendingLimits: {
    currency: "USD",
    perTransactionLimit: 50000,
    dailyLimit: 200000,
    dailyTransactionLimit: 20,
    monthlyLimit: null,
  },
  accountRestrictions: {
    allowedAccountIds: null,
    payees: {
      mode: "LISTED",
      externalAccountIds: ["ExternalAccount:019a4f00-0000-7000-8000-000000000003"],
      umaAddresses: ["$landlord@florin.test"],
    },
    fundingAccountIds: [],
    accountRules: [],
  },
  approvalThresholds: { currency: "USD", amount: 10000 },
};

/** The editor of a policy. It describes the changes in words, and sends only the changed parts. */
import type { Agent } from "@florin/client";
import { type ActSpec, type FormField, FormProblem, type FormValues } from "../../act/act-spec.ts";
import type { Call } from "../../api/operations.ts";
import { type MessageKey, t, wordOf } from "../../text/messages.ts";
import { amountLine, decimalsFor, minorText, readAmount } from "../../text/money.ts";
import { stateChoices } from "../../ui/choices.ts";
import { OutsideText } from "../../ui/values.tsx";
import { DeviceCode } from "./device-code.tsx";
import { PolicyPreview } from "./policy-preview.tsx";

const PERMISSIONS = [
  "VIEW_TRANSACTIONS",
  "CREATE_TRANSFERS",
  "CREATE_QUOTES",
  "EXECUTE_QUOTES",
  "MANAGE_EXTERNAL_ACCOUNTS",
];

type Policy = Agent["policy"];

/** The amount limits, under the same names in the form and in the policy. */
const LIMITS = ["perTransactionLimit", "dailyLimit", "monthlyLimit"] as const;

function fieldsOf(prefix: string, policy: FormValues): readonly FormField[] {
  const limit = (name: (typeof LIMITS)[number], isOptional: boolean): FormField => ({
    name,
    field: `${prefix}spendingLimits.${name}`,
    label: `policy.${name}`,
    kind: "amount",
    isOptional,
    initial: policy[name],
    placeholder: "0.00",
  });
  return [
    {
      name: "permissions",
      field: `${prefix}permissions`,
      label: "agents.permissions",
      kind: "checks",
      isOptional: true,
      initial: policy.permissions,
      choices: stateChoices(PERMISSIONS, "agentPermission"),
    },
    {
      name: "defaultExecutionMode",
      field: `${prefix}defaultExecutionMode`,
      label: "agents.mode",
      kind: "choice",
      initial: policy.defaultExecutionMode,
      choices: stateChoices(["AUTO", "APPROVAL_REQUIRED"], "executionMode"),
    },
    {
      name: "currency",
      field: `${prefix}spendingLimits.currency`,
      label: "column.currency",
      kind: "text",
      initial: policy.currency,
    },
    limit("perTransactionLimit", false),
    limit("dailyLimit", true),
    limit("monthlyLimit", true),
    {
      name: "dailyTransactionLimit",
      field: `${prefix}spendingLimits.dailyTransactionLimit`,
      label: "policy.dailyTransactionLimit",
      kind: "text",
      isOptional: true,
      initial: policy.dailyTransactionLimit,
    },
    {
      name: "threshold",
      field: `${prefix}approvalThresholds.amount`,
      label: "agents.threshold",
      kind: "amount",
      isOptional: true,
      initial: policy.threshold,
      hint: t("policy.thresholdHint"),
    },
    ...restrictionFields(`${prefix}accountRestrictions.`, policy),
  ];
}

function restrictionFields(prefix: string, policy: FormValues): readonly FormField[] {
  return [
    {
      name: "allowed",
      field: `${prefix}allowedAccountIds`,
      label: "policy.allowed",
      kind: "long",
      isOptional: true,
      initial: policy.allowed,
      hint: t("policy.allowedHint"),
    },
    {
      name: "payees",
      field: `${prefix}payees.mode`,
      label: "policy.payees",
      kind: "choice",
      initial: policy.payees,
      choices: stateChoices(["ANY", "LISTED"], "payees"),
    },
    {
      name: "payeeAccounts",
      field: `${prefix}payees.externalAccountIds`,
      label: "policy.payeeAccounts",
      kind: "long",
      isOptional: true,
      initial: policy.payeeAccounts,
    },
    {
      name: "payeeAddresses",
      field: `${prefix}payees.umaAddresses`,
      label: "policy.payeeAddresses",
      kind: "long",
      isOptional: true,
      initial: policy.payeeAddresses,
    },
  ];
}

const listOf = (text = "") => text.split(/[\s,]+/).filter((one) => one !== "");

/** Converts a policy to the values of the form. */
function valuesOf({ permissions, defaultExecutionMode, ...policy }: Policy): FormValues {
  const { spendingLimits, approvalThresholds, accountRestrictions } = policy;
  const { currency, dailyTransactionLimit: count } = spendingLimits;
  const amount = (minor: number | null | undefined) =>
    typeof minor === "number" ? minorText(BigInt(minor), decimalsFor(currency)) : "";
  const { allowedAccountIds, payees } = accountRestrictions ?? {};
  return {
    permissions: permissions.join(","),
    defaultExecutionMode,
    currency,
    perTransactionLimit: amount(spendingLimits.perTransactionLimit),
    dailyLimit: amount(spendingLimits.dailyLimit),
    monthlyLimit: amount(spendingLimits.monthlyLimit),
    dailyTransactionLimit: typeof count === "number" ? String(count) : "",
    threshold: amount(approvalThresholds?.amount),
    allowed: (allowedAccountIds ?? []).join("\n"),
    payees: payees?.mode ?? "ANY",
    payeeAccounts: (payees?.externalAccountIds ?? []).join("\n"),
    payeeAddresses: (payees?.umaAddresses ?? []).join("\n"),
  };
}

const NEW: FormValues = {
  permissions: "VIEW_TRANSACTIONS",
  defaultExecutionMode: "APPROVAL_REQUIRED",
  currency: "USD",
  payees: "ANY",
};

/** Converts the form's values to the API's policy. An empty limit means no limit. */
function policyOf(values: FormValues) {
  const { currency = "", payees = "ANY", dailyTransactionLimit = "", threshold = "" } = values;
  const minor = (name: string) => {
    const text = values[name] ?? "";
    if (text === "") return null;
    const read = readAmount(text, decimalsFor(currency));
    if (read === undefined || read > BigInt(Number.MAX_SAFE_INTEGER))
      throw new FormProblem({ [name]: t("form.noAmount") });
    return Number(read);
  };
  if (dailyTransactionLimit !== "" && !/^\d{1,9}$/.test(dailyTransactionLimit))
    throw new FormProblem({ dailyTransactionLimit: t("policy.noCount") });
  const allowed = listOf(values.allowed);
  return {
    permissions: (values.permissions ?? "").split(",").filter((one) => one !== ""),
    defaultExecutionMode: values.defaultExecutionMode,
    spendingLimits: {
      currency,
      perTransactionLimit: minor("perTransactionLimit"),
      dailyLimit: minor("dailyLimit"),
      monthlyLimit: minor("monthlyLimit"),
      dailyTransactionLimit: dailyTransactionLimit === "" ? null : Number(dailyTransactionLimit),
    },
    accountRestrictions: {
      allowedAccountIds: allowed.length === 0 ? null : allowed,
      payees: {
        mode: payees,
        externalAccountIds: listOf(values.payeeAccounts),
        umaAddresses: listOf(values.payeeAddresses),
      },
    },
    approvalThresholds: { currency, amount: threshold === "" ? null : minor("threshold") },
  };
}

type Part = keyof ReturnType<typeof policyOf>;

/** The changed parts of the policy, in the API's form. */
function changedParts(before: FormValues, values: FormValues): Call<"updateAgentPolicy">["body"] {
  const [old, now] = [policyOf(before), policyOf(values)];
  const parts = (Object.keys(now) as Part[]).filter(
    (part) => JSON.stringify(old[part]) !== JSON.stringify(now[part]),
  );
  if (parts.length === 0) throw new FormProblem({ permissions: t("policy.noChange") });
  return Object.fromEntries(parts.map((part) => [part, now[part]])) as never;
}

/** The changed parts; undefined while nothing is changed or a field is invalid. */
function readableChange(before: FormValues, values: FormValues) {
  try {
    return changedParts(before, values);
  } catch (error) {
    if (error instanceof FormProblem) return undefined;
    throw error;
  }
}

export function editPolicy({ id, policy }: Agent): ActSpec<"updateAgentPolicy"> {
  const before = valuesOf(policy);
  return {
    title: t("policy.edit"),
    verb: t("act.save"),
    fields: fieldsOf("", before),
    preview: (values) => (
      <>
        <Changes before={before} after={values} />
        <PolicyPreview agentId={id} changes={readableChange(before, values)} />
      </>
    ),
    toCall: (values) => ({
      method: "PATCH",
      path: ["agents", id, "policy"],
      body: changedParts(before, values),
    }),
  };
}

export function createAgent(customerId?: string): ActSpec<"createAgent"> {
  return {
    title: t("agents.new"),
    verb: t("agents.new"),
    fields: [
      { name: "name", label: "column.name", kind: "text" },
      {
        name: "customerId",
        label: "column.customer",
        kind: "text",
        initial: customerId,
        placeholder: "Customer:",
      },
      ...fieldsOf("policy.", NEW),
    ],
    toCall: ({ name = "", customerId: owner = "", ...values }) => ({
      method: "POST",
      path: ["agents"],
      body: { name, customerId: owner, policy: policyOf(values) as never },
    }),
    after: ({ deviceCode }) => (
      <>
        <p className="text-form text-soft">{t("agents.connectIntro")}</p>
        <DeviceCode code={deviceCode} />
      </>
    ),
  };
}

const NAMES: Readonly<Record<string, MessageKey>> = {
  permissions: "agents.permissions",
  defaultExecutionMode: "agents.mode",
  currency: "column.currency",
  perTransactionLimit: "policy.perTransactionLimit",
  dailyLimit: "policy.dailyLimit",
  monthlyLimit: "policy.monthlyLimit",
  dailyTransactionLimit: "policy.dailyTransactionLimit",
  threshold: "agents.threshold",
  allowed: "policy.allowed",
  payees: "policy.payees",
  payeeAccounts: "policy.payeeAccounts",
  payeeAddresses: "policy.payeeAddresses",
};

function Changes({ before, after }: { readonly before: FormValues; readonly after: FormValues }) {
  const changed = Object.entries(NAMES).filter(
    ([name]) => (before[name] ?? "") !== (after[name] ?? ""),
  );
  return (
    <section aria-label={t("policy.changes")} aria-live="polite" className="text-body">
      <h3 className="pb-1 font-semibold">{t("policy.changes")}</h3>
      {changed.length === 0 ? (
        <p className="text-soft">{t("policy.noChange")}</p>
      ) : (
        <ul>
          {changed.map(([name, title]) => (
            <li key={name} className="border-line border-b py-1">
              <span className="text-soft">{t(title)}:</span>{" "}
              <OutsideText text={told(name, before)} /> {"\u2192"}{" "}
              <span className="font-medium">
                <OutsideText text={told(name, after)} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function told(name: string, values: FormValues): string {
  const { [name]: value = "", currency = "" } = values;
  if (value === "") return t(name === "allowed" ? "policy.all" : "policy.none");
  if (name === "permissions")
    return value
      .split(",")
      .map((one) => wordOf("agentPermission", one))
      .join(", ");
  if (name === "defaultExecutionMode") return wordOf("executionMode", value);
  if (name === "payees") return wordOf("payees", value);
  if (name !== "threshold" && !(LIMITS as readonly string[]).includes(name)) return value;
  const minor = readAmount(value, decimalsFor(currency));
  return minor === undefined ? value : amountLine({ amount: String(minor), currency });
}

/** Agent policies in an approval: a new policy in full, and a change as its values before and after. */
import type { Agent } from "@florin/client";
import { type Fact, Facts } from "../../../detail/facts.tsx";
import { t, wordOf } from "../../../text/messages.ts";
import { amountLine } from "../../../text/money.ts";
import { OutsideText } from "../../../ui/values.tsx";

type Policy = Agent["policy"];
type Part = Partial<Policy>;

/** Texts of the parts of a policy, by title. */
type Texts = Readonly<Record<string, string>>;

const LIMITS = ["perTransactionLimit", "dailyLimit", "monthlyLimit"] as const;

function amountText(amount: number | null | undefined, currency: string): string {
  return typeof amount === "number"
    ? amountLine({ amount: String(amount), currency })
    : t("policy.none");
}

function listText(list: readonly string[] | null | undefined, absent: string): string {
  if (list === undefined || list === null) return absent;
  return list.length === 0 ? t("policy.none") : list.join(", ");
}

function textsOf(policy: Policy): Texts {
  const { permissions, defaultExecutionMode, spendingLimits, approvalThresholds } = policy;
  const { currency, dailyTransactionLimit: count } = spendingLimits;
  return {
    [t("agents.permissions")]: listText(
      permissions.map((one) => wordOf("agentPermission", one)),
      t("policy.none"),
    ),
    [t("agents.mode")]: wordOf("executionMode", defaultExecutionMode),
    [t("column.currency")]: currency,
    ...Object.fromEntries(
      LIMITS.map((name) => [t(`policy.${name}`), amountText(spendingLimits[name], currency)]),
    ),
    [t("policy.dailyTransactionLimit")]:
      typeof count === "number" ? String(count) : t("policy.none"),
    [t("agents.threshold")]: amountText(
      approvalThresholds?.amount,
      approvalThresholds?.currency ?? currency,
    ),
    ...restrictionTexts(policy),
  };
}

function restrictionTexts({ accountRestrictions = {}, spendingLimits }: Policy): Texts {
  const { allowedAccountIds, accountRules = [], payees, fundingAccountIds } = accountRestrictions;
  const rules = accountRules.map(({ accountId, executionMode, perTransactionLimit }) =>
    [
      accountId,
      ...(executionMode === undefined ? [] : [wordOf("executionMode", executionMode)]),
      ...(typeof perTransactionLimit === "number"
        ? [amountText(perTransactionLimit, spendingLimits.currency)]
        : []),
    ].join(" "),
  );
  const isListed = payees?.mode === "LISTED";
  return {
    [t("policy.allowed")]: listText(allowedAccountIds, t("policy.all")),
    [t("policy.rules")]: listText(rules, t("policy.none")),
    [t("policy.payees")]: wordOf("payees", payees?.mode ?? "ANY"),
    [t("policy.payeeAccounts")]: listText(isListed ? payees.externalAccountIds : [], ""),
    [t("policy.payeeAddresses")]: listText(isListed ? payees.umaAddresses : [], ""),
    [t("policy.funding")]: listText(fundingAccountIds, t("policy.all")),
  };
}

export function PolicyFacts({ policy }: { readonly policy: Policy }) {
  const facts = Object.entries(textsOf(policy)).map(
    ([title, text]): Fact => [title, <OutsideText key={title} text={text} />],
  );
  return <Facts facts={facts} />;
}

/** Applies a change like the server: permissions are replaced as a whole, everything else member by member. */
function merged(policy: Policy, changes: Part): Policy {
  const { spendingLimits, accountRestrictions, approvalThresholds } = policy;
  return {
    ...policy,
    ...changes,
    spendingLimits: { ...spendingLimits, ...changes.spendingLimits },
    accountRestrictions: { ...accountRestrictions, ...changes.accountRestrictions },
    approvalThresholds: { ...approvalThresholds, ...changes.approvalThresholds },
  };
}

export function PolicyChange({
  before,
  changes,
}: {
  readonly before: Policy;
  readonly changes: Part;
}) {
  const [old, next] = [textsOf(before), textsOf(merged(before, changes))];
  const later = convertedTexts(before, changes);
  const changed = Object.keys(next).filter(
    (title) => old[title] !== next[title] || later[title] !== undefined,
  );
  const facts = changed.map(
    (title): Fact => [
      title,
      <span key={title} className="text-end">
        <OutsideText text={old[title] ?? ""} /> {"\u2192"}{" "}
        <span className="font-medium">
          <OutsideText text={later[title] ?? next[title] ?? ""} />
        </span>
      </span>,
    ],
  );
  return <Facts facts={facts} />;
}

/** The server converts the limits that a change of the currency does not contain. */
function convertedTexts({ spendingLimits: before }: Policy, { spendingLimits }: Part): Texts {
  const limits: Partial<NonNullable<Part["spendingLimits"]>> = spendingLimits ?? {};
  if (limits.currency === undefined || limits.currency === before.currency) return {};
  const kept = LIMITS.filter(
    (name) => limits[name] === undefined && typeof before[name] === "number",
  );
  return Object.fromEntries(kept.map((name) => [t(`policy.${name}`), t("policy.converted")]));
}

/** Approval policies of the open platform and of the workspace: which acts need other people's approval. */
import { ActButton } from "../../../act/act-dialog.tsx";
import {
  type ActSpec,
  type FormField,
  FormProblem,
  type FormValues,
} from "../../../act/act-spec.ts";
import type {
  ApprovalPolicy,
  PolicyAmounts,
  PolicyRule,
} from "../../../api/approval-operations.ts";
import { useMay, usePlatform, useRead } from "../../../api/platform.ts";
import { Facts, Section } from "../../../detail/facts.tsx";
import { t, wordOf } from "../../../text/messages.ts";
import { amountLine, decimalsFor, minorText, readAmount } from "../../../text/money.ts";
import { plainChoices, stateChoices } from "../../../ui/choices.ts";
import { Waiting } from "../../../ui/states.tsx";

/** The skeleton's rows: about as many as two policies have, so that the content below does not move. */
const KINDS = 16;

export function Policies({ currencies }: { readonly currencies: readonly string[] }) {
  const { id } = usePlatform();
  const reading = useRead<"listPolicies">({ method: "GET", path: ["workspace", "policies"] });
  return (
    <Waiting reading={reading} rows={KINDS}>
      {({ data }) =>
        data
          .filter(({ platformId }) => platformId === null || platformId === id)
          .map((policy) => (
            <Policy key={policy.platformId ?? ""} policy={policy} currencies={currencies} />
          ))
      }
    </Waiting>
  );
}

interface PolicyProps {
  readonly policy: ApprovalPolicy;
  /** The platform's currencies. */
  readonly currencies: readonly string[];
}

function Policy({ policy, currencies }: PolicyProps) {
  const may = useMay("policies.write");
  const title = t(policy.platformId === null ? "policies.ofWorkspace" : "policies.ofPlatform");
  const rules = Object.entries(policy.rules);
  return (
    <Section title={title}>
      <Facts
        facts={rules.map(([kind, rule]) => [
          wordOf("approvalKind", kind),
          <span key={kind} className="flex flex-wrap items-center justify-end gap-x-3">
            <span>{sentenceOf(rule)}</span>
            {may && isChangeable(rule) && (
              <ActButton spec={edit(policy, { kind, rule, currencies })} weight="quiet">
                {t("act.edit")}
              </ActButton>
            )}
          </span>,
        ])}
      />
    </Section>
  );
}

const isChangeable = ({ isFixed, hasAmounts }: PolicyRule) => !isFixed || hasAmounts;

/** Formats a rule as `Always, above 10.00 USD, two people above 1,000.00 USD`. */
function sentenceOf({ waits, above = {}, twoAbove = {} }: PolicyRule): string {
  const parts = [wordOf("policies.waits", String(waits))];
  if (waits !== false) {
    if (Object.keys(above).length > 0)
      parts.push(t("policies.onlyAbove", { amounts: amountsText(above) }));
    if (Object.keys(twoAbove).length > 0)
      parts.push(t("policies.two", { amounts: amountsText(twoAbove) }));
  }
  return parts.join(", ");
}

function amountsText(amounts: PolicyAmounts): string {
  return Object.entries(amounts)
    .map(([currency, minor]) => amountLine({ amount: String(minor), currency }))
    .join(" / ");
}

interface Edited {
  readonly kind: string;
  readonly rule: PolicyRule;
  readonly currencies: readonly string[];
}

function edit({ platformId }: ApprovalPolicy, edited: Edited): ActSpec<"setPolicy"> {
  const { kind, rule } = edited;
  return {
    title: `${t("policies.edit")}: ${wordOf("approvalKind", kind)}`,
    verb: t("act.save"),
    intro: t("policies.editIntro"),
    fields: fieldsOf(edited),
    fieldsFor: ({ currency = "" }) => (currency === "" ? [] : amountFields(edited, currency)),
    toCall: (values) => ({
      method: "PUT",
      path: ["workspace", "policies"],
      body: { platformId, rules: { [kind]: changeOf(rule, values) } },
    }),
  };
}

function fieldsOf({ kind, rule, currencies }: Edited): readonly FormField[] {
  const field = `rules.${kind}`;
  return [
    ...(rule.isFixed
      ? []
      : ([
          {
            name: "waits",
            field: `${field}.waits`,
            label: "policies.waits",
            kind: "choice",
            initial: String(rule.waits),
            choices: stateChoices(["true", "false", "WITH_TWO_OWNERS"], "policies.waits"),
          },
        ] as const)),
    ...(rule.hasAmounts
      ? ([
          {
            name: "currency",
            label: "column.currency",
            kind: "choice",
            isOptional: !rule.isFixed,
            choices: plainChoices(currencies),
          },
        ] as const)
      : []),
  ];
}

/** Field names contain the currency, so choosing another currency drops the entered amounts. */
function amountFields({ kind, rule }: Edited, currency: string): readonly FormField[] {
  const fieldOf = (name: "above" | "twoAbove"): FormField => ({
    name: `${name}.${currency}`,
    field: `rules.${kind}.${name}`,
    label: name === "above" ? "policies.above" : "policies.twoAbove",
    hint: t(name === "above" ? "policies.aboveHint" : "policies.twoAboveHint"),
    kind: "amount",
    isOptional: true,
    initial: initialAmount(rule[name], currency),
  });
  return rule.isFixed ? [fieldOf("twoAbove")] : [fieldOf("above"), fieldOf("twoAbove")];
}

function initialAmount(amounts: PolicyAmounts | undefined, currency: string): string {
  const minor = amounts?.[currency];
  return minor === undefined ? "" : minorText(BigInt(minor), decimalsFor(currency));
}

function changeOf(rule: PolicyRule, values: FormValues) {
  const { waits, currency = "" } = values;
  const names = currency === "" || !rule.hasAmounts ? [] : (["above", "twoAbove"] as const);
  const amounts = names
    .filter((name) => name === "twoAbove" || !rule.isFixed)
    .map((name) => [name, changedAmounts(rule[name], { name, currency, values })] as const);
  return {
    ...(waits === undefined || rule.isFixed ? {} : { waits: waitsOf(waits) }),
    ...Object.fromEntries(amounts),
  };
}

function waitsOf(value: string): PolicyRule["waits"] {
  return value === "WITH_TWO_OWNERS" ? value : value === "true";
}

/** The server replaces all amounts of a member, so the amounts in other currencies are sent unchanged. */
function changedAmounts(
  amounts: PolicyAmounts = {},
  typed: { readonly name: string; readonly currency: string; readonly values: FormValues },
): PolicyAmounts {
  const { name, currency, values } = typed;
  const field = `${name}.${currency}`;
  const text = (values[field] ?? "").trim();
  const { [currency]: _, ...others } = amounts;
  if (text === "") return others;
  const minor = readAmount(text, decimalsFor(currency));
  if (minor === undefined || minor > BigInt(Number.MAX_SAFE_INTEGER))
    throw new FormProblem({ [field]: t("form.noAmount") });
  return { ...others, [currency]: Number(minor) };
}

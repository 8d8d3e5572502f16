/** What a platform wants of other institutions, in sentences. The form has the same sentences as its choices. */
import type { SetUmaPolicyBody, UmaCounterparty, UmaPolicy } from "@florin/client";
import { ActButton } from "../../act/act-dialog.tsx";
import { type ActSpec, type FormField, FormProblem } from "../../act/act-spec.ts";
import { useMay } from "../../api/platform.ts";
import { Section } from "../../detail/facts.tsx";
import { t, wordOf } from "../../text/messages.ts";
import { stateChoices } from "../../ui/choices.ts";
import { OutsideText, Time } from "../../ui/values.tsx";

/** The rules that are chosen from a few values. Each value has its sentence: `umaPolicy.receive.true`. */
const RULES = {
  receive: ["true", "false"],
  send: ["true", "false"],
  counterparties: ["ALL", "LISTED"],
  unregulated: ["ALLOW", "REFUSE"],
  payerKyc: ["ANY", "VERIFIED"],
  receiverKyc: ["ANY", "VERIFIED"],
  certificates: ["ANY", "DOMAIN", "AUTHORITY"],
  pinKeys: ["true", "false"],
  callbackHosts: ["ANY", "SAME_DOMAIN"],
} as const;

type Rule = keyof typeof RULES;

const rules = Object.keys(RULES) as readonly Rule[];

const sentence = (rule: string, value: unknown) => wordOf("umaPolicy", `${rule}.${value}`);

/** What holds for one institution in place of the policy. */
export function Overrides({ of }: { readonly of: UmaCounterparty["overrides"] }) {
  return <Lines lines={Object.entries(of).map(([rule, value]) => sentence(rule, value))} />;
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul className="text-body">
      {lines.map((line) => (
        <li key={line} className="border-line border-b py-1.5">
          <OutsideText text={line} />
        </li>
      ))}
    </ul>
  );
}

export function Policy({ policy }: { readonly policy: UmaPolicy }) {
  const may = useMay("settings.write");
  const { authorities, layers, invoiceSeconds, updatedAt } = policy;
  const lines = [
    ...rules.map((rule) => sentence(rule, policy[rule])),
    ...(policy.network === undefined ? [] : [sentence("network", policy.network)]),
    ...(authorities.length > 0 ? [t("uma.authorityCount", { count: authorities.length })] : []),
    t("uma.invoiceLife", { count: invoiceSeconds }),
    ...(layers.length > 0 ? [t("uma.layerOrder", { layers: layers.join(", ") })] : []),
  ];
  return (
    <Section
      title={t("uma.policy")}
      act={may ? <ActButton spec={edit(policy)}>{t("act.edit")}</ActButton> : undefined}
    >
      <Lines lines={lines} />
      {updatedAt !== undefined && (
        <p className="pt-2 text-caption text-soft">
          {t("column.updated")} <Time at={updatedAt} />
        </p>
      )}
    </Section>
  );
}

function edit(policy: UmaPolicy): ActSpec<"setUmaPolicy"> {
  return {
    title: t("uma.policy"),
    verb: t("act.save"),
    intro: t("uma.policyIntro"),
    fields: [
      ...rules.map((rule) => ruleField(policy, rule)),
      ...networkFields(policy),
      ...otherFields(policy),
    ],
    toCall: (values) => {
      const { receive, send, pinKeys, invoiceSeconds = "", layers = "", authorities = "" } = values;
      const chosen = Object.fromEntries(rules.map((rule) => [rule, values[rule]]));
      if (!/^\d{1,5}$/.test(invoiceSeconds.trim()))
        throw new FormProblem({ invoiceSeconds: t("uma.noSeconds") });
      const body = {
        ...chosen,
        receive: receive === "true",
        send: send === "true",
        pinKeys: pinKeys === "true",
        invoiceSeconds: Number(invoiceSeconds),
        layers: layers.split(/[\s,]+/).filter((one) => one !== ""),
        authorities: certificatesIn(authorities),
        ...(policy.network === undefined ? {} : { network: values.network }),
      };
      return { method: "PUT", path: ["uma", "policy"], body: body as unknown as SetUmaPolicyBody };
    },
  };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Text between the certificates would be lost silently. */
function certificatesIn(text: string): readonly string[] {
  if (text.replace(CERTIFICATE, "").trim() !== "")
    throw new FormProblem({ authorities: t("uma.noCertificates") });
  return text.match(CERTIFICATE) ?? [];
}

function ruleField(policy: UmaPolicy, rule: Rule): FormField {
  return {
    name: rule,
    label: `umaPolicy.${rule}`,
    kind: "choice",
    initial: String(policy[rule]),
    choices: stateChoices(RULES[rule], `umaPolicy.${rule}`),
  };
}

/** Of a sandbox alone. */
function networkFields({ network }: UmaPolicy): readonly FormField[] {
  if (network === undefined) return [];
  return [
    {
      name: "network",
      label: "umaPolicy.network",
      hint: t("uma.networkHint"),
      kind: "choice",
      initial: network,
      choices: stateChoices(["SIMULATED", "PROTOCOL"], "umaPolicy.network"),
    },
  ];
}

function otherFields({ authorities, invoiceSeconds, layers }: UmaPolicy): readonly FormField[] {
  return [
    {
      name: "authorities",
      label: "uma.authorities",
      hint: t("uma.authoritiesHint"),
      kind: "long",
      isOptional: true,
      initial: authorities.join("\n"),
    },
    {
      name: "invoiceSeconds",
      label: "uma.invoiceSeconds",
      hint: t("uma.invoiceSecondsHint"),
      kind: "text",
      initial: String(invoiceSeconds),
    },
    {
      name: "layers",
      label: "uma.layers",
      hint: t("uma.layersHint"),
      kind: "text",
      isOptional: true,
      placeholder: "bank.example, ln",
      initial: layers.join(", "),
    },
  ];
}

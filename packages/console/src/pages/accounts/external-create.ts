/** The form of a new external account. Its fields depend on the type, by the table that the server validates with. */
import type { ActSpec, FormField, FormValues } from "../../act/act-spec.ts";
import { fieldWord } from "../../text/field-word.ts";
import { t, wordOf } from "../../text/messages.ts";
import { plainChoices, stateChoices } from "../../ui/choices.ts";
import forms from "./account-forms.json";

interface TableField {
  readonly name: string;
  readonly isOptional?: boolean;
  readonly values?: readonly string[];
  readonly hint?: string;
  readonly example?: string;
}

interface Form {
  readonly type: string;
  readonly currencies: readonly string[] | null;
  readonly fields: readonly TableField[];
  readonly ways?: readonly (readonly string[])[];
  readonly identifiedBy: readonly string[];
  readonly beneficiary?: {
    readonly isOptional?: boolean;
    readonly INDIVIDUAL: readonly TableField[];
    readonly BUSINESS: readonly TableField[];
  };
}

const byType = new Map((forms as readonly Form[]).map((form) => [form.type, form]));

/** Last three digits that select the outcome of the sandbox's name check. */
const SUFFIXES = ["102", "103", "104", "105", "106", "107"];

export interface NewExternal {
  /** The customer, when the form creates accounts of one customer only. */
  readonly customerId?: string | undefined;
  readonly isSandbox: boolean;
  readonly onDone: (id: string) => void;
}

export function createExternal({
  customerId,
  isSandbox,
  onDone,
}: NewExternal): ActSpec<"createCustomerExternalAccount" | "createPlatformExternalAccount"> {
  return {
    title: t("external.new"),
    verb: t("external.create"),
    fields: [
      ...(customerId === undefined
        ? [
            {
              name: "customerId",
              label: "column.customer",
              kind: "text",
              isOptional: true,
              placeholder: "Customer:",
              hint: t("external.ownerHint"),
            } as const,
          ]
        : []),
      {
        name: "type",
        field: "accountInfo.accountType",
        label: "column.type",
        kind: "choice",
        choices: [...byType.keys()].map((value) => ({ value, label: typeWord(value) })),
      },
    ],
    fieldsFor: (values) => {
      const form = byType.get(values.type ?? "");
      return form === undefined ? [] : [...accountFields(form, values, isSandbox), MORE];
    },
    toCall(values) {
      const owner = customerId ?? values.customerId ?? "";
      const form = byType.get(values.type ?? "");
      const body = form === undefined ? {} : bodyOf(form, values);
      const path = [owner === "" ? "platform" : "customers", "external-accounts"];
      return {
        method: "POST",
        path,
        body: owner === "" ? body : { customerId: owner, ...body },
      } as never;
    },
    onDone: ({ id }) => onDone(id),
  };
}

const MORE: FormField = {
  name: "more",
  label: "external.more",
  kind: "checks",
  isOptional: true,
  choices: [{ value: "yes", label: t("external.showMore") }],
};

function accountFields(form: Form, values: FormValues, isSandbox: boolean): readonly FormField[] {
  const { currencies, ways, beneficiary } = form;
  const hasMore = values.more === "yes";
  const way = ways?.[Number(values.way ?? 0)] ?? [];
  const others = new Set(ways?.flat().filter((name) => !way.includes(name)));
  const shown = (field: TableField) =>
    !others.has(field.name) && (hasMore || field.isOptional !== true || way.includes(field.name));
  const kind = values.beneficiaryType === "BUSINESS" ? "BUSINESS" : "INDIVIDUAL";
  return [
    ...currencyField(currencies),
    ...(ways === undefined || ways.length < 2
      ? []
      : [
          {
            name: "way",
            label: "external.way",
            kind: "choice",
            initial: "0",
            choices: ways.map((names, index) => ({
              value: String(index),
              label: names.map(fieldWord).join(", "),
            })),
          } as const,
        ]),
    ...form.fields
      .filter(shown)
      .map((field) => formField("accountInfo.", field, way.includes(field.name))),
    ...(isSandbox && beneficiary?.isOptional !== true ? [suffixField] : []),
    ...(beneficiary === undefined || (beneficiary.isOptional === true && !hasMore)
      ? []
      : [
          beneficiaryType,
          ...beneficiary[kind].filter(shown).map((field) => formField(BENEFICIARY, field, false)),
        ]),
  ];
}

const BENEFICIARY = "accountInfo.beneficiary.";

const beneficiaryType: FormField = {
  name: "beneficiaryType",
  field: `${BENEFICIARY}beneficiaryType`,
  label: "external.holder",
  kind: "choice",
  initial: "INDIVIDUAL",
  choices: stateChoices(["INDIVIDUAL", "BUSINESS"], "customerType"),
};

const suffixField: FormField = {
  name: "suffix",
  label: "external.outcome",
  kind: "choice",
  isOptional: true,
  choices: SUFFIXES.map((value) => ({
    value,
    label: `${value} \u00b7 ${wordOf("suffix", value)}`,
  })),
};

function currencyField(currencies: readonly string[] | null): readonly FormField[] {
  if (currencies?.length === 1) return [];
  const shared = { name: "currency", label: "column.currency" } as const;
  return [
    currencies === null
      ? { ...shared, kind: "text", placeholder: "USD" }
      : { ...shared, kind: "choice", choices: plainChoices(currencies) },
  ];
}

function formField(prefix: string, field: TableField, isLead: boolean): FormField {
  const { name, isOptional, values, hint, example } = field;
  const shared = {
    name: prefix + name,
    field: prefix + name,
    label: "external.details",
    labelText: fieldWord(name),
    hint,
    isOptional: isOptional === true && !isLead,
  } as const;
  return values === undefined
    ? { ...shared, kind: "text", placeholder: example }
    : { ...shared, kind: "choice", choices: plainChoices(values) };
}

/** Formats `EUR_ACCOUNT` as `EUR account`. */
function typeWord(type: string): string {
  const [first = "", ...rest] = type.split("_");
  return [first, ...rest.map((word) => word.toLowerCase())].join(" ");
}

function bodyOf(form: Form, values: FormValues) {
  const given = Object.entries(values).filter(([, value]) => value !== "");
  const info: Record<string, unknown> = { accountType: form.type };
  for (const [name, value] of given) {
    if (name.startsWith("accountInfo.")) place(info, name.split(".").slice(1), value);
  }
  const identified = form.identifiedBy.find((name) => typeof info[name] === "string");
  if (identified !== undefined && values.suffix !== undefined && values.suffix !== "")
    info[identified] = String(info[identified]).replace(/[0-9]{3}$/, values.suffix);
  if (info.beneficiary !== undefined)
    place(info, ["beneficiary", "beneficiaryType"], values.beneficiaryType ?? "INDIVIDUAL");
  return {
    currency: form.currencies?.length === 1 ? form.currencies[0] : values.currency,
    accountInfo: info,
  };
}

function place(into: Record<string, unknown>, path: readonly string[], value: string): void {
  const [name = "", ...rest] = path;
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const inner = (into[name] ?? {}) as Record<string, unknown>;
  into[name] = inner;
  place(inner, rest, value);
}

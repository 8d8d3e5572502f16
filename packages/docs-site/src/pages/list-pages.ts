/** The pages of account types and of enumerations. */
import { type ApiDocument, follow, formsOf, isNode, nameIn, type Schema } from "../api/document.ts";
import { codeList, fieldGroups, valuesHref } from "../api/fields.ts";
import { ACCOUNT_TYPES, ACCOUNT_TYPES_PATH, type ObjectHomes } from "../api/objects.ts";
import type { Block, Page, Section } from "../blocks/blocks.ts";

export function accountTypesPage(document: ApiDocument, homes: ObjectHomes): Page {
  const union = document.components.schemas[ACCOUNT_TYPES] ?? {};
  const sections = formsOf(document, union).map((form) => accountSection(document, form, homes));
  return {
    path: ACCOUNT_TYPES_PATH,
    title: "Account types",
    description:
      "The fields of each type of external account: bank accounts by currency, and wallets.",
    intro: [
      {
        kind: "prose",
        markdown:
          "`accountInfo` of an [external account](/docs/reference/external-accounts) has the fields of its `accountType`: IBAN for " +
          "`EUR_ACCOUNT`, routing number for `USD_ACCOUNT`, and so on. `paymentRails` is in answers only.",
      },
      {
        kind: "prose",
        markdown: sections.map(({ id, title }) => `[\`${title}\`](#${id})`).join(" · "),
      },
    ],
    sections,
  };
}

function accountSection(document: ApiDocument, form: Schema, homes: ObjectHomes): Section {
  const shape = follow(document, form);
  const name = typeof form.$ref === "string" ? nameIn(form.$ref) : String(shape.title);
  const groups = fieldGroups({ document, homes: homes.hrefs, side: "ANSWER" }, form);
  const [example] = Array.isArray(shape.examples) ? shape.examples : [];
  const main: Block[] = [];
  if (typeof shape.description === "string") {
    main.push({ kind: "prose", markdown: shape.description });
  }
  main.push({ kind: "fields", title: "Fields", groups });
  const aside: Block[] = isNode(example)
    ? [{ kind: "code", title: "Example", language: "json", text: JSON.stringify(example, null, 2) }]
    : [];
  return { id: name, title: name, main, aside };
}

const MEANINGS: Readonly<Record<string, string>> = {
  CurrencyCode: "Currencies, as ISO 4217 codes or tickers.",
  PaymentRail: "The rails that a payment can take.",
  PurposeOfPayment: "What a payment is for.",
  FailureCode: "`failure.code` of a transaction: why a payment failed.",
  FailureStage: "`failure.stage` of a transaction: where a payment failed.",
  FailureReason: "`failureReason` of a transaction, the shorter list.",
};

export function valuesPage(document: ApiDocument): Page {
  const lists = Object.entries(document.components.schemas).filter(
    ([name, { enum: values }]) => Array.isArray(values) && valuesHref(name).includes("#"),
  );
  return {
    path: "/docs/reference/values",
    title: "Lists of values",
    description: "Currencies, payment rails, purposes and failure codes.",
    intro: [
      {
        kind: "prose",
        markdown:
          "These lists can grow. Treat a value that you do not know as one more of its kind.",
      },
    ],
    sections: lists.map(([name, { enum: values }]) => ({
      id: name,
      title: name,
      main: [
        { kind: "prose", markdown: MEANINGS[name] ?? "" },
        { kind: "prose", markdown: codeList((values as readonly unknown[]).map(String)) },
      ],
      aside: [],
    })),
  };
}

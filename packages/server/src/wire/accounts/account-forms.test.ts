import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { accountExamples } from "../../domain/accounts/external/account-examples.ts";
import { accountTypes } from "../../domain/accounts/external/account-types.ts";
import { accountForms } from "./account-forms.ts";

const forms = accountForms();

it("has a form for each type, which asks for all that its example has", () => {
  expect(forms.map(({ type }) => type)).toEqual(accountTypes);
  for (const { type, fields } of forms) {
    const names = new Set(fields.map(({ name }) => name));
    const {
      accountType: _,
      beneficiary: __,
      platformAccountId: ___,
      ...given
    } = accountExamples[type as "EUR_ACCOUNT"];
    expect([type, Object.keys(given).filter((name) => !names.has(name))]).toEqual([type, []]);
  }
});

it("is what the console was generated from: npm run generate", () => {
  const written = new URL(
    "../../../../console/src/pages/accounts/account-forms.json",
    import.meta.url,
  );
  expect(JSON.parse(readFileSync(written, "utf8"))).toEqual(JSON.parse(JSON.stringify(forms)));
});

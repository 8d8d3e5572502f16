import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { columnNames, importRules } from "./customer-columns.ts";

it("is what the console was generated from: npm run generate", () => {
  const written = new URL(
    "../../../../console/src/pages/customers/import/import-columns.json",
    import.meta.url,
  );
  const rules = JSON.parse(JSON.stringify(importRules()));
  expect(JSON.parse(readFileSync(written, "utf8"))).toEqual(rules);
  expect(rules.columns).toHaveLength(columnNames.length);
});

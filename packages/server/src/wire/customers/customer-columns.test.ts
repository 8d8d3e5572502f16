import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { columnNames, importColumns } from "./customer-columns.ts";

it("is what the console was generated from: npm run generate", () => {
  const written = new URL(
    "../../../../console/src/pages/customers/import/import-columns.json",
    import.meta.url,
  );
  const columns = JSON.parse(JSON.stringify(importColumns()));
  expect(JSON.parse(readFileSync(written, "utf8"))).toEqual(columns);
  expect(columns).toHaveLength(columnNames.length);
});

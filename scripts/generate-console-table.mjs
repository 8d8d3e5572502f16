// `npm run generate`: writes the decimals of every currency for the console, from the table of the built server.
import { writeFile } from "node:fs/promises";

const root = new URL("../", import.meta.url);
const { currencyRows } = await import(
  new URL("packages/server/dist/money/currency-rows.js", root).href
);
const decimals = Object.fromEntries(currencyRows.map(([code, digits]) => [code, digits]));
await writeFile(
  new URL("packages/console/src/text/decimals.json", root),
  `${JSON.stringify(decimals, null, 2)}\n`,
);

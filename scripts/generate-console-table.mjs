// `npm run generate`: writes for the console, from the tables of the built server: the decimals of every currency, the form of every
// type of external account, and the columns of a file of customers.
import { writeFile } from "node:fs/promises";

const root = new URL("../", import.meta.url);
const fromServer = (path) => import(new URL(`packages/server/dist/${path}`, root).href);

const { currencyRows } = await fromServer("money/currency-rows.js");
const decimals = Object.fromEntries(currencyRows.map(([code, digits]) => [code, digits]));
await write("packages/console/src/text/decimals.json", decimals);

const { accountForms } = await fromServer("wire/accounts/account-forms.js");
await write("packages/console/src/pages/accounts/account-forms.json", accountForms());

const { importColumns } = await fromServer("wire/customers/customer-columns.js");
await write("packages/console/src/pages/customers/import/import-columns.json", importColumns());

async function write(path, value) {
  await writeFile(new URL(path, root), `${JSON.stringify(value, null, 2)}\n`);
}

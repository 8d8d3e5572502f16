// `npm run generate`: writes for the console, from the tables of the built server: the decimals of every currency, the form of every
// type of external account, and the types of events with what they mean.
import { writeFile } from "node:fs/promises";

const root = new URL("../", import.meta.url);
const fromServer = (path) => import(new URL(`packages/server/dist/${path}`, root).href);

const { currencyRows } = await fromServer("money/currency-rows.js");
const decimals = Object.fromEntries(currencyRows.map(([code, digits]) => [code, digits]));
await write("packages/console/src/text/decimals.json", decimals);

const { accountForms } = await fromServer("wire/accounts/account-forms.js");
await write("packages/console/src/pages/accounts/account-forms.json", accountForms());

const { eventCatalogue } = await fromServer("domain/webhooks/event-catalogue.js");
const types = Object.entries(eventCatalogue).map(([type, { meaning }]) => [
  type,
  meaning.replaceAll("`", ""),
]);
await write("packages/console/src/pages/events/event-types.json", Object.fromEntries(types));

async function write(path, value) {
  await writeFile(new URL(path, root), `${JSON.stringify(value, null, 2)}\n`);
}

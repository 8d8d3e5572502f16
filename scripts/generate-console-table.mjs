// `npm run generate`: writes for the console, from the tables of the built server: the decimals of every currency, the form of every
// type of external account, the columns of a file of customers, the types of events with what they mean, and the outcomes of the
// sandbox.
import { writeFile } from "node:fs/promises";

const root = new URL("../", import.meta.url);
const fromServer = (path) => import(new URL(`packages/server/dist/${path}`, root).href);

const { connectionCurrencies } = await fromServer("money/currency.js");
const decimals = Object.fromEntries(
  connectionCurrencies.map(({ code, decimals }) => [code, decimals]),
);
await write("packages/console/src/text/decimals.json", decimals);

const { accountForms } = await fromServer("wire/accounts/account-forms.js");
await write("packages/console/src/pages/accounts/account-forms.json", accountForms());

const { importRules } = await fromServer("wire/customers/customer-columns.js");
await write("packages/console/src/pages/customers/import/import-columns.json", importRules());

const { eventCatalogue } = await fromServer("domain/event-catalogue.js");
const types = Object.entries(eventCatalogue).map(([type, { meaning }]) => [
  type,
  meaning.replaceAll("`", ""),
]);
await write("packages/console/src/pages/events/event-types.json", Object.fromEntries(types));

const { transferOutcomes } = await fromServer("outside/payments/transfer-outcomes.js");
const { quoteOutcomes } = await fromServer("outside/payments/quote-outcomes.js");
const { businessOutcomes, personOutcomes } = await fromServer("domain/customers/kyc-outcomes.js");
const { nameCheckOutcomes } = await fromServer("domain/accounts/external/sandbox-suffix.js");
const { counterparties } = await fromServer("domain/uma/counterparties.js");
const paid = ([ending, { kind, seconds = 0, cause }]) => ({
  ending,
  kind,
  seconds,
  cause: cause?.message ?? "",
});
const judged = ([ending, status]) => ({ ending, kind: status, seconds: 0, cause: "" });
await write("packages/console/src/pages/platforms/sandbox/outcomes.json", {
  transfers: [...transferOutcomes].map(paid),
  quotes: [...quoteOutcomes].map(paid),
  persons: [...personOutcomes].map(judged),
  businesses: [...businessOutcomes].map(judged),
  nameChecks: [...nameCheckOutcomes].map(judged),
  receivers: counterparties.map(({ name, currency, outcome }) => ({
    ending: name,
    kind: outcome.kind,
    seconds: outcome.seconds ?? 0,
    cause: outcome.cause?.message ?? "",
    currency,
  })),
});

async function write(path, value) {
  await writeFile(new URL(path, root), `${JSON.stringify(value, null, 2)}\n`);
}

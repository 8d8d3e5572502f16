/** The calls of rates, as rows of the table in call-table.ts. */
import type { Client } from "../src/client.ts";

type Row = readonly [name: string, call: (client: Client) => Promise<unknown>, request: string];

const SOURCE = "/rates/sources/RateSource%3A1";
const id = "RateSource:1";

export const rateRows: readonly Row[] = [
  [
    "rateSources.create",
    (c) => c.rateSources.create({ name: "desk", kind: "FIXED" }),
    "POST /rates/sources",
  ],
  ["rateSources.list", (c) => c.rateSources.list({ kind: "ECB" }), "GET /rates/sources?kind=ECB"],
  ["rateSources.get", (c) => c.rateSources.get(id), `GET ${SOURCE}`],
  ["rateSources.update", (c) => c.rateSources.update(id, { priority: 1 }), `PATCH ${SOURCE}`],
  ["rateSources.delete", (c) => c.rateSources.delete(id), `DELETE ${SOURCE}`],
  ["rateSources.setRates", (c) => c.rateSources.setRates(id, { rates: [] }), `PUT ${SOURCE}/rates`],
  ["rateSources.refresh", (c) => c.rateSources.refresh(id), `POST ${SOURCE}/refresh`],
  ["rateSources.upload", (c) => c.rateSources.upload(id, new Blob([])), `POST ${SOURCE}/upload`],
  ["rateSources.observations", (c) => c.rateSources.observations(id), `GET ${SOURCE}/observations`],
  ["pricing.spreads", (c) => c.pricing.spreads(), "GET /rates/spreads"],
  ["pricing.setSpreads", (c) => c.pricing.setSpreads({ spreads: [] }), "PUT /rates/spreads"],
  ["pricing.fees", (c) => c.pricing.fees(), "GET /fees"],
  ["pricing.setFees", (c) => c.pricing.setFees({ rules: [] }), "PUT /fees"],
  ["pricing.feeVersions", (c) => c.pricing.feeVersions(), "GET /fees/versions"],
  ["pricing.ofQuote", (c) => c.pricing.ofQuote("Quote:1"), "GET /rates/quotes/Quote%3A1"],
  ["fx.positions", (c) => c.fx.positions({ valueIn: "EUR" }), "GET /fx/positions?valueIn=EUR"],
  [
    "fx.adjust",
    (c) => c.fx.adjust({ connectionId: "RailConnection:1", legs: [], note: "sold" }),
    "POST /fx/adjustments",
  ],
  ["fx.setLimits", (c) => c.fx.setLimits({ limits: [] }), "PUT /fx/limits"],
];

/** Objects of rates, and a valid call of each operation on them. */
import { formOf } from "./forms.ts";
import type { Make } from "./made-objects.ts";
import { ecbDocument } from "./rate-page.ts";
import { fundedCustomer, type Story } from "./story.ts";
import { askQuote, euroAccount } from "./story-quotes.ts";
import { expectStatus } from "./story-rails.ts";

let names = 0;

function fixedSource() {
  return { name: `desk ${++names}`, kind: "FIXED" };
}

/** Nothing listens at its address. */
function ecbSource() {
  const settings = { acknowledged: true, url: "https://rates.example/daily.xml" };
  return { name: `bank ${++names}`, kind: "ECB", settings };
}

async function source(story: Story, body: object = fixedSource()): Promise<string> {
  return expectStatus(201, await story.call("POST", "/rates/sources", body)).json.id;
}

async function quote(story: Story): Promise<string> {
  const { accountId: from, customerId } = await fundedCustomer(story, 10_000);
  const to = await euroAccount(story, customerId);
  return expectStatus(201, await askQuote(story, { from, to, amount: 5_000 })).json.id;
}

const on = (id: string, word = "") => `/rates/sources/${id}${word}`;

export const rateObjects: Readonly<Record<string, (story: Story) => Promise<string>>> = {
  RateSource: (story) => source(story),
};

export const rateCalls: Readonly<Record<string, Make>> = {
  createRateSource: () => ({ path: "/rates/sources", body: fixedSource() }),
  getRateSource: async (story) => ({ path: on(await source(story)) }),
  updateRateSource: async (story) => ({ path: on(await source(story)), body: { priority: 7 } }),
  deleteRateSource: async (story) => ({ path: on(await source(story)) }),
  setRates: async (story) => ({
    path: on(await source(story), "/rates"),
    body: { rates: [{ base: "EUR", quote: "USD", rate: "1.0850" }] },
  }),
  refreshRateSource: async (story) => ({
    path: on(await source(story, ecbSource()), "/refresh"),
  }),
  uploadRates: async (story) => ({
    path: on(await source(story, ecbSource()), "/upload"),
    body: formOf({}, { bytes: ecbDocument("2025-11-21", { USD: "1.0850" }), name: "daily.xml" }),
  }),
  setSpreads: () => ({
    path: "/rates/spreads",
    body: { spreads: [{ from: "USD", to: "*", bps: 50 }] },
  }),
  setFees: () => ({
    path: "/fees",
    body: { rules: [{ from: "USD", to: "*", fixedMinor: 50, bps: 25, maxMinor: 5_000 }] },
  }),
  getQuotePrice: async (story) => ({
    path: `/rates/quotes/${await quote(story)}`,
  }),
  setFxLimits: () => ({
    path: "/fx/limits",
    body: { limits: [{ currency: "USD", maxLong: 5_000_000, maxShort: 0 }] },
  }),
  listRateObservations: async (story) => ({ path: on(await source(story), "/observations") }),
};

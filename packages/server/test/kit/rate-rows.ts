/** A rate source that is fetched from an address, with sealed headers. */
import type { RateSource } from "../../src/domain/prices/rate-sources/rate-source.ts";
import { DECIDED_AT } from "./decide-alone.ts";

const ID = "019a4f00-0000-7000-8000-0000000000b1";

export const source: RateSource = {
  id: ID,
  name: "feed",
  kind: "HTTP",
  priority: 100,
  pivots: [],
  maxAgeMinutes: 15,
  lockMinutes: 5,
  maxMovePercent: null,
  settings: {
    url: "https://rates.example/a",
    pairs: [{ base: "EUR", quote: "USD", pointer: "/rate" }],
  },
  sealId: ID,
  headersSealed: "sealed",
  headerFacts: { authorization: { setAt: "2026-11-21T10:00:00.000Z", fingerprint: "00" } },
  rates: [],
  refused: [],
  asOf: null,
  readAt: null,
  lastError: null,
  staleSince: null,
  refreshJobId: null,
  staleJobId: null,
  createdAt: DECIDED_AT,
  updatedAt: DECIDED_AT,
  deletedAt: null,
};

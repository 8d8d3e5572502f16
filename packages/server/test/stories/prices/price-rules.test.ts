/** Spreads and fees: tables that are replaced as a whole, with their versions. */
import { beforeEach, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { expectStatus } from "../../kit/story-rails.ts";

const server = await sharedServer();
let story: Story;
beforeEach(async () => {
  story = await openStory(server, { environment: "PRODUCTION" });
});

const fee = (more: object = {}) => ({ from: "USD", to: "EUR", fixedMinor: 10, bps: 25, ...more });
const putFees = (...rules: readonly object[]) => story.call("PUT", "/fees", { rules });
const putSpreads = (...spreads: readonly object[]) =>
  story.call("PUT", "/rates/spreads", { spreads });
const fieldsOf = (answer: RawAnswer) =>
  expectStatus(400, answer).json.details.errors.map(({ field }: { field: string }) => field);

it("there are none at first", async () => {
  expect((await story.call("GET", "/fees")).json).toEqual({ version: 0, rules: [] });
  expect((await story.call("GET", "/rates/spreads")).json).toEqual({ version: 0, spreads: [] });
});

it("a table is replaced, and its versions are kept", async () => {
  const rules = [
    fee({ accountType: "EUR_ACCOUNT", paymentRail: "SEPA", minMinor: 1, maxMinor: 9 }),
    fee({ to: "*" }),
  ];
  const set = expectStatus(200, await putFees(...rules)).json;
  expect(set).toMatchObject({ version: 1, rules });
  expect((await story.call("GET", "/fees")).json).toEqual(set);
  expectStatus(200, await putSpreads({ from: "*", to: "*", bps: 50 }));
  expectStatus(200, await putFees());
  expect((await story.call("GET", "/fees")).json).toMatchObject({ version: 2, rules: [] });
  const { json } = await story.call("GET", "/fees/versions?limit=1");
  expect(json).toMatchObject({ data: [{ version: 2, rules: [] }], hasMore: true });
  const next = await story.call("GET", `/fees/versions?limit=1&cursor=${json.nextCursor}`);
  expect(next.json).toMatchObject({ data: [{ version: 1, rules }], hasMore: false });
  expect((await story.call("GET", "/rates/spreads")).json).toMatchObject({ version: 1 });
  const other = await openStory(server, { environment: "PRODUCTION" });
  expect((await other.call("GET", "/fees")).json).toEqual({ version: 0, rules: [] });
});

it("every fault of a table is named, and nothing of it is kept", async () => {
  expect(fieldsOf(await putFees(fee(), fee({ bps: 1 })))).toEqual(["rules.1"]);
  expect(fieldsOf(await putFees(fee({ from: "EUR" })))).toEqual(["rules.0"]);
  expect(fieldsOf(await putFees(fee({ minMinor: 2, maxMinor: 1 })))).toEqual(["rules.0.minMinor"]);
  expect(fieldsOf(await putFees(fee({ from: "XXX", to: "?" })))).toEqual([
    "rules.0.from",
    "rules.0.to",
  ]);
  expect(fieldsOf(await putFees(fee({ paymentRail: "PIGEON" })))).toEqual(["rules.0.paymentRail"]);
  expect(fieldsOf(await putFees(fee({ bps: 10_001, fixedMinor: -1 })))).toEqual([
    "rules.0.fixedMinor",
    "rules.0.bps",
  ]);
  expect(fieldsOf(await putFees(fee({ fixedMinor: 0.5 })))).toEqual(["rules.0.fixedMinor"]);
  expect(fieldsOf(await putFees(...Array.from({ length: 501 }, () => fee())))).toEqual(["rules"]);
  const spread = { from: "USD", to: "EUR", bps: 1 };
  expect(fieldsOf(await putSpreads(spread, { ...spread, bps: 2 }))).toEqual(["spreads.1"]);
  expect(fieldsOf(await putSpreads({ ...spread, to: "USD" }))).toEqual(["spreads.0"]);
  expect(fieldsOf(await putSpreads({ ...spread, bps: 5_001 }))).toEqual(["spreads.0.bps"]);
  expect(fieldsOf(await putSpreads({ ...spread, from: "XXX" }))).toEqual(["spreads.0.from"]);
  expect((await story.call("GET", "/fees")).json.version).toBe(0);
});

/** How many invoices an institution may have for a customer that are not paid. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type MovedTime, moveTime } from "../../kit/moved-date.ts";
import { openPaid, type PaidStory } from "../../kit/story-uma-paid.ts";

let time: MovedTime;
let at: PaidStory;
beforeAll(async () => {
  time = moveTime();
  at = await openPaid();
});
afterAll(async () => {
  time.restore();
  await at.close();
});

it("20 in a row at most; the next one is refused before the platform is asked", async () => {
  const codes: string[] = [];
  for (let count = 0; count < 21; count += 1) {
    const { status, text } = await at.pay();
    codes.push(status === 200 ? "OK" : JSON.parse(text).code);
  }
  expect(codes).toEqual([...Array(20).fill("OK"), "VELOCITY_LIMIT_EXCEEDED"]);
  const figures = await fetch(`http://127.0.0.1:${at.server.app.metricsPort}/metrics`);
  const shown = await figures.text();
  expect(shown).toContain('florin_uma_open_invoices{environment="PRODUCTION"} 20\n');
  expect(shown).toContain('florin_uma_oldest_wanted_seconds{environment="PRODUCTION"} 0\n');
  const { data } = (await at.bank.call("GET", "/transactions?limit=1&sortOrder=desc")).json;
  await at.tell(data[0].id, BigInt(at.invoiceOf(data[0].id).amount));
  expect((await at.pay()).status).toBe(200);
});

it("those that lapsed count as well, for ten minutes", async () => {
  const pay = async () => (await at.pay()).status;
  for (let count = 1; count < 20; count += 1) expect(await pay()).toBe(200);
  expect(await pay()).toBe(403);
  const made = at.connector.reply;
  at.connector.reply = (call) => {
    const [, id = ""] = /^\/invoices\/([0-9a-f-]{36})/.exec(call.path) ?? [];
    if (id === "" || call.method === "PUT") return made(call);
    const { expiresAt } = at.invoices.get(id);
    return { status: 200, body: { status: "expired", invoice: "x", expiresAt, entries: [] } };
  };
  time.pass(370_000);
  await at.bank.settle();
  expect((await at.bank.call("GET", "/transactions?status=PENDING")).json.data).toEqual([]);
  expect(await pay()).toBe(403);
  time.pass(240_000);
  expect(await pay()).toBe(200);
});

/** How many invoices an institution may have for a customer that are not paid. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openPaid, type PaidStory } from "../../kit/story-uma-paid.ts";

let at: PaidStory;
beforeAll(async () => {
  at = await openPaid();
});
afterAll(() => at.close());

it("20 wait at most; the next one is refused before the platform is asked", async () => {
  const codes: string[] = [];
  for (let count = 0; count < 21; count += 1) {
    const { status, text } = await at.pay();
    codes.push(status === 200 ? "OK" : JSON.parse(text).code);
  }
  expect(codes).toEqual([...Array(20).fill("OK"), "VELOCITY_LIMIT_EXCEEDED"]);
  const { data } = (await at.bank.call("GET", "/transactions?limit=1&sortOrder=desc")).json;
  await at.tell(data[0].id, BigInt(at.invoiceOf(data[0].id).amount));
  expect((await at.pay()).status).toBe(200);
});

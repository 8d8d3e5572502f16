/** A database that is taken back to a backup, while other institutions have paid: nothing is credited twice, and what the books forgot waits. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { pauseRestoredRailsFromShell } from "../../../src/commands/rails/pause-restored-rails.ts";
import { readConfig } from "../../../src/config.ts";
import { booksOf } from "../../kit/story-funding.ts";
import { balanceOf, expectStatus, transactionOf } from "../../kit/story-rails.ts";
import { openPaid, type PaidStory } from "../../kit/story-uma-paid.ts";
import { createTestDatabase, type TestDatabase } from "../../kit/test-database.ts";
import { startTestServer, TEST_MASTER_KEY, type TestServer } from "../../kit/test-server.ts";

let before: PaidStory;
let backup: TestDatabase;
beforeAll(async () => {
  before = await openPaid();
});
afterAll(async () => {
  await before.closeOthers();
  await before.server.database.drop();
  await backup?.drop();
});

const serverOn = (database: TestDatabase) =>
  startTestServer({ settings: before.settings, beside: { database } as TestServer });
const bare = (id: string) => id.split(":")[1] ?? "";

it("credits what the backup knows once, and gives the rest to a person", async () => {
  const known = await before.pay();
  const unpaid = await before.pay();
  const { database } = before.server;
  await before.server.app.close();
  backup = await createTestDatabase(database.name);

  // After the backup one of them is paid, and so is one that the backup does not have.
  const lost = await before.on(await serverOn(database));
  const forgotten = await lost.pay({ amount: 700 });
  const owed = BigInt(before.invoiceOf(known.transactionId).amount);
  const unknown = BigInt(lost.invoiceOf(forgotten.transactionId).amount);
  await lost.tell(known.transactionId, owed, "E-1");
  await lost.tell(forgotten.transactionId, unknown, "E-2");
  expect(await balanceOf(lost.bank, before.accountId)).toBe(1_700);
  await lost.server.app.close();

  const printed = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    const config = readConfig({ DATABASE_URL: backup.url, MASTER_KEY: TEST_MASTER_KEY });
    await pauseRestoredRailsFromShell(config, { platform: before.bank.platformId });
    expect(printed.mock.calls.map(String).join("")).toContain("paused  RailConnection:");
  } finally {
    printed.mockRestore();
  }
  const restored = await before.on(await serverOn(backup));
  const { bank } = restored;
  try {
    expect((await bank.call("GET", `/transactions/${forgotten.transactionId}`)).status).toBe(404);
    // It is told again by a connector that had no answer.
    for (const _ of [1, 2]) {
      await restored.tell(forgotten.transactionId, unknown, "E-2");
      await restored.tell(known.transactionId, owed, "E-1");
      await bank.settle();
    }
    expect((await transactionOf(bank, known.transactionId)).status).toBe("COMPLETED");
    expect((await transactionOf(bank, unpaid.transactionId)).status).toBe("PENDING");
    expect(await balanceOf(bank, before.accountId)).toBe(1_000);
    const items = (await bank.call("GET", "/rails/items")).json.data;
    expect(items).toMatchObject([{ reason: "UNREFERENCED", state: "OPEN" }]);
    const entry = expectStatus(200, await bank.call("GET", `/rails/entries/${items[0].entryId}`));
    // By it the connector says what the invoice was: `GET /invoices/{id}`.
    expect(entry.json).toMatchObject({
      invoiceId: `UmaInvoice:${bare(forgotten.transactionId)}`,
      bankReference: "E-2",
      bookedAs: "SUSPENSE",
    });
    const [{ id, status }] = (await bank.call("GET", "/rails/connections")).json.data;
    expect(status).toBe("PAUSED");
    expect(await booksOf(bank, id)).toMatchObject({
      clearing: -Number(owed + unknown),
      suspense: Number(unknown),
    });
    // While it is paused, no invoice is made.
    await expect(restored.lookUp()).rejects.toThrow("USER_NOT_FOUND");
    expectStatus(200, await bank.call("POST", `/rails/connections/${id}/resume`));
    await restored.server.checkBooks();
  } finally {
    await restored.server.app.close();
  }
});

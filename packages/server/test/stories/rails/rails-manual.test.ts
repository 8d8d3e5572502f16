/** The queue that people work off: marks, one by one and many at once. */
import { beforeEach, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type Story } from "../../kit/story.ts";
import {
  activeConnection,
  balanceOf,
  expectStatus,
  manualConnection,
  type Payer,
  payerOf,
  paymentOf,
  routeTo,
  transactionOf,
} from "../../kit/story-rails.ts";

const server = await sharedServer();
let story: Story;
let payer: Payer;
let connectionId: string;
beforeEach(async () => {
  story = await openStory(server, { environment: "PRODUCTION" });
  payer = await payerOf(story, 10_000);
  connectionId = await activeConnection(story, manualConnection());
  await routeTo(story, connectionId);
});

async function queued(amount = 100) {
  const id = expectStatus(201, await payer.pay(amount)).json.id as string;
  return { id, orderId: (await paymentOf(story, id)).id as string };
}

const mark = (orderId: string, body: unknown, key?: string) =>
  story.call("POST", `/rails/payments/${orderId}/mark`, body, key === undefined ? {} : { key });
const markAll = (marks: readonly unknown[]) => story.call("POST", "/rails/marks", { marks });

it("stands in the queue until people have marked it", async () => {
  const { id, orderId } = await queued();
  await story.settle();
  const queue = await story.call(
    "GET",
    `/rails/payments?connectionId=${connectionId}&state=QUEUED`,
  );
  expect(queue.json.data.map(({ id: one }: { readonly id: string }) => one)).toEqual([orderId]);
  const sent = await mark(orderId, { outcome: "SENT", reference: "WIRE-1" });
  expect(sent.json).toMatchObject({ state: "SENT", bankReference: "WIRE-1" });
  expect((await transactionOf(story, id)).status).toBe("PROCESSING");
  const settled = await mark(orderId, { outcome: "SETTLED", valueDate: "2026-11-24" });
  expect(settled.json).toMatchObject({ state: "SETTLED", settledOn: "2026-11-24" });
  expect((await transactionOf(story, id)).status).toBe("COMPLETED");
  expect(settled.json.history.map(({ by }: { readonly by: string }) => by.split(" ")[0])).toEqual([
    "token",
    "token",
    "token",
  ]);
});

it("is read as a file with whole account numbers, oldest first", async () => {
  const first = await queued(1_234);
  const second = await queued(7);
  const done = await queued(9);
  await mark(done.orderId, { outcome: "SENT" });
  const file = await story.call("GET", `/rails/connections/${connectionId}/queue.csv`);
  expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const lines = file.text.trimEnd().split("\r\n");
  expect(lines[0]).toMatch(/^id,createdAt,direction,paymentRail,currency,amount,name,/);
  expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual([first.orderId, second.orderId]);
  expect(lines[1]).toContain(",OUT,ACH,USD,12.34,Ana Ruiz,USD_ACCOUNT,");
  expect(lines[1]).toMatch(/accountNumber \d{9,}; routingNumber 021000021/);
  expect(lines[2]).toContain(",USD,0.07,");
  const other = await openStory(server, { environment: "PRODUCTION" });
  const foreign = await other.call("GET", `/rails/connections/${connectionId}/queue.csv`);
  expect(foreign.status).toBe(404);
});

it("is a file in which no cell is a formula", async () => {
  const formulas = ["=HYPERLINK(1)", "+1-1", "-2+3", "@SUM(A1)"];
  for (const text of formulas) {
    const payee = await story.call("POST", "/platform/external-accounts", {
      currency: "USD",
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber: `12345678${formulas.indexOf(text)}`,
        routingNumber: "021000021",
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: text },
      },
    });
    const destination = { accountId: expectStatus(201, payee).json.id };
    expectStatus(201, await payer.pay(10, { destination, remittanceInformation: text }));
  }
  const { text } = await story.call("GET", `/rails/connections/${connectionId}/queue.csv`);
  const cells = text.split(/[,\r\n]+/);
  for (const formula of formulas) {
    expect(cells.filter((cell) => cell === `'${formula}`)).toHaveLength(2);
  }
  expect(cells.filter((cell) => /^"?[=+\-@\t]/.test(cell))).toEqual([]);
});

it("may be settled, declined or returned by a mark; a repeated mark changes nothing", async () => {
  const declined = await queued(300);
  const before = await balanceOf(story, payer.accountId);
  const body = { outcome: "DECLINED", reason: { code: "AC04", text: "closed" } };
  await mark(declined.orderId, body);
  expect(await balanceOf(story, payer.accountId)).toBe(before + 300);
  expect(await transactionOf(story, declined.id)).toMatchObject({
    failureReason: "ACCOUNT_INVALID",
    failure: { rail: { scheme: "MANUAL", code: "AC04", text: "closed" } },
  });
  const again = await mark(declined.orderId, body);
  expect([again.status, again.json.history.length]).toEqual([200, 2]);

  const returned = await queued(300);
  await mark(returned.orderId, { outcome: "SETTLED" });
  await mark(returned.orderId, { outcome: "RETURNED" });
  expect((await transactionOf(story, returned.id)).failureReason).toBe("PAYOUT_RETURNED");
  expect(await balanceOf(story, payer.accountId)).toBe(before + 300);
});

it("takes no mark that contradicts another one", async () => {
  const { orderId } = await queued();
  await mark(orderId, { outcome: "SETTLED" });
  for (const outcome of ["SENT", "DECLINED"]) {
    const refused = await mark(orderId, { outcome });
    expect([refused.status, refused.json.details]).toEqual([
      409,
      { field: "outcome", status: "SETTLED" },
    ]);
  }
  const unknown = await mark("RailPayment:019a4f00-0000-7000-8000-000000000023", {
    outcome: "SENT",
  });
  expect(unknown.status).toBe(404);
  expect((await mark(orderId, { outcome: "DONE", valueDate: "today" })).status).toBe(400);
});

it("takes many marks at once, all or none", async () => {
  const orders: string[] = [];
  for (let index = 0; index < 12; index++) orders.push((await queued(10)).orderId);
  const [first = "", second = ""] = orders;
  await mark(first, { outcome: "DECLINED" });
  const marks = orders.map((paymentId) => ({ paymentId, outcome: "SETTLED" }));
  const refused = await markAll(marks);
  expect([refused.status, refused.json.details.field]).toEqual([409, "marks[0].outcome"]);
  const { json } = await story.call("GET", `/rails/payments/${second}`);
  expect(json.state).toBe("QUEUED");
  const taken = await markAll(marks.slice(1));
  expect(taken.json.data.map(({ state }: { readonly state: string }) => state)).toEqual(
    Array(11).fill("SETTLED"),
  );
  const twice = await markAll([marks[1], marks[1]]);
  expect([twice.status, twice.json.details.errors[0].field]).toEqual([400, "marks[1].paymentId"]);
  const other = await openStory(server, { environment: "PRODUCTION" });
  const foreign = await other.call("POST", "/rails/marks", { marks: [marks[1]] });
  expect([foreign.status, foreign.json.details.field]).toEqual([404, "marks[0].paymentId"]);
  expect((await markAll([])).status).toBe(400);
  expect((await markAll(Array(501).fill(marks[1]))).status).toBe(400);
});

it("a mark under a key is answered again with the same bytes", async () => {
  const { orderId } = await queued();
  const first = await mark(orderId, { outcome: "SENT" }, "mark-1");
  await mark(orderId, { outcome: "SETTLED" });
  const again = await mark(orderId, { outcome: "SENT" }, "mark-1");
  expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
});

it("a recall of a payment that was sent stands beside it, for the people", async () => {
  const { orderId } = await queued();
  await mark(orderId, { outcome: "SENT" });
  const body = { reason: "DUPLICATE", note: "paid by hand" };
  const recalled = await story.call("POST", `/rails/payments/${orderId}/recall`, body);
  expect(recalled.json).toMatchObject({ state: "SENT", recall: { state: "REQUESTED", ...body } });
  expect((await story.call("POST", `/rails/payments/${orderId}/recall`, body)).status).toBe(409);
  const file = await story.call("GET", `/rails/connections/${connectionId}/queue.csv`);
  expect(file.text.trimEnd().split("\r\n")[1]).toMatch(new RegExp(`^${orderId},.*,DUPLICATE$`));
  const list = await story.call("GET", "/rails/payments?recall=REQUESTED");
  expect(list.json.data.map(({ id }: { readonly id: string }) => id)).toEqual([orderId]);
  expect((await mark(orderId, { outcome: "DECLINED" })).json).toMatchObject({
    state: "DECLINED",
    recall: { state: "DONE" },
  });
  expect((await story.call("GET", "/rails/payments?recall=REQUESTED")).json.data).toEqual([]);
});

it("a recall that the bank refuses is marked, and leaves the payment as it is", async () => {
  const { id, orderId } = await queued();
  await mark(orderId, { outcome: "SENT" });
  const early = await mark(orderId, { outcome: "RECALL_REFUSED" });
  expect([early.status, early.json.code, early.json.details]).toEqual([
    409,
    "CONFLICT",
    { field: "outcome" },
  ]);
  await story.call("POST", `/rails/payments/${orderId}/recall`, { reason: "FRAUD" });
  const refused = await mark(orderId, { outcome: "RECALL_REFUSED", reason: { code: "LEGL" } });
  expect(expectStatus(200, refused).json).toMatchObject({
    state: "SENT",
    recall: { state: "REFUSED", reason: "FRAUD" },
  });
  expect((await mark(orderId, { outcome: "RECALL_REFUSED" })).status).toBe(409);
  await mark(orderId, { outcome: "SETTLED" });
  expect((await transactionOf(story, id)).status).toBe("COMPLETED");
});

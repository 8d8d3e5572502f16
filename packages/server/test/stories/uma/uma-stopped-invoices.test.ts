/** Open invoices of an account that takes no money any more, and of a connection that is to be archived; a pay request amid that. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { foundAfter } from "../../kit/reconciled.ts";
import { balanceOf, expectStatus, transactionOf } from "../../kit/story-rails.ts";
import { openPaid, type PaidStory } from "../../kit/story-uma-paid.ts";

let at: PaidStory;
let customerId: string;
const asked: string[] = [];
beforeAll(async () => {
  at = await openPaid();
  ({ customerId } = (await at.bank.call("GET", `/internal-accounts/${at.accountId}`)).json);
  const before = at.connector.reply;
  const ended = new Set<string>();
  at.connector.reply = (call) => {
    const [, id = "", act = ""] = /^\/invoices\/([0-9a-f-]{36})(\/cancel)?$/.exec(call.path) ?? [];
    if (id === "" || call.method === "PUT") return before?.(call);
    asked.push(`${call.method}${act} ${id}`);
    if (act !== "") ended.add(id);
    const status = ended.has(id) ? "cancelled" : "open";
    const { expiresAt } = at.invoices.get(id);
    return { status: 200, body: { status, invoice: "x", expiresAt, entries: [] } };
  };
});
afterAll(() => at.close());

const freeze = (path: string, scope: string) =>
  at.bank.call("POST", `${path}/freeze`, { scope, reason: "LEGAL_ORDER" });

it.each([
  ["customer", () => `/customers/${customerId}`],
  ["account", () => `/internal-accounts/${at.accountId}`],
] as const)("a freeze of the %s cancels the invoice at its connector", async (_what, path) => {
  const { transactionId } = await at.pay();
  expectStatus(200, await freeze(path(), "DEBITS"));
  await at.bank.settle();
  expect((await transactionOf(at.bank, transactionId)).status).toBe("PENDING");
  const had = await balanceOf(at.bank, at.accountId);
  asked.length = 0;
  expectStatus(200, await freeze(path(), "ALL"));
  await at.bank.settle();
  const id = transactionId.split(":")[1];
  // It is asked again when another server looks at the invoice in between.
  expect([...new Set(asked)]).toEqual([`GET ${id}`, `POST/cancel ${id}`]);
  expect(await transactionOf(at.bank, transactionId)).toMatchObject({
    status: "FAILED",
    failureReason: "OFFRAMP_FAILED",
  });
  // Paid all the same: a person decides.
  await at.tell(transactionId, BigInt(at.invoiceOf(transactionId).amount));
  const { data } = (await at.bank.call("GET", "/rails/items?state=OPEN&limit=100")).json;
  expect(data.at(-1).reason).toBe("INVOICE_CLOSED");
  expect(await balanceOf(at.bank, at.accountId)).toBe(had);
  expectStatus(200, await at.bank.call("POST", `${path()}/unfreeze`));
});

const connectionId = async (): Promise<string> => {
  const { data } = (await at.bank.call("GET", "/rails/connections")).json;
  return data.find(({ status }: { readonly status: string }) => status !== "ARCHIVED").id;
};
async function deleteRoutes(): Promise<void> {
  const routes = (await at.bank.call("GET", "/rails/routes")).json.data;
  for (const { id } of routes) {
    const deleted = await at.bank.call("DELETE", `/rails/routes/${id}`);
    expectStatus(204, deleted);
  }
}

it("a connection is not archived while an invoice of it is open", async () => {
  const { transactionId } = await at.pay();
  await deleteRoutes();
  const id = await connectionId();
  const refused = await at.bank.call("DELETE", `/rails/connections/${id}`);
  expect([refused.status, refused.json.code]).toEqual([409, "CONFLICT"]);
  expect(refused.json.details.blockers).toMatchObject({ invoices: 1 });
  const archived =
    "update rail_connections set status = 'ARCHIVED', signing_secret_sealed = null, callback_secret_sealed = null";
  const found = await foundAfter({ server: at.server, story: at.bank }, archived);
  expect(found.join("\n")).toContain("it is OPEN and its connection is archived");
  await at.tell(transactionId, BigInt(at.invoiceOf(transactionId).amount));
  const { blockers } = (await at.bank.call("DELETE", `/rails/connections/${id}`)).json.details;
  expect(blockers.invoices).toBeUndefined();
});

it("a pay request that has read a route makes no invoice once the route is deleted", async () => {
  const route = { name: "invoices", direction: "INVOICE", currency: "MSAT" };
  const body = { ...route, connectionId: await connectionId() };
  expectStatus(201, await at.bank.call("POST", "/rails/routes", body));
  const count = async () => (await at.bank.call("GET", "/transactions?limit=1")).json.totalCount;
  const now = Date.now();
  // While the time stands, the server does not read the routes again.
  const clock = vi.spyOn(Date, "now").mockReturnValue(now);
  try {
    expect((await at.pay()).status).toBe(200);
    const { callback } = await at.lookUp();
    const request = await at.payRequest();
    const before = [await count(), at.invoices.size];
    await deleteRoutes();
    const answer = await at.post(callback, request.toJsonString());
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([424, "PAYREQ_REQUEST_FAILED"]);
    expect([await count(), at.invoices.size]).toEqual(before);
  } finally {
    clock.mockRestore();
  }
});

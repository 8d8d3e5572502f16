/** Events of payment rails. Those about the exchanges with a connector need a connector that fails, which a sandbox does not have. */
import { asObject } from "../json.ts";
import type { Recipe } from "./recipes.ts";
import { makeBank, makeParty, type Sandbox, textOf } from "./sandbox.ts";

/** No other recipe pays by it. */
const RAIL = "FEDNOW";

/** A payment in the queue of people, of whom one reports that the bank takes it for a duplicate. */
async function conflict(sandbox: Sandbox): Promise<string> {
  const connection = await sandbox.call("POST", "/rails/connections", {
    name: `florin trigger ${sandbox.digits()}`,
    kind: "MANUAL",
    currencies: ["USD"],
    account: { holderName: "florin trigger", label: "queue" },
    settings: { accountTypes: ["USD_ACCOUNT"], paymentRails: [RAIL] },
  });
  const connectionId = textOf(connection, "id");
  await sandbox.call("POST", `/rails/connections/${connectionId}/activate`);
  const route = { name: "florin trigger", direction: "OUT", currency: "USD", connectionId };
  await sandbox.call("POST", "/rails/routes", { ...route, paymentRails: [RAIL] });
  const { customerId, accountId } = await makeParty(sandbox);
  const paid = await sandbox.call("POST", "/transfer-out", {
    source: { accountId },
    destination: { accountId: await makeBank(sandbox, customerId), paymentRail: RAIL },
    amount: sandbox.settings.amount,
  });
  const path = `/rails/payments?transactionId=${textOf(paid, "id")}`;
  const { data } = await sandbox.call("GET", path);
  const [order] = Array.isArray(data) ? data : [];
  const orderId = textOf(asObject(order), "id");
  const mark = { outcome: "DECLINED", reason: { code: "AM05", text: "duplicate" } };
  await sandbox.call("POST", `/rails/payments/${orderId}/mark`, mark);
  return orderId;
}

export const railRecipes: readonly Recipe[] = [
  { type: "RAIL_PAYMENT.CONFLICT", does: "a mark that says duplicate", run: conflict },
  { type: "RAIL_PAYMENT.UNKNOWN", does: "a connector that does not report (docs/rails.md)" },
  { type: "RAIL_CONNECTION.DEGRADED", does: "a connector that does not answer (docs/rails.md)" },
  { type: "RAIL_CONNECTION.RECOVERED", does: "a connector that answers again (docs/rails.md)" },
];

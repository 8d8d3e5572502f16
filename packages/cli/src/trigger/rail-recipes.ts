/** Events of payment rails. Those of a connector come of a connector that does not answer, which a sandbox cannot bring about. */
import { UsageError } from "../failures.ts";
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

function ofConnector(type: string, does: string): Recipe {
  return {
    type,
    does,
    isOutside: true,
    run: async () => {
      throw new UsageError(`${type} comes of ${does}; docs/rails.md attaches one`);
    },
  };
}

export const railRecipes: readonly Recipe[] = [
  { type: "RAIL_PAYMENT.CONFLICT", does: "a mark that says duplicate", run: conflict },
  ofConnector("RAIL_PAYMENT.UNKNOWN", "a connector that does not report"),
  ofConnector("RAIL_CONNECTION.DEGRADED", "a connector that does not answer"),
  ofConnector("RAIL_CONNECTION.RECOVERED", "a connector that answers again"),
];

/** Agents that pay for customers: some on their own, some only after the platform has approved. */
import { asObject } from "../json.ts";
import { textOf } from "../trigger/sandbox.ts";
import { type Calls, forEach } from "./calls.ts";
import type { Customer, Payee } from "./customers.ts";

export interface Worker {
  /** Its access token. */
  readonly token: string;
  readonly customer: Customer;
  readonly payee: Payee;
}

const NAMES = ["Bill payer", "Supplier desk", "Travel buyer", "Payroll helper", "Ad spender"];

/** One for each of the first customers that have a payee in dollars. */
export async function makeWorkers(
  calls: Calls,
  customers: readonly Customer[],
  { count, isAsking }: { readonly count: number; readonly isAsking: boolean },
): Promise<readonly Worker[]> {
  const made: Worker[] = [];
  await forEach(customers.slice(0, count), async (customer, nth) => {
    const payee = customer.payees.find(({ isPullable }) => isPullable);
    if (payee === undefined) return;
    const agent = await calls.post("/agents", {
      name: `${NAMES[nth % NAMES.length]} of ${customer.name}`.slice(0, 255),
      customerId: customer.id,
      policy: {
        permissions: ["VIEW_TRANSACTIONS", "CREATE_TRANSFERS"],
        defaultExecutionMode: isAsking ? "APPROVAL_REQUIRED" : "AUTO",
        spendingLimits: { currency: "USD", perTransactionLimit: 100_000 },
      },
    });
    const code = textOf(asObject(agent.deviceCode), "code");
    const path = `/agents/device-codes/${encodeURIComponent(code)}/redeem`;
    made.push({ token: textOf(await calls.post(path), "accessToken"), customer, payee });
  });
  return made;
}

import type { Command } from "../../engine/command.ts";
import { internalAccountsOfCustomer } from "../accounts/internal/internal-account.ts";
import { scheduleJob } from "../job-kinds.ts";
import { platforms } from "../platform.ts";
import { customers } from "./customer.ts";
import { inferredCurrencies, openMissingAccounts } from "./customer-currencies.ts";

export interface ExtendCurrenciesInput {
  readonly jobId: string;
  /** A page of customers, by id. */
  readonly customerIds: readonly string[];
  /** Whether another page follows. */
  readonly hasMore: boolean;
}

/**
 * Adds the currencies that the platform supports now, with their accounts, to customers without a choice of currencies. The next job
 * takes the next page. Customers that have the currencies already are skipped. The job's runner ensures that a job which runs twice
 * does not schedule two next jobs.
 */
export const extendCurrencies: Command<ExtendCurrenciesInput, void> = {
  name: "extend-currencies",
  needs: (world, { customerIds }) => [
    platforms.ref(world.platformId),
    ...customerIds.flatMap((id) => [customers.ref(id), internalAccountsOfCustomer.of(id)]),
  ],
  decide(world, { jobId, customerIds, hasMore }) {
    const platform = world.get(platforms.ref(world.platformId));
    world.cancel(jobId);
    for (const id of customerIds) {
      const customer = world.get(customers.ref(id));
      if (customer.deletedAt !== null || !customer.infersCurrencies) continue;
      const currencies = inferredCurrencies(platform, customer);
      if (currencies.length === customer.currencies.length) continue;
      openMissingAccounts(
        world,
        world.put(customers, { ...customer, currencies, updatedAt: world.at }),
      );
    }
    if (!hasMore) return;
    const after = customerIds.at(-1) ?? null;
    scheduleJob(world, { kind: "extend-customer-currencies", payload: { after }, dueAt: world.at });
  },
};

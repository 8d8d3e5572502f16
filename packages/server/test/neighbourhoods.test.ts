/** The grid: each feature is found by its layer and its neighbourhood, and the neighbourhoods of the domain have an order. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const domain = join(root, "packages/server/src/domain");

/** From the ground up: a neighbourhood of the domain imports itself and earlier ones, types included. */
const NEIGHBOURHOODS = [
  "platforms",
  "accounts",
  "customers",
  "wallets",
  "prices",
  "payments",
  "uma",
  "rails",
  "agents",
  "people",
  "events",
  "reading",
];

/** The folders that are divided into neighbourhoods, and what they have besides, for all of them. */
const GRID: Readonly<Record<string, readonly string[]>> = {
  "packages/server/src/domain": [],
  "packages/server/src/http/operations": [],
  "packages/server/src/http/console/operations": [],
  "packages/server/src/wire": [],
  "packages/server/src/jobs": ["failures", "files", "sweeps"],
  "packages/server/src/outside": ["mail", "outbound-http"],
  "packages/server/test/stories": [],
  "packages/console/src/pages": [],
};

it.each(Object.entries(GRID))("%s has neighbourhoods and nothing else", (folder, shared) => {
  const found = readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !shared.includes(entry.name))
    .map(({ name }) => name);
  expect(found.filter((name) => !NEIGHBOURHOODS.includes(name))).toEqual([]);
  expect(found.length).toBeGreaterThan(4);
});

/** Imports back up that are still there. The list may only shrink. */
const BACK_UP: readonly string[] = [
  "accounts/external/create-external-account.ts -> customers/customer.ts",
  "accounts/freezes/freeze-customer.ts -> customers/beneficial-owners/beneficial-owner.ts",
  "accounts/freezes/freeze-customer.ts -> customers/customer-subject.ts",
  "accounts/freezes/freeze-customer.ts -> customers/customer.ts",
  "accounts/freezes/freeze-customer.ts -> events/subjects.ts",
  "accounts/statements/statement.sql.ts -> reading/ledger/entries.sql.ts",
  "agents/actions/approve-action.ts -> people/lineage/lineage.ts",
  "customers/create-customer.ts -> events/subjects.ts",
  "customers/customer-subject.ts -> events/event-catalogue.ts",
  "customers/customer-subject.ts -> events/subjects.ts",
  "customers/customer.sql.ts -> events/subjects.ts",
  "customers/delete-customer.ts -> events/subjects.ts",
  "customers/delete-customer.ts -> payments/transactions/transaction.ts",
  "customers/update-customer.ts -> events/subjects.ts",
  "customers/verification/take-verification.ts -> people/person.ts",
  "customers/verification/verification.ts -> events/event-catalogue.ts",
  "customers/verification/verification.ts -> events/subjects.ts",
  "events/subjects.ts -> reading/proofs/checkpoint.ts",
  "payments/adjustments/post-adjustment.ts -> people/approvals/approval-kinds.ts",
  "payments/adjustments/post-adjustment.ts -> people/approvals/approval-policy.ts",
  "payments/adjustments/post-adjustment.ts -> people/approvals/approval.ts",
  "payments/adjustments/post-adjustment.ts -> people/approvals/payment-orders.ts",
  "payments/quotes/create-quote.ts -> rails/funding/funding-address.ts",
  "payments/quotes/create-quote.ts -> rails/funding/funding-plan.ts",
  "payments/quotes/execution.ts -> rails/orders/new-rail-payment.ts",
  "payments/quotes/execution.ts -> rails/orders/rail-payment.ts",
  "payments/quotes/execution.ts -> rails/routes/no-rail.ts",
  "payments/quotes/execution.ts -> rails/routes/routing.ts",
  "payments/quotes/funding/conclude-refund.ts -> rails/entries/rail-item.ts",
  "payments/quotes/funding/conclude-refund.ts -> rails/orders/rail-payment.ts",
  "payments/quotes/funding/give-back.ts -> rails/connections/rail-connection.ts",
  "payments/quotes/funding/give-back.ts -> rails/entries/rail-entry.ts",
  "payments/quotes/funding/give-back.ts -> rails/entries/rail-item.ts",
  "payments/quotes/funding/give-back.ts -> rails/entries/return-item.ts",
  "payments/quotes/funding/give-back.ts -> rails/orders/back-order.ts",
  "payments/quotes/funding/give-back.ts -> rails/orders/rail-payment.ts",
  "payments/quotes/funding/give-back.ts -> rails/routes/routing.ts",
  "payments/quotes/funding/quote-addresses.ts -> rails/connections/funding-settings.ts",
  "payments/quotes/funding/quote-addresses.ts -> rails/funding/funding-address.ts",
  "payments/quotes/funding/quote-addresses.ts -> rails/funding/funding-plan.ts",
  "payments/quotes/funding/quote-addresses.ts -> rails/routes/routing.ts",
  "payments/quotes/funding/take-funding.ts -> rails/connections/rail-connection.ts",
  "payments/quotes/funding/take-funding.ts -> rails/entries/rail-entry.ts",
  "payments/quotes/funding/take-funding.ts -> rails/entries/rail-item.ts",
  "payments/quotes/market/market-quote.ts -> rails/connections/rail-connection.ts",
  "payments/quotes/market/market-quote.ts -> rails/routes/no-rail.ts",
  "payments/quotes/market/market-quote.ts -> rails/routes/routing.ts",
  "payments/quotes/market/return-price.ts -> rails/entries/rail-item.ts",
  "payments/quotes/quote-parties.ts -> uma/receiver.ts",
  "payments/transactions/timeline.sql.ts -> events/delivery-log/delivery-list.sql.ts",
  "payments/transactions/timeline.sql.ts -> events/delivery-log/delivery-state.sql.ts",
  "payments/transactions/timeline.sql.ts -> uma/payment-approval.ts",
  "payments/transfers/new-transfer.ts -> rails/orders/expected-settlement.ts",
  "payments/transfers/new-transfer.ts -> rails/orders/new-rail-payment.ts",
  "payments/transfers/new-transfer.ts -> rails/routes/routing.ts",
  "payments/transfers/transfer-rules.ts -> rails/orders/rail-payment.ts",
  "payments/transfers/transfer-rules.ts -> rails/routes/no-rail.ts",
  "payments/transfers/transfer-rules.ts -> rails/routes/routing.ts",
  "people/audit-entries/audit-entry.sql.ts -> reading/ledger/entries.sql.ts",
  "platforms/create-platform.ts -> accounts/internal/open-account.ts",
  "platforms/create-platform.ts -> people/tokens/token.ts",
  "platforms/rotate-webhook-key.ts -> events/rotate-endpoint-key.ts",
  "platforms/sandbox/counterparties.ts -> customers/customer-info.ts",
  "platforms/sandbox/counterparties.ts -> payments/transactions/failure.ts",
  "platforms/sandbox/fund-internal-account.ts -> accounts/freezes/freeze.ts",
  "platforms/sandbox/fund-internal-account.ts -> accounts/internal/internal-account.ts",
  "platforms/sandbox/fund-internal-account.ts -> customers/customer.ts",
  "platforms/sandbox/fund-internal-account.ts -> payments/transactions/delivery.ts",
  "platforms/sandbox/fund-internal-account.ts -> payments/transactions/transaction.ts",
  "platforms/sandbox/kyc-outcomes.ts -> customers/customer.ts",
  "platforms/sandbox/receive-uma-payment.ts -> payments/transactions/transaction.ts",
  "platforms/sandbox/receive-uma-payment.ts -> uma/announce-payment.ts",
  "platforms/system/operators-queue.sql.ts -> customers/verification/verification-queue.sql.ts",
  "platforms/system/tenants.sql.ts -> events/stream.sql.ts",
  "platforms/system/tenants.sql.ts -> people/workspaces/workspace.ts",
  "platforms/uma-domain.ts -> customers/uma-address.ts",
  "platforms/update-config.ts -> accounts/internal/internal-account.ts",
  "platforms/update-config.ts -> accounts/internal/open-account.ts",
  "platforms/update-config.ts -> customers/documents/document.ts",
  "prices/fx-positions/adjust-fx-positions.ts -> rails/connections/rail-connection.ts",
  "prices/fx-positions/adjust-fx-positions.ts -> rails/marks/rail-mark.ts",
  "prices/rates/market-list.ts -> payments/transactions/delivery.ts",
  "prices/rates/market-list.ts -> rails/routes/routing.ts",
  "rails/connections/importers.ts -> people/tokens/token.ts",
];

interface Import {
  readonly path: string;
  readonly from: string;
}

function importsOf(path: string): readonly Import[] {
  const text = readFileSync(path, "utf8");
  const found = text.matchAll(/^(?:import|export)\s[^;]*?from\s+"(\.[^"]+)"/gms);
  return [...found].map((match) => ({
    path: relative(domain, path),
    from: relative(domain, normalize(join(dirname(path), match[1] ?? ""))),
  }));
}

/** Files at the top of the domain are words that every neighbourhood uses. */
function neighbourhoodOf(path: string): string | undefined {
  const [folder = "", ...rest] = path.split("/");
  return rest.length === 0 || folder === ".." ? undefined : folder;
}

const levelOf = (path: string) => NEIGHBOURHOODS.indexOf(neighbourhoodOf(path) ?? "");

it("the domain goes down its neighbourhoods", () => {
  const files = readdirSync(domain, { withFileTypes: true, recursive: true })
    .filter(({ name }) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name));
  const imports = files.flatMap(importsOf).filter(({ path }) => levelOf(path) >= 0);
  const up = imports
    .filter(({ path, from }) => levelOf(from) > levelOf(path))
    .map(({ path, from }) => `${path} -> ${from}`);
  expect(imports.length).toBeGreaterThan(1_000);
  expect(up.toSorted()).toEqual(BACK_UP.toSorted());
});

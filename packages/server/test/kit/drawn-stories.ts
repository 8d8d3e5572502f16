/**
 * Stories whose rules other tests hold in each run, so that `npm test` makes every eighth of them, beginning with TEST_SAMPLE modulo 8.
 * `npm run test:full`, and a run of a file by its name, make them all.
 *
 * A story belongs here when what it shows over HTTP is decided by functions that have tables of their own cases, or is shown by another story
 * too. Those tests stand beside its name; sample.test.ts checks that they exist and run each time. A story that is the only test of a rule does
 * not belong here.
 */
const ofDomain = (...files: readonly string[]) => files.map((file) => `src/domain/${file}`);
const ofStories = (...files: readonly string[]) => files.map((file) => `test/stories/${file}`);

/** By story: the tests that hold its rules. */
export const drawnStories: Readonly<Record<string, readonly string[]>> = {
  "accounts/additional-accounts": ofDomain("accounts/internal/additional-accounts"),
  "accounts/balance-alerts": ofDomain(
    "accounts/alerts/alert-commands",
    "accounts/alerts/balance-alert",
  ),
  "accounts/external-accounts": [
    ...ofDomain("accounts/external/account-info", "accounts/external/account-fields"),
    ...ofDomain("accounts/external/create-external-account", "accounts/external/account-types"),
    ...ofStories("accounts/external-accounts-faults"),
  ],
  "accounts/freezes": [
    ...ofDomain("accounts/freezes/freeze", "customers/freeze-customer"),
    ...ofDomain("payments/transfers/transfer-refusals"),
  ],
  "accounts/statement-zones": ofDomain("accounts/statements/statement"),
  "agents/agent-actions": [
    ...ofDomain("agents/actions/submit-action", "agents/actions/judge-action"),
    ...ofDomain("agents/actions/follow-payment"),
    ...ofStories("matrix-isolation"),
  ],
  "agents/agent-approvals": ofDomain("agents/actions/judge-action", "agents/actions/submit-action"),
  "agents/agent-payees-sides": ofDomain("agents/actions/judge-sides"),
  "agents/agent-policies": ofDomain("agents/widened-policy", "agents/agent-limits"),
  "agents/agent-policy-preview": ofDomain("agents/preview/compare-policies"),
  "agents/agent-quotes": ofDomain("agents/create-agent-quote", "agents/actions/judge-action"),
  "customers/beneficial-owners": ofDomain(
    "customers/beneficial-owners/create-beneficial-owner",
    "customers/beneficial-owners/update-beneficial-owner",
  ),
  "customers/bulk-customers": ofDomain(
    "customers/bulk-jobs/bulk-job",
    "customers/bulk-jobs/ways-of-a-bulk-job",
  ),
  "customers/documents": ofDomain(
    "customers/documents/document-rules-of-holders",
    "customers/documents/document-use",
  ),
  "customers/verification-decisions": ofDomain(
    "customers/verification/decide-verification",
    "customers/verification/take-verification",
  ),
  "customers/verifications": ofDomain(
    "customers/verification/verification",
    "customers/verification/requirements",
    "customers/verification/submit-verification",
  ),
  "events/event-resends": [...ofDomain("events/resends/resends"), "src/webhooks/resends/resends"],
  "events/webhook-endpoints": ofDomain("events/webhook-endpoint"),
  "payments/all-or-nothing-drawn": ofStories("payments/payment-batches"),
  "payments/book-transfers": [
    ...ofDomain("payments/transfers/book-transfer", "payments/transfers/book-legs"),
    ...ofStories("payments/transfers-of-legs"),
  ],
  "payments/dry-runs-drawn": ofStories("payments/dry-runs"),
  "payments/histories": [...ofStories("payments/transfers-out"), "test/sim/simulation"],
  "payments/holds": [...ofDomain("payments/holds/hold-commands"), "test/sim/simulation"],
  "payments/payment-schedules": [
    ...ofDomain("payments/schedules/run-schedule", "payments/schedules/schedule-rule"),
    "test/sim/simulation",
  ],
  "payments/quotes-at-market-rates": ofDomain(
    ...["prices/rates/market-rate", "prices/rates/market-price", "prices/rates/pricing"],
    ...["payments/quotes/market/missing-parts", "payments/quotes/market/return-price"],
  ),
  "payments/quotes-executed": [
    ...ofDomain("payments/quotes/record-quote-outcome", "payments/quotes/quote-end"),
    ...ofDomain("payments/quotes/quote-postings"),
    ...ofStories("payments/quotes"),
    "test/sim/simulation",
  ],
  "payments/quotes-funded-by-rails": [
    ...ofDomain("rails/quotes/take-funding", "payments/quotes/quote-end"),
    ...ofStories("payments/quotes-funded"),
  ],
  "payments/quotes-funded-in-time": [
    ...ofDomain("rails/quotes/take-funding"),
    ...ofStories("payments/quotes-funded"),
  ],
  "payments/quotes-refused": ofDomain(
    "payments/quotes/quote-rules",
    "payments/quotes/quote-accounts",
    "payments/quotes/refuse-closed",
  ),
  "payments/quotes-taken-back": ofDomain(
    "rails/returns/return-rule",
    "rails/returns/return-amounts",
    "payments/quotes/market/return-price",
  ),
  "payments/refunds": [
    ...ofDomain("payments/transfers/refund-incoming", "payments/transactions/refund"),
    "test/sim/simulation",
  ],
  "payments/transfers-in": [
    ...ofDomain("payments/transfers/transfer-rules", "payments/transfers/record-outcomes"),
    ...ofStories("payments/transfers-out"),
  ],
  "payments/transfers-refused": ofDomain("payments/transfers/transfer-refusals"),
  "people/approvals-adjustments": ofDomain("people/approvals/post-adjustment"),
  "people/approvals-agents": ofDomain("people/approvals/loosened", "agents/widened-policy"),
  "people/approvals-guards": ofDomain("people/approvals/policies-of-approvals"),
  "people/approvals-owners": ofDomain("people/approvals/held-people", "people/changes-of-people"),
  "people/approvals-people": ofDomain("people/approvals/held-people"),
  "people/approvals-shown": ofDomain(
    "people/approvals/shown/describe",
    "people/approvals/shown/warnings",
    "people/approvals/comment-approval",
  ),
  "people/console-people": ofDomain("people/changes-of-people", "people/passkeys-and-links"),
  "people/console-sso-refused": [
    ...ofDomain("people/single-sign-on/sign-in-with-issuer"),
    "src/outside/people/oidc/oidc-tokens",
  ],
  "people/console-sso-settings": ofDomain("people/single-sign-on/change-sso"),
  "people/lineages": [...ofDomain("lineage"), "test/sim/one-human"],
  "people/tokens": ofDomain("people/tokens/tokens"),
  "prices/rate-sources": ofDomain(
    ...["prices/rate-sources/observed-rates", "prices/rate-sources/create-rate-source"],
    ...["prices/rate-sources/update-rate-source", "prices/rate-sources/note-stale-rates"],
  ),
  "rails/rails-feed": [
    ...ofDomain("rails/entries/record-rail-feed"),
    ...ofStories("rails/rails-callbacks"),
  ],
  "rails/rails-four-eyes": [
    ...ofDomain("rails/marks/decide-rail-mark", "rails/orders/mark-rail-payments"),
    ...ofStories("rails/rails-control"),
  ],
  "rails/rails-funding-histories": [
    ...ofDomain("rails/entries/named-orders", "rails/returns/return-histories"),
    ...ofStories("rails/rails-deposits"),
  ],
  "rails/rails-histories": [
    ...ofDomain("rails/returns/return-histories", "rails/orders/reports-twice"),
    ...ofStories("rails/rails-payments"),
  ],
  "rails/rails-money-back": ofDomain(
    "rails/returns/return-histories",
    "rails/entries/resolve-rail-item",
  ),
  "rails/rails-order-askers": ofDomain("rails/orders/order-asker"),
  "rails/rails-queue": [
    ...ofDomain("rails/orders/queued-payment", "rails/orders/mark-rail-payments"),
    ...ofStories("rails/rails-payments"),
  ],
  "rails/rails-quoted-references": ofDomain(
    "rails/entries/named-orders",
    "rails/returns/return-rule",
    "rails/orders/rail-report",
  ),
  "rails/rails-reconciliation": [
    ...ofDomain("rails/books/daily-reconciliation", "rails/books/rail-statement"),
    ...ofStories("rails/rails-books"),
  ],
  "rails/rails-reports-twice": ofDomain("rails/orders/reports-twice"),
  "rails/rails-resolutions": ofDomain("rails/entries/resolve-rail-item"),
  "rails/rails-returns": [
    ...ofDomain("rails/returns/return-rule", "rails/returns/return-amounts"),
    ...ofDomain("rails/returns/return-histories"),
    ...ofStories("rails/rails-returned-payouts"),
  ],
  "rails/rails-routes": ofDomain("rails/routes/routing", "rails/routes/route-commands"),
  "uma/uma-decisions": [...ofDomain("uma/decide-payment"), ...ofStories("uma/uma-incoming")],
  "uma/uma-domain-checks": ofDomain(
    "uma/domains/record-routing-check",
    "uma/domains/routing-faults",
    "uma/domains/routing-proof",
  ),
  "uma/uma-hostile": [
    "src/formats/uma/messages",
    "src/outside/uma/vasp-client",
    "src/outside/uma/fetch-key-document",
    "src/outside/uma/lookups/ask-lookup",
    "src/http/uma/lookup/lookups",
    ...ofStories("uma/uma-sdk-pays"),
  ],
  "uma/uma-pay-refused": [
    ...ofDomain("uma/outgoing/judge-offer", "uma/outgoing/price-payment"),
    "src/outside/uma/payments/read-pay-reply",
    ...ofStories("uma/uma-pay-ends"),
  ],
  "wallets/wallet-codes": [
    ...ofDomain("wallets/credentials/one-time-code"),
    ...ofStories("wallets/wallet-credentials"),
  ],
  "wallets/wallet-signed-retry": [
    ...ofDomain("wallets/signed-request", "wallets/credentials/spent-proof"),
    ...ofStories("wallets/wallet-proofs"),
  ],
};

const EVERY = 8;

/** The files, from the root of the repository, of the stories that are not of this sample. */
export function storiesLeftOut(sample: string): readonly string[] {
  const names = Object.keys(drawnStories);
  const number = sample === "all" ? undefined : Number(sample) % EVERY;
  return names
    .filter((_, index) => number !== undefined && index % EVERY !== number)
    .map((name) => `packages/server/test/stories/${name}.test.ts`);
}

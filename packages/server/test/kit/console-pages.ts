/** Every page of the console, for tests that look at all of them, and where their pictures go. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { SandboxObjects } from "./console-rows.ts";

export type PagePlace = string | ((made: SandboxObjects) => string);

/** A function where the page is that of an object. */
export const PAGES: Readonly<Record<string, PagePlace>> = {
  home: "home",
  payments: "payments",
  payment: ({ failedPaymentId }) => `payments/${failedPaymentId}`,
  customers: "customers",
  customer: ({ customerId }) => `customers/${customerId}`,
  "customer-documents": ({ businessId }) => `customers/${businessId}?view=documents`,
  "customer-owners": ({ businessId }) => `customers/${businessId}?view=owners`,
  "customer-notes": ({ customerId }) => `customers/${customerId}?view=notes`,
  verifications: "verifications",
  case: ({ verificationId }) => `verifications/${verificationId}`,
  accounts: "accounts",
  account: ({ accountId }) => `accounts/${accountId}`,
  "account-statements": ({ accountId }) => `accounts/${accountId}?view=statements`,
  "external-accounts": "external-accounts",
  "external-account": ({ externalAccountId }) => `external-accounts/${externalAccountId}`,
  schedules: "schedules",
  schedule: ({ scheduleId }) => `schedules/${scheduleId}`,
  batches: "batches",
  batch: ({ batchId }) => `batches/${batchId}`,
  "account-holds": ({ accountId }) => `accounts/${accountId}?view=holds`,
  holds: "holds",
  hold: ({ holdId }) => `holds/${holdId}`,
  quotes: "quotes",
  quote: ({ quoteId }) => `quotes/${quoteId}`,
  rates: "rates",
  approvals: "approvals",
  agents: "agents",
  agent: ({ agentId }) => `agents/${agentId}`,
  invitations: "invitations",
  invitation: ({ invitationId }) => `invitations/${invitationId}`,
  uma: "uma",
  "uma-counterparties": "uma-counterparties",
  "uma-counterparty": () => "uma-counterparties/vasp.example",
  "uma-exchanges": "uma-exchanges",
  ledger: "ledger",
  "ledger-account": ({ accountId }) =>
    `ledger/${accountId.replace("InternalAccount", "LedgerAccount")}`,
  postings: "postings",
  posting: ({ posting }) => `postings/${posting}`,
  rails: "rails",
  rail: ({ connectionId }) => `rails/${connectionId}`,
  reconciliation: ({ connectionId }) => `rails/${connectionId}?view=reconciliation`,
  "rail-queue": "rail-queue",
  "rail-payment": ({ railPaymentId }) => `rail-queue/${railPaymentId}`,
  "rail-marks": "rail-marks",
  "rail-mark": ({ railMarkId }) => `rail-marks/${railMarkId}`,
  "rail-items": "rail-items",
  "rail-reconciliation": "rail-reconciliation",
  "rail-item": ({ railItemId }) => `rail-items/${railItemId}`,
  "rail-entries": "rail-entries",
  "rail-entry": ({ railEntryId }) => `rail-entries/${railEntryId}`,
  "rail-receivables": "rail-receivables",
  "rail-receivable": ({ receivableId }) => `rail-receivables/${receivableId}`,
  webhooks: "webhooks",
  endpoint: ({ endpointId }) => `webhooks/${endpointId}`,
  deliveries: "deliveries",
  delivery: ({ deliveryId }) => `deliveries/${deliveryId}`,
  events: "events",
  event: ({ eventId }) => `events/${eventId}`,
  requests: "requests",
  request: ({ requestId }) => `requests/${requestId}`,
  "api-keys": "api-keys",
  sandbox: "sandbox",
  settings: "settings",
  team: "team",
  "team-roles": "team-roles",
  audit: "audit",
  "audit-workspace": "audit?of=workspace",
  me: "me",
  system: "system",
  "system-verifications": "system-verifications",
  "system-case": ({ operatorsCase }) => operatorsCase,
  "system-platforms": "system-platforms",
  "system-workspaces": "system-workspaces",
};

export function pagePath(place: PagePlace, made: SandboxObjects): string {
  return typeof place === "string" ? place : place(made);
}

const WIDTHS = [390, 1440] as const;
const THEMES = ["light", "dark"] as const;

export interface PageLook {
  readonly width: number;
  readonly theme: "light" | "dark";
}

export const looks: readonly PageLook[] = WIDTHS.flatMap((width) =>
  THEMES.map((theme) => ({ width, theme })),
);

/** A picture is 8 to 25 kB, small enough to be kept beside the source. A JPEG of that size is hard to read. */
const QUALITY = 25;

/** A picture, when SCREENSHOTS names a folder for them. */
export async function keep(
  page: Page,
  { state, name, width, theme }: PageLook & { readonly state: string; readonly name: string },
): Promise<void> {
  const { SCREENSHOTS: folder } = process.env;
  if (folder === undefined) return;
  const place = join(folder, state);
  await mkdir(place, { recursive: true });
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send("Page.captureScreenshot", {
    format: "webp",
    quality: QUALITY,
  });
  await devtools.detach();
  await writeFile(join(place, `${name}-${width}-${theme}.webp`), data, "base64");
}

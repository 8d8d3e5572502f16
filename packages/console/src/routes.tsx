/** The routes of the console. A page's code is fetched when the page is opened. */
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
} from "@tanstack/react-router";

import { FirstPage, NoPage, PlatformPages } from "./gates.tsx";
import { HomePage } from "./pages/reading/home/home-page.tsx";
import { later } from "./text/messages.ts";
import { Problem } from "./ui/states.tsx";

const root = createRootRoute({ component: Outlet, notFoundComponent: NoPage });

type EntryPage = "StartPage" | "InvitePage" | "ReEnrolPage" | "SignInPage";

/** The way in shows texts of the first page alone. */
function entry(path: string, name: EntryPage) {
  return createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(() => import("./pages/people/entry/entry-pages.tsx"), name),
  });
}

const platform = createRoute({
  getParentRoute: () => root,
  path: "/p/$slug",
  component: PlatformPages,
  errorComponent: ({ error, reset }) => <Problem error={error} onRetry={reset} />,
});

/** Loads a module on demand and returns one of its exports. */
function part<Module, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
): RouteComponent {
  return lazyRouteComponent((() => later(load)) as never, name as never) as RouteComponent;
}

/** A route of a list with details of its rows, or of a single page. */
function page(
  path: string,
  component: RouteComponent,
  detail?: RouteComponent,
  below = "$id",
): AnyRoute {
  const route = createRoute({ getParentRoute: () => platform, path, component });
  if (detail === undefined) return route;
  const child = createRoute({ getParentRoute: () => route, path: below, component: detail });
  return route.addChildren([child]);
}

const payments = () => import("./pages/payments/payments-page.tsx");
const payment = () => import("./pages/payments/payment-detail.tsx");
const customers = () => import("./pages/customers/customers-page.tsx");
const customer = () => import("./pages/customers/customer-detail.tsx");
const accounts = () => import("./pages/accounts/accounts-page.tsx");
const account = () => import("./pages/accounts/account-detail.tsx");
const external = () => import("./pages/accounts/external-page.tsx");
const quotes = () => import("./pages/payments/quotes/quotes-page.tsx");
const schedules = () => import("./pages/payments/schedules/schedules-page.tsx");
const holds = () => import("./pages/payments/holds/holds-page.tsx");
const rates = () => import("./pages/payments/quotes/rates-page.tsx");
const agents = () => import("./pages/agents/agents-page.tsx");
const invitations = () => import("./pages/uma/invitations/invitations-page.tsx");
const uma = () => import("./pages/uma/set-up-page.tsx");
const institutions = () => import("./pages/uma/counterparties-page.tsx");
const exchanges = () => import("./pages/uma/exchanges.tsx");
const approvals = () => import("./pages/people/approvals/approvals-page.tsx");
const approval = () => import("./pages/people/approvals/approval-detail.tsx");
const ledger = () => import("./pages/reading/ledger/ledger-page.tsx");
const postings = () => import("./pages/reading/ledger/postings-page.tsx");
const connections = () => import("./pages/rails/connections-page.tsx");
const queue = () => import("./pages/rails/queue-page.tsx");
const items = () => import("./pages/rails/items-page.tsx");
const daily = () => import("./pages/rails/daily-page.tsx");
const marks = () => import("./pages/rails/marks-page.tsx");
const railEntries = () => import("./pages/rails/entries-page.tsx");
const batches = () => import("./pages/payments/batches/batches-page.tsx");
const receivables = () => import("./pages/rails/receivables-page.tsx");
const cases = () => import("./pages/customers/verifications/queue-page.tsx");
const oneCase = () => import("./pages/customers/verifications/case-page.tsx");
const endpoints = () => import("./pages/events/webhooks/endpoints-page.tsx");
const endpoint = () => import("./pages/events/webhooks/endpoint-detail.tsx");
const deliveries = () => import("./pages/events/webhooks/deliveries-page.tsx");
const delivery = () => import("./pages/events/webhooks/delivery-detail.tsx");
const events = () => import("./pages/events/events-page.tsx");
const event = () => import("./pages/events/event-detail.tsx");
const requests = () => import("./pages/reading/requests/requests-page.tsx");
const request = () => import("./pages/reading/requests/request-detail.tsx");
const keys = () => import("./pages/people/keys/keys-page.tsx");
const sandbox = () => import("./pages/platforms/sandbox/sandbox-page.tsx");
const team = () => import("./pages/people/team-page.tsx");
const roles = () => import("./pages/people/roles-page.tsx");
const audit = () => import("./pages/people/audit-page.tsx");
const me = () => import("./pages/people/me-page.tsx");
const settings = () => import("./pages/platforms/settings/settings-page.tsx");
const system = () => import("./pages/platforms/system/system-page.tsx");
const tenants = () => import("./pages/platforms/system/tenants-page.tsx");

const pages = [
  page("home", HomePage),
  page("payments", part(payments, "PaymentsPage"), part(payment, "PaymentDetail")),
  page("batches", part(batches, "BatchesPage"), part(batches, "BatchDetail")),
  page("customers", part(customers, "CustomersPage"), part(customer, "CustomerDetail")),
  page("verifications", part(cases, "VerificationsPage"), part(oneCase, "CasePage")),
  page("accounts", part(accounts, "AccountsPage"), part(account, "AccountDetail")),
  page(
    "external-accounts",
    part(external, "ExternalAccountsPage"),
    part(external, "ExternalAccountDetail"),
  ),
  page("quotes", part(quotes, "QuotesPage"), part(quotes, "QuoteDetail")),
  page("schedules", part(schedules, "SchedulesPage"), part(schedules, "ScheduleDetail")),
  page("holds", part(holds, "HoldsPage"), part(holds, "HoldDetail")),
  page("rates", part(rates, "RatesPage")),
  page("agents", part(agents, "AgentsPage"), part(agents, "AgentDetail")),
  page("invitations", part(invitations, "InvitationsPage"), part(invitations, "InvitationDetail")),
  page("uma", part(uma, "UmaPage")),
  page(
    "uma-counterparties",
    part(institutions, "CounterpartiesPage"),
    part(institutions, "CounterpartyDetail"),
  ),
  page("uma-exchanges", part(exchanges, "ExchangesPage")),
  page("approvals", part(approvals, "ApprovalsPage"), part(approval, "ApprovalDetail")),
  page("ledger", part(ledger, "LedgerPage"), part(ledger, "LedgerAccountDetail")),
  page("postings", part(postings, "PostingsPage"), part(ledger, "PostingDetail")),
  page("rails", part(connections, "ConnectionsPage"), part(connections, "ConnectionDetail")),
  page("rail-queue", part(queue, "QueuePage"), part(queue, "RailPaymentDetail")),
  page("rail-items", part(items, "ItemsPage"), part(items, "RailItemDetail")),
  page("rail-reconciliation", part(daily, "DailyPage")),
  page("rail-marks", part(marks, "MarksPage"), part(marks, "MarkDetail")),
  page("rail-entries", part(railEntries, "EntriesPage"), part(railEntries, "EntryDetail")),
  page(
    "rail-receivables",
    part(receivables, "ReceivablesPage"),
    part(receivables, "ReceivableDetail"),
  ),
  page("webhooks", part(endpoints, "EndpointsPage"), part(endpoint, "EndpointDetail")),
  page("deliveries", part(deliveries, "DeliveriesPage"), part(delivery, "DeliveryDetail")),
  page("events", part(events, "EventsPage"), part(event, "EventDetail")),
  page("requests", part(requests, "RequestsPage"), part(request, "RequestDetail")),
  page("api-keys", part(keys, "KeysPage")),
  page("sandbox", part(sandbox, "SandboxPage")),
  page("settings", part(settings, "SettingsPage")),
  page("team", part(team, "TeamPage"), part(team, "PersonDetail")),
  page("team-roles", part(roles, "RolesPage")),
  page("audit", part(audit, "AuditPage")),
  page("me", part(me, "MePage")),
  page("system", part(system, "SystemPage")),
  page(
    "system-verifications",
    part(cases, "SystemVerificationsPage"),
    part(oneCase, "CasePage"),
    "$platform/$id",
  ),
  page("system-platforms", part(tenants, "SystemPlatformsPage")),
  page("system-workspaces", part(tenants, "SystemWorkspacesPage")),
];

const first = createRoute({ getParentRoute: () => root, path: "/", component: FirstPage });

export function createConsoleRouter() {
  return createRouter({
    routeTree: root.addChildren([
      first,
      entry("/start", "StartPage"),
      entry("/invite", "InvitePage"),
      entry("/re-enrol", "ReEnrolPage"),
      entry("/sign-in", "SignInPage"),
      platform.addChildren(pages),
    ]),
    basepath: "/console",
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    pathParamsAllowedCharacters: [":"],
    // Filter values are texts, so a typed number must not be parsed or reformatted.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const text = new URLSearchParams(search as Record<string, string>).toString();
      return text === "" ? "" : `?${text}`;
    },
  });
}

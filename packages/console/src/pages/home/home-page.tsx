/** What needs a person, what the platform holds, and what happened last. Every read of this page is one page of an index. */

import type { InternalAccount } from "@florin/client";
import type { ReactNode } from "react";
import type { AnswerOf } from "../../api/operations.ts";
import { useMay, usePlatform, useRead } from "../../api/platform.ts";
import { t, wordOf } from "../../text/messages.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { StatePill } from "../../ui/pill.tsx";
import { PlaceLink } from "../../ui/place-link.tsx";
import { Waiting } from "../../ui/states.tsx";
import { Amount, Time } from "../../ui/values.tsx";
import { Orders } from "../agents/orders.tsx";
import { NewPayment } from "../payments/new-payment.tsx";
import { PaymentAmount, partyText } from "../payments/payment-parts.tsx";
import { Checklist } from "./checklist.tsx";

export function HomePage() {
  const { environment } = usePlatform();
  const mayPay = useMay("payments.create");
  return (
    <>
      <PageHead title={t("home.title")}>{mayPay && <NewPayment />}</PageHead>
      <div className="flex flex-col gap-8">
        <Balances />
        {environment === "SANDBOX" && <Checklist />}
        <WaitingForYou />
        <div className="grid gap-x-12 gap-y-8 wide:grid-cols-[3fr_2fr]">
          <LastPayments />
          <Problems />
        </div>
      </div>
    </>
  );
}

function HomeSection({
  title,
  place,
  search,
  children,
}: {
  readonly title: string;
  readonly place?: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly children: ReactNode;
}) {
  return (
    <section className="min-w-0">
      <div className="flex items-baseline justify-between gap-3 border-line border-b pb-2">
        <h2 className="text-section font-semibold">{title}</h2>
        {place !== undefined && (
          <PlaceLink
            place={place}
            {...(search === undefined ? {} : { search })}
            label={t("home.allOf", { title })}
            className="text-body text-accent hover:underline"
          >
            {t("home.all")}
          </PlaceLink>
        )}
      </div>
      {children}
    </section>
  );
}

/** The platform's own accounts. Sums over the accounts of customers are in the ledger. */
function Balances() {
  const reading = useRead<"listPlatformInternalAccounts">({
    method: "GET",
    path: ["platform", "internal-accounts"],
    query: { limit: 12 },
  });
  return (
    <section aria-label={t("home.balances")} className="min-w-0">
      <Waiting reading={reading} rows={1}>
        {({ data }) => (
          <dl className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-x-6 gap-y-4">
            {data.toReversed().map((account) => (
              <Balance key={account.id} account={account} />
            ))}
          </dl>
        )}
      </Waiting>
    </section>
  );
}

function Balance({ account }: { readonly account: InternalAccount }) {
  const { balance, totalBalance } = account;
  const heldMinor = totalBalance.amount - balance.amount;
  return (
    <div className="relative">
      <dt className="text-caption text-soft">
        <PlaceLink
          place={`accounts/${account.id}`}
          search={{ owner: "platform" }}
          className="after:absolute after:inset-0 hover:text-ink"
        >
          {t("home.balanceOf", { code: balance.currency.code })}
        </PlaceLink>
      </dt>
      <dd className="text-section">
        <Amount amount={balance} isStrong />
      </dd>
      {heldMinor !== 0 && (
        <dd className="text-caption text-soft">
          {t("home.held")} <Amount amount={{ amount: heldMinor, currency: balance.currency }} />
        </dd>
      )}
    </div>
  );
}

interface Waits {
  readonly id: string;
  readonly text: string;
  readonly place: string;
  readonly search: Readonly<Record<string, string>>;
  readonly count: number;
  readonly oldest: string | undefined;
}

/** Each line is one read of the first rows of a list. A person who may not read a list has no line for it. */
function WaitingForYou() {
  const approvals = useRead<"listAgentApprovals">(
    { method: "GET", path: ["agents", "approvals"], query: { limit: 5 } },
    { isOff: !useMay("agents.read") },
  );
  const deliveries = useRead<"listWebhookDeliveries">(
    { method: "GET", path: ["webhook-deliveries"], query: { state: "FAILED", limit: 25 } },
    { isOff: !useMay("deliveries.read") },
  );
  const endpoints = useRead<"listWebhookEndpoints">(
    { method: "GET", path: ["webhook-endpoints"] },
    { isOff: !useMay("webhooks.read") },
  );
  const reviews = useRead<"listVerifications">(
    {
      method: "GET",
      path: ["verifications"],
      query: { verificationStatus: "PENDING_MANUAL_REVIEW", limit: 25 },
    },
    { isOff: !useMay("customers.read") },
  );
  const items = useRead<"listRailItems">(
    { method: "GET", path: ["rails", "items"], query: { state: "OPEN", limit: 25 } },
    { isOff: !useMay("rails.read") },
  );
  const orders = approvals.data?.data ?? [];
  const lines = linesOf({
    deliveries: deliveries.data,
    endpoints: endpoints.data,
    reviews: reviews.data,
    items: items.data,
  });
  const isReading = [approvals, deliveries, endpoints, reviews, items].some((one) => one.isLoading);
  if (isReading && lines.length === 0 && orders.length === 0) return null;
  return (
    <HomeSection title={t("home.waiting")}>
      {orders.length > 0 && <Orders orders={orders} />}
      {lines.map(({ id, text, place, search, count, oldest }) => (
        <div
          key={id}
          className="relative flex items-center justify-between gap-4 border-line border-b py-2 hover:bg-panel"
        >
          <PlaceLink place={place} search={search} className="after:absolute after:inset-0">
            <span className="font-semibold tabular-nums">{count}</span> {text}
          </PlaceLink>
          <span className="text-caption text-soft">
            {oldest === undefined ? undefined : <Time at={oldest} />}
          </span>
        </div>
      ))}
      {lines.length === 0 && orders.length === 0 && (
        <p className="py-3 text-body text-soft">{t("home.nothingWaits")}</p>
      )}
    </HomeSection>
  );
}

function linesOf(read: {
  readonly deliveries: AnswerOf<"listWebhookDeliveries"> | undefined;
  readonly endpoints: AnswerOf<"listWebhookEndpoints"> | undefined;
  readonly reviews: AnswerOf<"listVerifications"> | undefined;
  readonly items: AnswerOf<"listRailItems"> | undefined;
}): readonly Waits[] {
  // Deliveries to repeat are seen at their endpoint, before the endpoint counts as failing.
  const failing = (read.endpoints?.data ?? []).filter(
    ({ state, stats }) => state !== "ACTIVE" || (stats?.retrying ?? 0) > 0,
  );
  const [only] = failing.length === 1 ? failing : [];
  const deliveries = read.deliveries?.data ?? [];
  const reviews = read.reviews?.data ?? [];
  const items = read.items?.data ?? [];
  const all: readonly Waits[] = [
    {
      id: "endpoints",
      text: t("home.endpoints", { count: failing.length }),
      place: only === undefined ? "webhooks" : `webhooks/${only.id}`,
      search: {},
      count: failing.length,
      oldest: failing[0]?.outage?.since ?? failing[0]?.stats?.oldestUndeliveredAt,
    },
    {
      id: "deliveries",
      text: t("home.deliveries", { count: deliveries.length }),
      place: "deliveries",
      search: { tab: "failed" },
      count: deliveries.length,
      oldest: deliveries.at(-1)?.lastAttemptAt,
    },
    {
      id: "reviews",
      text: t("home.reviews", { count: reviews.length }),
      place: "customers",
      search: {},
      count: reviews.length,
      oldest: reviews.at(-1)?.createdAt,
    },
    {
      id: "items",
      text: t("home.items", { count: items.length }),
      place: "rail-items",
      search: {},
      count: items.length,
      oldest: items.at(-1)?.openedAt,
    },
  ];
  return all.filter(({ count }) => count > 0);
}

function LastPayments() {
  const reading = useRead<"listTransactions">({
    method: "GET",
    path: ["transactions"],
    query: { limit: 10 },
  });
  return (
    <HomeSection title={t("home.lastPayments")} place="payments">
      <Waiting reading={reading} rows={10}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="py-3 text-body text-soft">{t("payments.empty")}</p>
          ) : (
            <ul>
              {data.map((payment) => (
                <li
                  key={payment.id}
                  className="relative grid grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-4 border-line border-b py-2 hover:bg-panel"
                >
                  <div className="min-w-0">
                    <PlaceLink
                      place={`payments/${payment.id}`}
                      className="block after:absolute after:inset-0"
                    >
                      <PaymentAmount payment={payment} isStrong />
                    </PlaceLink>
                    <bdi className="block truncate text-caption text-soft">
                      {`${partyText(payment.source)} \u2192 ${partyText(payment.destination)}`}
                    </bdi>
                  </div>
                  <StatePill state={payment.status} />
                  <span className="w-20 text-end text-caption text-soft">
                    <Time at={payment.createdAt} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Waiting>
    </HomeSection>
  );
}

function Problems() {
  const reading = useRead<"listTransactions">({
    method: "GET",
    path: ["transactions"],
    query: { status: "FAILED", limit: 5 },
  });
  return (
    <HomeSection title={t("home.problems")} place="payments" search={{ tab: "failed" }}>
      <Waiting reading={reading} rows={5}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="py-3 text-body text-soft">{t("home.noProblem")}</p>
          ) : (
            <ul>
              {data.map((payment) => (
                <li
                  key={payment.id}
                  className="relative flex items-center justify-between gap-4 border-line border-b py-2 hover:bg-panel"
                >
                  <div className="min-w-0">
                    <PlaceLink
                      place={`payments/${payment.id}`}
                      className="block after:absolute after:inset-0"
                    >
                      <PaymentAmount payment={payment} isStrong />
                    </PlaceLink>
                    <span className="block truncate text-caption text-soft">
                      {payment.failure === undefined
                        ? wordOf("state", payment.status)
                        : wordOf("failureCode", payment.failure.code)}
                    </span>
                  </div>
                  <span className="text-caption text-soft">
                    <Time at={payment.updatedAt} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Waiting>
    </HomeSection>
  );
}

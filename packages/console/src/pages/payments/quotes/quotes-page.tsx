import type { Quote } from "@florin/client";
import { useParams } from "@tanstack/react-router";
import { ActButton } from "../../../act/act-dialog.tsx";
import type { ActSpec } from "../../../act/act-spec.ts";
import type { Call } from "../../../api/operations.ts";
import { useMay, useRead } from "../../../api/platform.ts";
import { Detail, DetailOf } from "../../../detail/detail.tsx";
import { Facts } from "../../../detail/facts.tsx";
import { ListPage } from "../../../detail/list-page.tsx";
import type { ListSpec } from "../../../list/list-spec.ts";
import { t } from "../../../text/messages.ts";
import { amountLine } from "../../../text/money.ts";
import { isMovingState } from "../../../text/moving.ts";
import { stateChoices } from "../../../ui/choices.ts";
import { PartyName, partyName } from "../../../ui/party.tsx";
import { StatePill } from "../../../ui/pill.tsx";
import { IdLink, IdText, PlaceLink } from "../../../ui/place-link.tsx";

import { Amount, Missing, OutsideText, OutsideWord, Time } from "../../../ui/values.tsx";
import { NewPayment } from "../new-payment.tsx";
import { partyFacts } from "../payment-parts.tsx";

function sendingOf(quote: Quote) {
  return { amount: quote.totalSendingAmount, currency: quote.sendingCurrency };
}

function receivingOf(quote: Quote) {
  return { amount: quote.totalReceivingAmount, currency: quote.receivingCurrency };
}

function rateOf({ exchangeRate, sendingCurrency, receivingCurrency }: Quote): string {
  return `1 ${receivingCurrency.code} = ${exchangeRate} ${sendingCurrency.code}`;
}

const spec: ListSpec<"listQuotes"> = {
  name: "quotes",
  title: "quotes.title",
  call: (query) =>
    ({
      method: "GET",
      path: ["quotes"],
      query: { ...query, expand: "parties" },
    }) as Call<"listQuotes">,
  rowId: ({ id }) => id,
  place: ({ id }) => `quotes/${id}`,
  columns: [
    {
      id: "send",
      title: "quotes.send",
      isEnd: true,
      cell: (row) => <Amount amount={sendingOf(row)} isStrong />,
    },
    {
      id: "receive",
      title: "quotes.receive",
      isEnd: true,
      cell: (row) => <Amount amount={receivingOf(row)} isStrong />,
    },
    { id: "status", title: "column.status", cell: ({ status }) => <StatePill state={status} /> },
    {
      id: "from",
      title: "column.from",
      cell: ({ parties }) => <PartyName party={parties?.from} />,
    },
    { id: "to", title: "column.to", cell: ({ parties }) => <PartyName party={parties?.to} /> },
    {
      id: "rate",
      title: "column.rate",
      isEnd: true,
      cell: (row) => <span className="whitespace-nowrap tabular-nums">{rateOf(row)}</span>,
    },
    {
      id: "fees",
      title: "column.fees",
      isEnd: true,
      isExtra: true,
      cell: (row) => (
        <Amount amount={{ amount: row.feesIncluded, currency: row.sendingCurrency }} />
      ),
    },
    {
      id: "payment",
      title: "kind.Transaction",
      isExtra: true,
      cell: ({ transactionId }) => <IdLink id={transactionId} />,
    },
    { id: "id", title: "column.id", isExtra: true, cell: ({ id }) => <IdText id={id} /> },
    {
      id: "expires",
      title: "column.expires",
      isEnd: true,
      isExtra: true,
      cell: ({ status, expiresAt }) =>
        status === "PENDING" ? <Time at={expiresAt} /> : <Missing />,
    },
    {
      id: "created",
      title: "column.created",
      isEnd: true,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ],
  filters: [
    {
      name: "status",
      label: "column.status",
      kind: "choice",
      choices: stateChoices(["PENDING", "PROCESSING", "COMPLETED", "FAILED", "EXPIRED"]),
    },
    { name: "customerId", label: "column.customer", kind: "text", placeholder: "Customer:" },
    { name: "createdAfter", label: "column.created", kind: "period" },
  ],
  card: (row) => ({
    lead: <Amount amount={sendingOf(row)} isStrong />,
    under: (
      <OutsideWord text={`${amountLine(receivingOf(row))} \u00b7 ${partyName(row.parties?.to)}`} />
    ),
    end: <StatePill state={row.status} />,
    endUnder: <Time at={row.createdAt} />,
  }),
  empty: "quotes.empty",
  curl: "/quotes",
};

export function QuotesPage() {
  const may = useMay("payments.create");
  return <ListPage spec={spec} place="quotes" acts={may ? <NewPayment /> : undefined} />;
}

export function QuoteDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const mayExecute = useMay("payments.create");
  const reading = useRead<"getQuote">(
    { method: "GET", path: ["quotes", id], query: { expand: "parties" } },
    { isMoving: ({ status }) => isMovingState(status) },
  );
  return (
    <DetailOf reading={reading}>
      {(quote) => (
        <Detail
          kind={t("kind.Quote")}
          isAmount
          lead={<Amount amount={sendingOf(quote)} />}
          under={<Amount amount={receivingOf(quote)} />}
          state={<StatePill state={quote.status} />}
          id={quote.id}
          acts={
            mayExecute && quote.status === "PENDING" && quote.source.sourceType === "ACCOUNT" ? (
              <ActButton spec={execute(quote)} weight="primary">
                {t("quotes.execute")}
              </ActButton>
            ) : undefined
          }
          json={quote}
          path={`/quotes/${quote.id}`}
          tabs={[
            { id: "overview", title: t("detail.overview"), content: <Arithmetic quote={quote} /> },
          ]}
        />
      )}
    </DetailOf>
  );
}

/** The sent amount, the fees taken from it, and the received amount. */
function Arithmetic({ quote }: { readonly quote: Quote }) {
  const { rateDetails, sendingCurrency, receivingCurrency } = quote;
  return (
    <>
      <Facts
        facts={[
          ...partyFacts(quote),
          [t("quotes.send"), <Amount key="send" amount={sendingOf(quote)} isStrong />],
          [
            t("quotes.fixedFee"),
            <Amount
              key="fixed"
              amount={{ amount: rateDetails.serviceApiFixedFee, currency: sendingCurrency }}
            />,
          ],
          [
            t("quotes.variableFeeOf", {
              percent: percentText(rateDetails.serviceApiVariableFeeRate),
            }),
            <Amount
              key="variable"
              amount={{
                amount: rateDetails.serviceApiVariableFeeAmount,
                currency: sendingCurrency,
              }}
            />,
          ],
          rateDetails.counterpartyFixedFee !== undefined && [
            t("quotes.counterpartyFee"),
            <Amount
              key="counterparty"
              amount={{ amount: rateDetails.counterpartyFixedFee, currency: receivingCurrency }}
            />,
          ],
          [
            t("column.fees"),
            <Amount
              key="fees"
              amount={{ amount: quote.feesIncluded, currency: sendingCurrency }}
            />,
          ],
          [
            t("quotes.exchanged"),
            <Amount
              key="exchanged"
              amount={{
                amount: quote.totalSendingAmount - quote.feesIncluded,
                currency: sendingCurrency,
              }}
            />,
          ],
          [t("column.rate"), rateOf(quote)],
          [t("quotes.receive"), <Amount key="receive" amount={receivingOf(quote)} isStrong />],
          [t("kind.Transaction"), <IdLink key="payment" id={quote.transactionId} />],
          quote.description !== undefined && [
            t("payments.description"),
            <OutsideText key="description" text={quote.description} />,
          ],
          [t("column.created"), <Time key="created" at={quote.createdAt} isExact />],
          [t("column.expires"), <Time key="expires" at={quote.expiresAt} isExact />],
        ]}
      />
      <Rounding payment={quote.transactionId} />
    </>
  );
}

function Rounding({ payment }: { readonly payment: string }) {
  return (
    <>
      <p className="pt-3 text-caption text-soft">{t("quotes.rounding")}</p>
      <PlaceLink place={`payments/${payment}`} className="text-body text-accent hover:underline">
        {t("quotes.postings")}
      </PlaceLink>
    </>
  );
}

/** Formats a fraction such as 0.003 as 0.3, without rounding noise from the multiplication. */
function percentText(fraction: number): string {
  return String(Number((fraction * 100).toPrecision(10)));
}

function execute(quote: Quote): ActSpec<"executeQuote"> {
  return {
    title: t("quotes.execute"),
    verb: t("quotes.execute"),
    intro: t("quotes.executeIntro", {
      send: amountLine(sendingOf(quote)),
      receive: amountLine(receivingOf(quote)),
    }),
    fields: [],
    isTriedOut: true,
    toCall: () => ({ method: "POST", path: ["quotes", quote.id, "execute"] }),
  };
}

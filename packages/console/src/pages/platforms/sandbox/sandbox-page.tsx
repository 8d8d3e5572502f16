/** The tools of a sandbox: its clock, incoming money, and account endings that make a payment fail. */
import { ActButton } from "../../../act/act-dialog.tsx";
import { type ActSpec, FormProblem } from "../../../act/act-spec.ts";
import { useRead } from "../../../api/platform.ts";
import { t } from "../../../text/messages.ts";
import { decimalsFor, readAmount } from "../../../text/money.ts";
import { PageHead } from "../../../ui/page-head.tsx";
import { IdLink, PlaceLink } from "../../../ui/place-link.tsx";
import { Waiting } from "../../../ui/states.tsx";
import { Amount } from "../../../ui/values.tsx";
import { Clock } from "./clock.tsx";
import { fundSpec } from "./fund.ts";
import { LabSection } from "./lab-section.tsx";
import { MagicValues } from "./magic-values.tsx";

export function SandboxPage() {
  return (
    <>
      <PageHead title={t("sandbox.title")} />
      <div className="grid gap-x-12 gap-y-8 wide:grid-cols-2">
        <Clock />
        <div className="flex min-w-0 flex-col gap-8">
          <Incoming />
          <Funding />
        </div>
      </div>
      <div className="pt-8">
        <MagicValues />
      </div>
    </>
  );
}

/** The newest accounts, each with a button that adds money. */
function Funding() {
  const reading = useRead<"listCustomerInternalAccounts">({
    method: "GET",
    path: ["customers", "internal-accounts"],
    query: { limit: 6, type: "INTERNAL_FIAT" },
  });
  return (
    <LabSection title={t("sandbox.funding")} hint={t("sandbox.fundingHint")}>
      <Waiting reading={reading}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-body text-soft">
              {t("sandbox.noAccount")}{" "}
              <PlaceLink place="customers" className="text-accent underline">
                {t("customers.new")}
              </PlaceLink>
            </p>
          ) : (
            <ul>
              {data.map((account) => (
                <li
                  key={account.id}
                  className="flex items-center justify-between gap-3 border-line border-b py-1.5"
                >
                  <span className="flex min-w-0 flex-wrap items-baseline gap-x-3">
                    <PlaceLink
                      place={`accounts/${account.id}`}
                      className="w-36 shrink-0 text-end hover:underline"
                    >
                      <Amount amount={account.balance} isStrong />
                    </PlaceLink>
                    {account.customerId !== undefined && <IdLink id={account.customerId} />}
                  </span>
                  <ActButton spec={fundSpec(account)}>{t("sandbox.fund")}</ActButton>
                </li>
              ))}
            </ul>
          )
        }
      </Waiting>
    </LabSection>
  );
}

function Incoming() {
  return (
    <LabSection title={t("sandbox.receive")} hint={t("sandbox.receiveHint")}>
      <div className="flex flex-wrap gap-2">
        <ActButton spec={receiveUma}>{t("sandbox.receiveUma")}</ActButton>
        <ActButton spec={sendFunds}>{t("sandbox.payQuote")}</ActButton>
        <ActButton spec={testWebhook}>{t("sandbox.testWebhook")}</ActButton>
      </div>
    </LabSection>
  );
}

const receiveUma: ActSpec<"receiveUmaPayment"> = {
  title: t("sandbox.receiveUma"),
  verb: t("sandbox.receiveUma"),
  fields: [
    {
      name: "senderUmaAddress",
      label: "sandbox.sender",
      kind: "text",
      initial: "$success.usd@sandbox.florin.test",
    },
    {
      name: "receiverUmaAddress",
      label: "sandbox.receiver",
      kind: "text",
      placeholder: "$ana@florin.test",
    },
    {
      name: "currency",
      field: "receivingCurrencyCode",
      label: "column.currency",
      kind: "text",
      initial: "USD",
    },
    {
      name: "amount",
      field: "receivingCurrencyAmount",
      label: "column.amount",
      kind: "amount",
      placeholder: "25.00",
    },
  ],
  toCall({ senderUmaAddress = "", receiverUmaAddress = "", currency = "", amount = "" }) {
    const minor = readAmount(amount, decimalsFor(currency));
    if (minor === undefined) throw new FormProblem({ amount: t("form.noAmount") });
    const body = {
      senderUmaAddress,
      receiverUmaAddress,
      receivingCurrencyCode: currency,
      receivingCurrencyAmount: Number(minor),
    };
    return { method: "POST", path: ["sandbox", "uma", "receive"], body: body as never };
  },
};

const sendFunds: ActSpec<"sendSandboxFunds"> = {
  title: t("sandbox.payQuote"),
  verb: t("sandbox.payQuote"),
  intro: t("sandbox.payQuoteIntro"),
  fields: [
    { name: "quoteId", label: "column.quote", kind: "text", placeholder: "Quote:" },
    {
      name: "currency",
      field: "currencyCode",
      label: "column.currency",
      kind: "text",
      initial: "USD",
    },
  ],
  toCall: ({ quoteId = "", currency = "" }) => ({
    method: "POST",
    path: ["sandbox", "send"],
    body: { quoteId, currencyCode: currency as never },
  }),
};

const testWebhook: ActSpec<"testWebhook"> = {
  title: t("sandbox.testWebhook"),
  verb: t("sandbox.testWebhook"),
  intro: t("sandbox.testWebhookIntro"),
  fields: [],
  toCall: () => ({ method: "POST", path: ["sandbox", "webhooks", "test"] }),
  after: ({ response_status }) => (
    <p className="text-form">{t("webhooks.tested", { status: response_status })}</p>
  ),
};

/** The lab of a sandbox: its clock, money from outside, and the endings that make a payment fail. */
import { useQueryClient } from "@tanstack/react-query";
import { ActButton } from "../../act/act-dialog.tsx";
import { type ActSpec, FormProblem } from "../../act/act-spec.ts";
import { useAct, useMay, usePlatform, useRead } from "../../api/platform.ts";
import { newKey } from "../../std/host.ts";
import { t } from "../../text/messages.ts";
import { decimalsFor, readAmount } from "../../text/money.ts";
import { Button } from "../../ui/button.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { PlaceLink } from "../../ui/place-link.tsx";
import { Problem, Waiting } from "../../ui/states.tsx";
import { Amount, Time } from "../../ui/values.tsx";
import { fundSpec } from "./fund.ts";
import { LabSection } from "./lab-section.tsx";
import { MagicValues } from "./magic-values.tsx";

export function SandboxPage() {
  return (
    <>
      <PageHead title={t("sandbox.title")} />
      <div className="grid gap-x-12 gap-y-8 wide:grid-cols-2">
        <Clock />
        <Incoming />
        <Funding />
        <MagicValues />
      </div>
    </>
  );
}

const STEPS = [
  { seconds: 300, word: "sandbox.minutes", count: 5 },
  { seconds: 3_600, word: "sandbox.hours", count: 1 },
  { seconds: 86_400, word: "sandbox.days", count: 1 },
  { seconds: 2_592_000, word: "sandbox.days", count: 30 },
] as const;

function Clock() {
  const reading = useRead<"getClock">({ method: "GET", path: ["sandbox", "clock"] });
  const advance = useAct<"advanceClock">();
  const client = useQueryClient();
  const { id } = usePlatform();
  const may = useMay("sandbox.use");
  const move = (seconds: number) =>
    advance.mutate(
      {
        call: { method: "POST", path: ["sandbox", "clock", "advance"], body: { seconds } },
        key: newKey(),
      },
      { onSuccess: () => client.invalidateQueries({ queryKey: [id] }) },
    );
  return (
    <LabSection title={t("sandbox.clock")} hint={t("sandbox.clockHint")}>
      <Waiting reading={reading}>
        {({ now }) => (
          <p className="pb-3 text-title font-semibold tabular-nums [&_time]:whitespace-normal">
            <Time at={now} isExact />
          </p>
        )}
      </Waiting>
      {may && (
        <div className="flex flex-wrap gap-2">
          {STEPS.map(({ seconds, word, count }) => (
            <Button key={seconds} isDisabled={advance.isPending} onPress={() => move(seconds)}>
              {t(word, { count })}
            </Button>
          ))}
        </div>
      )}
      {advance.isError && <Problem error={advance.error} />}
    </LabSection>
  );
}

/** The newest accounts, each with a button that puts money in. */
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
                  <PlaceLink place={`accounts/${account.id}`} className="hover:underline">
                    <Amount amount={account.balance} isStrong />
                  </PlaceLink>
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

/** What UMA says of a payment: the other institution, the invoice and its price, and what was told under the travel rule. */
import type { Transaction, UmaPayment } from "@florin/client";
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import { useMay, useRead } from "../../api/platform.ts";
import { type Fact, Facts, Section } from "../../detail/facts.tsx";
import { t, wordOf } from "../../text/messages.ts";
import type { Tone } from "../../text/tones.ts";
import { stateChoices } from "../../ui/choices.ts";
import { CodeBlock, jsonText } from "../../ui/code-block.tsx";
import { Pill } from "../../ui/pill.tsx";
import { IdLink } from "../../ui/place-link.tsx";
import { Amount, OutsideText, Time } from "../../ui/values.tsx";
import { InstitutionLink } from "./exchanges.tsx";

/** Absent for a payment from or to no other institution: the sandbox simulates some. */
export function UmaSection({ payment }: { readonly payment: Transaction }) {
  const { id, type } = payment;
  const other = type === "INCOMING" ? addressIn(payment.source) : addressIn(payment.destination);
  const reading = useRead<"getUmaPayment">(
    { method: "GET", path: ["uma", "payments", id] },
    { isOff: other === undefined, isMoving },
  );
  if (reading.data === undefined) return null;
  return (
    <Section title={t("uma.title")} act={type === "INCOMING" && <TravelRule id={id} />}>
      <Invoice invoice={reading.data} />
      {type === "INCOMING" && <PayInvoice id={id} invoice={reading.data} />}
    </Section>
  );
}

/** A payment that has ended may have an invoice that is being closed, or a message that is not taken yet. */
function isMoving({ state, hook }: UmaPayment): boolean {
  return (state !== "PAID" && state !== "CLOSED") || hook.state === "PENDING";
}

type Side = Transaction["source"] | Transaction["destination"];

/** Undefined for an account, and for an address of this deployment. */
function addressIn(side: Side): string | undefined {
  if (side === undefined || !("umaAddress" in side) || side.umaAddress === undefined)
    return undefined;
  return side.customerId === undefined ? side.umaAddress : undefined;
}

const TONES: Readonly<Record<string, Tone>> = {
  ASKED: "wait",
  WANTED: "wait",
  OPEN: "wait",
  PAID: "good",
};

function Invoice({ invoice }: { readonly invoice: UmaPayment }) {
  const { state, endedAs, vaspDomain, layer, assetIdentifier, invoiceExpiresAt } = invoice;
  const { direction, railPaymentId, receiverKyc, travelRule, fieldsSent, fieldsReceived } = invoice;
  const isOut = direction === "OUTGOING";
  const word = endedAs === undefined ? wordOf("umaInvoice", state) : wordOf("umaEnd", endedAs);
  return (
    <Facts
      facts={[
        [t("uma.institution"), <InstitutionLink key="institution" domain={vaspDomain} />],
        [t("uma.invoice"), <Pill key="state" word={word} tone={TONES[state] ?? "plain"} />],
        [
          t(isOut ? "uma.invoiceAmount" : "uma.toPay"),
          <Amount key="toPay" amount={invoice.settlementAmount} />,
        ],
        invoice.fee.amount > 0 && [t("uma.feeInIt"), <Amount key="fee" amount={invoice.fee} />],
        [
          t(isOut ? "uma.payeeGets" : "uma.customerGets"),
          <Amount key="gets" amount={invoice.receivingAmount} />,
        ],
        [t("uma.layer"), <OutsideText key="layer" text={`${layer} \u00b7 ${assetIdentifier}`} />],
        [t("uma.connection"), <IdLink key="connection" id={invoice.connectionId} />],
        invoiceExpiresAt !== undefined && [
          t("uma.payableUntil"),
          <Time key="until" at={invoiceExpiresAt} isExact />,
        ],
        railPaymentId !== undefined && [t("uma.order"), <IdLink key="order" id={railPaymentId} />],
        receiverKyc !== undefined && [
          t("uma.receiverKyc"),
          <OutsideText key="kyc" text={receiverKyc} />,
        ],
        travelRule !== undefined && [
          t("uma.travelRuleTold"),
          <OutsideText key="travelRule" text={travelRule.format} />,
        ],
        ...fieldsFact("uma.fieldsSent", fieldsSent),
        ...fieldsFact("uma.fieldsReceived", fieldsReceived),
        ...hookFacts(invoice),
      ]}
    />
  );
}

const HOOK_TONES: Readonly<Record<string, Tone>> = { PENDING: "wait", SENT: "good" };

/** What the two institutions tell each other after the payment, as far as they do. */
function hookFacts({ hook, utxos }: UmaPayment): readonly Fact[] {
  const { state, tries } = hook;
  const word = t("uma.hookTries", { state: wordOf("umaHook", state), count: tries });
  const sent: Fact = [
    t("uma.hook"),
    <Pill key="hook" word={word} tone={HOOK_TONES[state] ?? "plain"} />,
  ];
  return [
    ...(state === "NONE" ? [] : [sent]),
    ...(utxos === undefined ? [] : [channelsFact(utxos)]),
  ];
}

function channelsFact(utxos: NonNullable<UmaPayment["utxos"]>): Fact {
  const text = utxos.map(({ utxo, amountMsats }) => `${utxo}: ${amountMsats} msat`).join("\n");
  const told =
    text === "" ? t("uma.noChannels") : <CodeBlock code={text} what={t("uma.channels")} />;
  return [t("uma.channels"), told];
}

const OUTCOMES = ["EXACT", "LESS", "MORE", "TWICE", "LATE", "NEVER"] as const;

/** Of an invoice on the layer that is built into sandboxes. */
function PayInvoice({ id, invoice }: { readonly id: string; readonly invoice: UmaPayment }) {
  const may = useMay("sandbox.use");
  const { layer, state } = invoice;
  if (!may || layer !== "florin-sandbox" || state === "ASKED" || state === "WANTED")
    return undefined;
  return (
    <div className="pt-3">
      <ActButton spec={payInvoice(id)}>{t("uma.payInvoice")}</ActButton>
    </div>
  );
}

function payInvoice(id: string): ActSpec<"payUmaInvoice"> {
  return {
    title: t("uma.payInvoice"),
    verb: t("uma.payInvoice"),
    intro: t("uma.payInvoiceIntro"),
    fields: [
      {
        name: "outcome",
        label: "uma.arrives",
        kind: "choice",
        initial: "EXACT",
        choices: stateChoices(OUTCOMES, "umaOutcome"),
      },
    ],
    toCall: ({ outcome }) => ({
      method: "POST",
      path: ["sandbox", "uma", "invoices", id, "pay"],
      body: { outcome: outcome as "EXACT" },
    }),
  };
}

/** Their names alone: what was told is not kept here. */
function fieldsFact(
  title: "uma.fieldsSent" | "uma.fieldsReceived",
  names: readonly string[] | undefined,
): readonly Fact[] {
  if (names === undefined || names.length === 0) return [];
  return [[t(title), <OutsideText key={title} text={names.join(", ")} />]];
}

function TravelRule({ id }: { readonly id: string }) {
  if (!useMay("pii.read")) return undefined;
  return <ActButton spec={readTravelRule(id)}>{t("uma.travelRule")}</ActButton>;
}

/** Each read is in the audit log, so nothing is read before the person asks for it. */
function readTravelRule(id: string): ActSpec<"getUmaTravelRule"> {
  return {
    title: t("uma.travelRule"),
    verb: t("uma.show"),
    intro: t("uma.travelRuleIntro"),
    fields: [],
    toCall: () => ({ method: "GET", path: ["uma", "payments", id, "travel-rule"] }),
    after: ({ format, receivedAt, sha256, document }) => (
      <>
        <Facts
          facts={[
            format !== undefined && [t("uma.format"), <OutsideText key="format" text={format} />],
            [t("uma.receivedAt"), <Time key="at" at={receivedAt} isExact />],
            [
              "SHA-256",
              <span key="sha" className="font-mono text-code [overflow-wrap:anywhere]">
                {sha256}
              </span>,
            ],
          ]}
        />
        <CodeBlock
          code={typeof document === "string" ? document : jsonText(document)}
          what={t("uma.travelRule")}
        />
      </>
    ),
  };
}

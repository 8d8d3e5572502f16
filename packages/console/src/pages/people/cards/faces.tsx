/** The content of each kind's card. It uses the same read operation as the object's page. */
import type { ReactNode } from "react";
import type { AnswerOf, Call, OperationId } from "../../../api/operations.ts";
import { useRead } from "../../../api/platform.ts";
import { accountTypeWord } from "../../../text/field-word.ts";
import { t, wordOf } from "../../../text/messages.ts";
import { amountLine } from "../../../text/money.ts";
import { statusTone } from "../../../text/tones.ts";
import { Pill, StatePill } from "../../../ui/pill.tsx";
import { Amount, OutsideText } from "../../../ui/values.tsx";
import { holderOf } from "../../accounts/external-list.tsx";
import { AgentState } from "../../agents/agent-list.tsx";
import { CustomerState, customerName } from "../../customers/customer-list.tsx";
import { nameOf, sumOf } from "../../payments/batches/batch.tsx";
import { PaymentAmount } from "../../payments/payment-parts.tsx";
import { ruleWords } from "../../payments/schedules/rule-words.ts";

export interface Face {
  /** The main line: an amount or a name. */
  readonly lead: ReactNode;
  readonly under?: ReactNode;
  readonly state?: ReactNode;
  readonly at?: string | undefined;
}

export interface FaceReading {
  readonly face: Face | undefined;
  readonly error: unknown;
}

type UseFace = (id: string) => FaceReading;

function faceOf<Id extends OperationId>(
  toCall: (id: string) => Call<Id>,
  toFace: (answer: AnswerOf<Id>) => Face,
): UseFace {
  return function useFace(id) {
    const { data, error } = useRead<Id>(toCall(id));
    return { face: data === undefined ? undefined : toFace(data), error };
  };
}

const name = (text: string) => <OutsideText text={text} isLine />;
const word = (text: string) => <span className="font-mono text-code">{name(text)}</span>;

const rails: Readonly<Record<string, UseFace>> = {
  RailConnection: faceOf<"getRailConnection">(
    (id) => ({ method: "GET", path: ["rails", "connections", id] }),
    (one) => ({
      lead: name(one.name),
      under: wordOf("railKind", one.kind),
      state: <StatePill state={one.status} />,
      at: one.createdAt,
    }),
  ),
  RailPayment: faceOf<"getRailPayment">(
    (id) => ({ method: "GET", path: ["rails", "payments", id] }),
    ({ amount, counterparty, state, createdAt }) => ({
      lead: <Amount amount={amount} />,
      under: name(counterparty.name ?? counterparty.identifierMasked),
      state: <StatePill state={state} />,
      at: createdAt,
    }),
  ),
  RailItem: faceOf<"getRailItem">(
    (id) => ({ method: "GET", path: ["rails", "items", id] }),
    ({ amount, direction, reason, state, openedAt }) => ({
      lead: <Amount amount={amount} sign={signOf(direction)} />,
      under: wordOf("itemReason", reason),
      state: <StatePill state={state} />,
      at: openedAt,
    }),
  ),
  RailMark: faceOf<"getRailMark">(
    (id) => ({ method: "GET", path: ["rails", "marks", id] }),
    ({ kind, state, createdAt }) => ({
      lead: wordOf("markKind", kind),
      state: <StatePill state={state} />,
      at: createdAt,
    }),
  ),
  RailEntry: faceOf<"getRailEntry">(
    (id) => ({ method: "GET", path: ["rails", "entries", id] }),
    ({ amount, direction, bookedAs, createdAt }) => ({
      lead: <Amount amount={amount} sign={signOf(direction)} />,
      under: wordOf("booking", bookedAs),
      at: createdAt,
    }),
  ),
  RailReceivable: faceOf<"getReceivable">(
    (id) => ({ method: "GET", path: ["rails", "receivables", id] }),
    ({ open, state, createdAt }) => ({
      lead: <Amount amount={open} />,
      state: <StatePill state={state} />,
      at: createdAt,
    }),
  ),
};

const developers: Readonly<Record<string, UseFace>> = {
  Webhook: faceOf<"getEvent">(
    (id) => ({ method: "GET", path: ["events", id] }),
    ({ type, timestamp }) => ({ lead: word(type), at: timestamp }),
  ),
  WebhookEndpoint: faceOf<"getWebhookEndpoint">(
    (id) => ({ method: "GET", path: ["webhook-endpoints", id] }),
    ({ url, description, state }) => ({
      lead: word(url),
      under: description === undefined ? undefined : name(description),
      state: <StatePill state={state} />,
    }),
  ),
  WebhookDelivery: faceOf<"getWebhookDelivery">(
    (id) => ({ method: "GET", path: ["webhook-deliveries", id] }),
    ({ eventType, state, lastAttemptAt }) => ({
      lead: word(eventType),
      state: <StatePill state={state} />,
      at: lastAttemptAt,
    }),
  ),
  RequestLog: faceOf<"getRequestLog">(
    (id) => ({ method: "GET", path: ["request-logs", id] }),
    ({ method, path, errorCode, status, createdAt }) => ({
      lead: word(`${method} ${path}`),
      under: errorCode,
      state: <Pill word={String(status)} tone={statusTone(status)} />,
      at: createdAt,
    }),
  ),
};

const books: Readonly<Record<string, UseFace>> = {
  InternalAccount: faceOf<"getInternalAccount">(
    (id) => ({ method: "GET", path: ["internal-accounts", id] }),
    ({ balance, type, status, createdAt }) => ({
      lead: <Amount amount={balance} />,
      under: wordOf("accountKind", type),
      state: <StatePill state={status} />,
      at: createdAt,
    }),
  ),
  ExternalAccount: faceOf<"getCustomerExternalAccount">(
    (id) => ({ method: "GET", path: ["customers", "external-accounts", id] }),
    (account) => ({
      lead: name(holderOf(account) ?? accountTypeWord(account.accountInfo.accountType)),
      under: `${account.currency} \u00b7 ${accountTypeWord(account.accountInfo.accountType)}`,
      state: <StatePill state={account.status} />,
    }),
  ),
  LedgerAccount: faceOf<"listLedgerEntries">(
    (id) => ({ method: "GET", path: ["ledger", "accounts", id, "entries"], query: { limit: 1 } }),
    ({ data: [latest] }) =>
      latest === undefined
        ? { lead: t("ledger.noEntry") }
        : { lead: <Amount amount={latest.balanceAfter} />, at: latest.at },
  ),
  PaymentSchedule: faceOf<"getPaymentSchedule">(
    (id) => ({ method: "GET", path: ["payment-schedules", id] }),
    ({ template, currency, status, rule, createdAt }) => ({
      lead: <Amount amount={{ amount: String(template.amount), currency }} />,
      under: ruleWords(rule),
      state: <StatePill state={status} />,
      at: createdAt,
    }),
  ),
  PaymentBatch: faceOf<"getPaymentBatch">(
    (id) => ({ method: "GET", path: ["payment-batches", id] }),
    (batch) => ({
      lead: sumOf(batch),
      under: nameOf(batch),
      state: <StatePill state={batch.status} />,
      at: batch.createdAt,
    }),
  ),
  Hold: faceOf<"getHold">(
    (id) => ({ method: "GET", path: ["holds", id] }),
    ({ heldAmount, amount, status, expiresAt }) => ({
      lead: <Amount amount={heldAmount} />,
      under: t("holds.heldOf", { whole: amountLine(amount) }),
      state: <StatePill state={status} />,
      at: expiresAt,
    }),
  ),
  Quote: faceOf<"getQuote">(
    (id) => ({ method: "GET", path: ["quotes", id] }),
    ({
      totalSendingAmount,
      sendingCurrency,
      totalReceivingAmount,
      receivingCurrency,
      ...quote
    }) => ({
      lead: <Amount amount={{ amount: totalSendingAmount, currency: sendingCurrency }} />,
      under: <Amount amount={{ amount: totalReceivingAmount, currency: receivingCurrency }} />,
      state: <StatePill state={quote.status} />,
      at: quote.createdAt,
    }),
  ),
};

/** Faces by the kind in the id, such as `Transaction`. */
export const faces: Readonly<Record<string, UseFace>> = {
  ...rails,
  ...developers,
  ...books,
  Transaction: faceOf<"getTransaction">(
    (id) => ({ method: "GET", path: ["transactions", id] }),
    (payment) => ({
      lead: <PaymentAmount payment={payment} />,
      under: wordOf("payments.type", payment.type),
      state: <StatePill state={payment.status} />,
      at: payment.createdAt,
    }),
  ),
  Customer: faceOf<"getCustomer">(
    (id) => ({ method: "GET", path: ["customers", id] }),
    (customer) => ({
      lead: name(customerName(customer)),
      under: wordOf("customerType", customer.customerType),
      state: <CustomerState customer={customer} />,
      at: customer.createdAt,
    }),
  ),
  Verification: faceOf<"getVerificationCase">(
    (id) => ({ method: "GET", path: ["verifications", id, "case"] }),
    ({ customerName: customer, customerType, verificationStatus, createdAt }) => ({
      lead: name(customer),
      under: wordOf("customerType", customerType),
      state: <StatePill state={verificationStatus} />,
      at: createdAt,
    }),
  ),
  Agent: faceOf<"getAgent">(
    (id) => ({ method: "GET", path: ["agents", id] }),
    (agent) => ({
      lead: name(agent.name),
      state: <AgentState agent={agent} />,
      at: agent.createdAt,
    }),
  ),
  Invitation: faceOf<"getSentInvitation">(
    (id) => ({ method: "GET", path: ["sent-invitations", id] }),
    ({ amountToSend, inviterUma, status, createdAt }) => ({
      lead: amountToSend === undefined ? name(inviterUma) : <Amount amount={amountToSend} />,
      under: amountToSend === undefined ? undefined : name(inviterUma),
      state: <StatePill state={status} />,
      at: createdAt,
    }),
  ),
  Approval: faceOf<"getWorkspaceApproval">(
    (id) => ({ method: "GET", path: ["workspace", "approvals", id] }),
    ({ kind, summary, state, requestedAt }) => ({
      lead: wordOf("approvalKind", kind),
      under: name(summary),
      state: <StatePill state={state} />,
      at: requestedAt,
    }),
  ),
};

function signOf(direction: string): "plus" | "minus" {
  return direction === "CREDIT" ? "plus" : "minus";
}

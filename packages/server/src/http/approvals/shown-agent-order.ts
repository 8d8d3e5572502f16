/** An order of an agent as a person is shown it at this moment. A person decides about it in a session with a recent passkey. */
import { toExternalAccountId } from "../../domain/accounts/external/external-account.ts";
import { toInternalAccountId } from "../../domain/accounts/internal/internal-account.ts";
import type { AgentActionSubject } from "../../domain/agents/actions/agent-action.ts";
import type { ApprovalReason } from "../../domain/agents/actions/judge-action.ts";
import { type Agent, toAgentId } from "../../domain/agents/agent.ts";
import { toQuoteId } from "../../domain/payments/quotes/quote.ts";
import { describeAgentOrder } from "../../domain/people/approvals/shown/describe.ts";
import type { Shown } from "../../domain/people/approvals/shown/shown.ts";
import type { JsonObject } from "../../std/json.ts";
import { platformTime } from "../request/platform-time.ts";
import type { Services } from "../request/services.ts";
import { shownPayment } from "./shown-payment.ts";

/** Why the order waits for a person. */
const RULES: Readonly<Record<ApprovalReason, string>> = {
  EXECUTION_MODE: "A policy by which every order waits",
  ACCOUNT_RULE: "A policy with a rule for this account",
  THRESHOLD: "A policy by which orders above its threshold wait",
};

/** The order in the form of an order of a person. */
export function contentOf({ action, quote }: AgentActionSubject): JsonObject {
  if (quote !== null) {
    const { source, destination, sendingCurrency, receivingCurrency, description } = quote;
    return {
      quoteId: toQuoteId(quote.id),
      source: source as JsonObject,
      destination: destination as JsonObject,
      sendingCurrency,
      receivingCurrency,
      ...(description === null ? {} : { description }),
    };
  }
  const { type, sourceAccountId, destinationAccountId, amountMinor, currency } = action;
  const [from, to] =
    type === "TRANSFER_IN"
      ? [toExternalAccountId(`${sourceAccountId}`), toInternalAccountId(`${destinationAccountId}`)]
      : [toInternalAccountId(`${sourceAccountId}`), toExternalAccountId(`${destinationAccountId}`)];
  return {
    source: { accountId: from },
    destination: {
      accountId: to,
      ...(action.paymentRail === null ? {} : { paymentRail: action.paymentRail }),
    },
    amount: String(amountMinor),
    currency,
  };
}

export async function shownAgentOrder(
  services: Pick<Services, "reads" | "clock">,
  place: { readonly platformId: string; readonly name: string },
  { subject, agent }: { readonly subject: AgentActionSubject; readonly agent: Agent },
): Promise<Shown> {
  const { action, quote } = subject;
  const { platformId, name } = place;
  const content = contentOf(subject);
  const [now, payment] = await Promise.all([
    platformTime(services, platformId),
    shownPayment(quote === null ? "transferOut" : "executeQuote", content, {
      services,
      platformId,
      nameOfActor: async () => null,
    }),
  ]);
  const rule = action.approvalReason;
  return describeAgentOrder(content, {
    now,
    askedAt: action.createdAt,
    names: new Map(),
    place: name,
    asker: {
      id: toAgentId(agent.id),
      name: `The agent ${agent.name}`,
      by: rule === null ? "An order that waits" : RULES[rule],
      hours: [],
      isChanged: false,
    },
    ...(payment === undefined ? {} : { payment }),
  });
}

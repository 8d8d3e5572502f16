import { refusingAsAgent } from "../../../../domain/agents/actions/as-agent.ts";
import { createAgentQuote, immediateFaults } from "../../../../domain/agents/create-agent-quote.ts";
import { QuoteSchema, quoteExample, quoteJson } from "../../../../wire/payments/quote.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitFound } from "../../../request/submit-found.ts";
import { createQuote } from "../../payments/quotes/create-quote.ts";
import { judgeQuote, QuoteBody, readQuoteInput } from "../../payments/quotes/quote-body.ts";

export const agentCreateQuote = defineOperation({
  id: "agentCreateQuote",
  method: "POST",
  path: "/agents/me/quotes",
  access: "AGENT",
  agentPermission: "CREATE_QUOTES",
  tag: "For agents",
  summary: "Create a quote as an agent",
  description:
    "Asks for a price that holds for five minutes. " +
    "The accounts are your customer's own. Nothing is paid until the quote is executed; `immediatelyExecute` is refused, " +
    "because the policy is asked when a quote is executed. `senderCustomerInfo` adds to what is on file about your customer " +
    "and replaces none of it.",
  body: QuoteBody,
  requestExample: {
    source: quoteExample.source,
    destination: quoteExample.destination,
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 100000,
  },
  answers: { 201: { description: "The quote.", schema: QuoteSchema, example: quoteExample } },
  refusals: createQuote.refusals.filter((code) => code !== "INSUFFICIENT_BALANCE"),
  judge: (body) => ({ furtherFaults: () => immediateFaults(body), ...judgeQuote(body) }),
  async handle({ principal, body, idempotency }, services: Services) {
    const { platformId, agentId } = principal;
    const findTerms = readQuoteInput(services, platformId, body);
    return submitFound(services.engine, principal, {
      command: createAgentQuote,
      find: async () => ({ agentId, terms: await findTerms() }),
      refuse: refusingAsAgent(createAgentQuote.name, { agentId, permission: "CREATE_QUOTES" }),
      toAnswer: (quote) => ({ status: 201, body: quoteJson(quote) }),
      idempotency,
    });
  },
});

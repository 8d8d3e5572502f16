import { policyRules } from "../../domain/agents/actions/judge-action.ts";
import { webhookNotes } from "../../wire/platform/webhooks.ts";
import type { ReferenceNotes } from "./openapi.ts";

/** The introductions of the reference, by group of operations, and of the events. */
export const referenceNotes: ReferenceNotes = {
  tags: {
    Platform: "What a platform can do: its currencies, its UMA domain, where its events are sent.",
    Tokens:
      "What a platform signs its calls with. A token grants at most what the one that makes it has.",
    Customers: "People and businesses that a platform holds and moves money for.",
    "Beneficial owners": "Who owns or directs a business.",
    Documents: "Papers that a verification asks for.",
    Verifications: "Whether a customer may move money.",
    "Internal accounts": "What is held here, for customers and for the platform.",
    "External accounts":
      "Bank accounts and wallets elsewhere, which money is fetched from and sent to.",
    Discoveries: "Banks and providers that some external accounts have to name.",
    Transfers: "Money between an internal and an external account of one currency.",
    Rails:
      "How money leaves the house and is collected: connections to banks and providers, routes that say which payments each carries, " +
      "and the orders that were given to them.",
    Quotes: "A price for an exchange that holds for five minutes, and its payment.",
    Transactions: "Every movement of money, and the question whether an incoming one is taken.",
    Receivers:
      "What a UMA address or an external account can receive, before a quote is asked for.",
    "UMA providers": "Institutions whose customers can be paid at a UMA address.",
    Invitations: "Money for somebody who has no UMA address yet.",
    Sandbox: "What in production the world does: money comes in, time passes. Sandbox tokens only.",
    "Request log": "What was called and how it was answered, for some days. It is no audit log.",
    Webhooks:
      "Where events go, the key of the signatures, and a test of an endpoint. The events themselves stand at the end.",
    Ledger:
      "The books: double entry, append-only. Every internal account has an account here, and so has everything that money " +
      "passes through on its way; the balances of a currency sum to zero.",
    Statements: "What an internal account held before and after a period, and each entry between.",
    Events: "What has happened on the platform, kept forever, and a stream of what happens.",
    Agents: "Programs that act for one customer, within a policy that the platform sets.",
    "Agent approvals": "What an agent has asked for and the platform decides.",
    "For agents":
      "What an agent itself can call, with the access token that it got for its device code. A call that the agent's policy " +
      "refuses is answered with 403 `FORBIDDEN` and leaves no action behind; `details.rule` names the first rule that is " +
      `broken, in this order: ${policyRules.map((rule) => `\`${rule}\``).join(", ")}.`,
    "Wallet credentials":
      "What a customer signs in to an embedded wallet with: a mail code, an ID token, a passkey.",
    "Wallet sessions":
      "Keys that sign for an embedded wallet for a while, and the export of its own.",
  },
  webhooks: webhookNotes,
};

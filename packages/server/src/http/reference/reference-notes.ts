import { policyRules } from "../../domain/agents/actions/judge-action.ts";
import { webhookNotes } from "../../wire/events/webhooks.ts";
import type { ReferenceNotes } from "./openapi.ts";

/** The introductions of the reference, by group of operations, and of the events. */
export const referenceNotes: ReferenceNotes = {
  tags: {
    Platform:
      "The settings of a platform: its currencies, its UMA domain, where its events are sent.",
    Tokens:
      "The credentials that a platform signs its calls with. A token grants at most what the one that creates it has.",
    Customers: "People and businesses that a platform holds balances of and moves money for.",
    "Beneficial owners": "The people who own or control a business, checked with it.",
    Documents: "The papers that a verification asks for.",
    Verifications: "KYC and KYB: the check that a customer passes before moving money.",
    "Internal accounts": "Balances that are held here, of customers and of the platform.",
    "External accounts":
      "Bank accounts and wallets elsewhere, which money is pulled from and sent to.",
    Discoveries: "The banks and mobile-money operators that some external accounts have to name.",
    Transfers:
      "Money within one currency: between two internal accounts, out to an external one, or in from it.",
    Holds: "Money of an account that is set aside for payments that come later.",
    "Payment batches":
      "Many payments in one call: salaries, payouts to sellers, refunds of an event.",
    "Payment schedules":
      "Payments that are made later, once or again and again by a rule. Each due time has one run, which is decided like the single call.",
    Rails:
      "How a production platform pays out and collects: connections to banks and providers, routes that say which payments each carries, " +
      "and the orders that were given to them.",
    "Rail receivables":
      "What customers owe after money was taken back that they had spent: collected from their accounts, or written off.",
    Adjustments: "Corrections of balances, which other people agree to before they are posted.",
    Approvals: "Orders that wait until other people have agreed to them.",
    Rates: "Where the exchange rates of a platform come from, and what it adds to them.",
    Quotes:
      "Exchange and cross-border payments: a price that holds for five minutes, and its execution.",
    Transactions: "Every movement of money with its status, and the approval of incoming ones.",
    Receivers: "What a UMA address or an external account can receive, before a quote is created.",
    "UMA domains":
      "The domains of the platform's UMA addresses, and how other institutions reach them.",
    "UMA counterparties":
      "Other institutions at UMA: what the platform wants of all of them, and what it knows of each.",
    "UMA payments": "Payments of other institutions at UMA: their invoices and prices.",
    "UMA providers": "The institutions whose customers can be paid at a UMA address.",
    "UMA keys":
      "The keys by which other institutions know the platform: one for signatures, one for travel-rule data that they encrypt for it.",
    Invitations: "Money for a person who has no UMA address yet.",
    Sandbox: "What the world does in production: money comes in, time passes. Sandbox tokens only.",
    "Audit log":
      "Who changed what: people in the console, the operator, and tokens that change configuration.",
    "Request log": "The calls of the last days and their answers. It is no audit log.",
    Webhooks:
      "Where events are delivered, the keys that sign them, and tests of an endpoint. The bodies are in the list of event types.",
    Ledger:
      "The books: double entry, append-only. Every internal account has an account here, and so has everything that money " +
      "passes through on its way; the balances of a currency sum to zero.",
    Search: "Objects by their ids, and by the beginnings of words.",
    Statements:
      "The opening balance, each entry and the closing balance of an internal account in a period.",
    Exports: "The rows of a list as a file, for spreadsheets and for other systems.",
    Events: "What has happened on the platform, kept forever, as a list and as a stream.",
    Agents: "Programs that act for one customer, within a policy that the platform sets.",
    "Agent approvals": "The orders of agents that the platform approves or rejects.",
    "For agents":
      "What an agent itself can call, with the access token that it got for its device code. A call that the agent's policy " +
      "refuses is answered with 403 `FORBIDDEN` and leaves no action behind; `details.rule` names the first rule that is " +
      `broken, in this order: ${policyRules.map((rule) => `\`${rule}\``).join(", ")}.`,
    "Wallet credentials":
      "The ways in which a customer signs in to an embedded wallet: a mail code, an ID token, a passkey.",
    "Wallet sessions":
      "Keys that sign for an embedded wallet for a while, and the export of its own key.",
  },
  webhooks: webhookNotes,
};

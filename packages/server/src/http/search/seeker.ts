/** Who searches: the kinds of objects that a caller may find, and whether personal data count. */
import type { IdKind } from "../../domain/id-kinds.ts";
import type { Capability } from "../../domain/people/role.ts";
import { idKinds } from "../../domain/reading/search/find-id.sql.ts";
import type { Reads } from "../../postgres/database.ts";
import { isPerson, maySeePersonalData, type Principal } from "../request/operation.ts";

/** The capability that a person needs to find objects of a kind; `rails.read` for any other kind. */
const NEEDED: Readonly<Partial<Record<IdKind, Capability>>> = {
  Customer: "customers.read",
  BeneficialOwner: "customers.read",
  Verification: "customers.read",
  Document: "documents.read",
  Job: "customers.read",
  ExternalAccount: "accounts.read",
  InternalAccount: "accounts.read",
  Agent: "agents.read",
  AgentAction: "agents.read",
  Transaction: "payments.read",
  Quote: "quotes.read",
  WebhookEndpoint: "webhooks.read",
  EventResend: "deliveries.read",
  Statement: "statements.read",
  Export: "exports.create",
  Checkpoint: "ledger.read",
  Token: "tokens.read",
  RateSource: "rates.read",
};

function mayFind(principal: Principal, kind: IdKind): boolean {
  return !isPerson(principal) || principal.capabilities.has(NEEDED[kind] ?? "rails.read");
}

export interface Seeker {
  readonly reads: Reads;
  readonly platformId: string;
  /** Whether names, addresses and descriptions count. */
  readonly withPersonal: boolean;
  readonly allowed: readonly IdKind[];
}

export function seekerOf(reads: Reads, principal: Principal): Seeker {
  return {
    reads,
    platformId: principal.platformId,
    withPersonal: maySeePersonalData(principal),
    allowed: idKinds.filter((kind) => mayFind(principal, kind)),
  };
}

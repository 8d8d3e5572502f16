import type { Customer } from "../customers/customer.ts";
import type { InternalAccountSubject } from "../internal-accounts/internal-account.ts";
import type { InvitationSubject } from "../invitations/invitation.ts";
import type { TransactionSubject } from "../transactions/transaction.ts";

export interface CustomerSubject {
  readonly kind: "customer";
  readonly id: string;
  readonly customer: Customer;
}

/** TEST carries nothing. */
export interface TestSubject {
  readonly kind: "test";
  readonly id: string;
}

/** Everything an event can be about. */
export type EventSubject =
  | InternalAccountSubject
  | TransactionSubject
  | CustomerSubject
  | InvitationSubject
  | TestSubject;

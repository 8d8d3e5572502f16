/** The console's own operations for the form of a new payment. */
import type { Transaction } from "@florin/client";
import type { Party } from "./names.ts";

type Amount = NonNullable<Transaction["sentAmount"]>;

/** Who can pay or be paid: an account, or a UMA address. */
export interface PaymentSide {
  readonly party: Party;
  readonly accountId?: string;
  readonly umaAddress?: string;
  readonly isInternal: boolean;
  readonly currency?: string;
  readonly available?: Amount;
  readonly status?: string;
  readonly customerId?: string;
  readonly lastAt?: string;
}

/** Whether a payment would wait for other people. */
export interface PaymentWait {
  readonly approvalsNeeded: number;
  readonly above?: Amount;
  readonly twoAbove?: Amount;
  readonly isBlocked: boolean;
}

interface Sides<Query> {
  readonly query: Query & { readonly q?: string };
}

interface SidesAnswer {
  readonly data: readonly PaymentSide[];
  readonly hasMore: boolean;
}

export interface PaymentOperations {
  readonly listPaymentSources: {
    readonly call: Sides<object> & {
      readonly method: "GET";
      readonly path: readonly ["payment-sources"];
    };
    readonly answer: SidesAnswer;
  };
  readonly listPaymentDestinations: {
    readonly call: Sides<{ readonly source: string }> & {
      readonly method: "GET";
      readonly path: readonly ["payment-destinations"];
    };
    readonly answer: SidesAnswer;
  };
  readonly getPaymentWait: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["payment-wait"];
      readonly query: { readonly currency: string; readonly amount: string };
    };
    readonly answer: PaymentWait;
  };
}

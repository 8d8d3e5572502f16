/**
 * What the domain needs from a payment rail: to push money out, to pull it in, and to report the outcome later. Every call carries the
 * transaction's id as its key; a rail that gets one key twice executes it once.
 *
 * A rail also has rules that a command evaluates while it decides: pure functions of the external account.
 */

import type { ExternalAccount } from "../../accounts/external/external-account.ts";
import type { CustomerInfo } from "../../customers/customer-info.ts";
import type { Environment } from "../../platform.ts";
import type { FailureCause, FailureFacts, FailureReason } from "../transactions/failure.ts";
import type { Refund } from "../transactions/transaction.ts";

export interface RailInstruction {
  /** The rail's idempotency key: the transaction's id and, when one transaction needs several calls, the kind of call. */
  readonly key: string;
  /** Payout, pull, or refund of a payout. */
  readonly direction: "out" | "in" | "back";
  readonly purpose: "transfer" | "quote";
  /** Whether a payout gives an incoming payment back to its payer. */
  readonly isRefund?: boolean;
  readonly currency: string;
  readonly minor: bigint;
  readonly accountType: string;
  readonly primaryIdentifier: string;
  /** The reference that the beneficiary sees; undefined when nothing is paid out. */
  readonly reference: string | undefined;
  /** Platform time at which the transfer was accepted. */
  readonly acceptedAt: number;
}

export type RailAnswer =
  /** The money has arrived. When it can still be returned, the rail says when to ask again. */
  | {
      readonly kind: "settled";
      readonly mayComeBackInMs?: number;
      /** The receiver's data from its institution. */
      readonly receiverInformation?: CustomerInfo;
    }
  /** In progress; the outcome is polled later. */
  | { readonly kind: "accepted"; readonly askAgainInMs?: number }
  /** Cancelled before it arrived: the money is refunded. */
  | { readonly kind: "cancelled"; readonly cause?: FailureCause }
  /** The receiving bank returned it after it had arrived. */
  | {
      readonly kind: "returned";
      readonly failureReason: FailureReason;
      readonly cause?: FailureCause;
    }
  | {
      readonly kind: "declined";
      readonly failureReason: FailureReason;
      /** The cause, when the rail reports more than the reason. */
      readonly cause?: FailureCause;
      readonly refundReason: Refund["reason"];
      /** Whether the rail had accepted the payment before it declined it. */
      readonly wasAccepted: boolean;
      /** The sender's data that the receiver's institution requires first. */
      readonly missingPayerFields?: readonly string[];
    }
  /** The outcome is unknown and is never treated as declined. The rail can say when to ask again. */
  | { readonly kind: "unknown"; readonly askAgainInMs?: number }
  /** The rail never received this key: the payment can be sent again. */
  | { readonly kind: "not-received" };

/**
 * The bound within which every rail, and the network of UMA addresses, gives a final answer about a payment. The sandbox's
 * slowest outcome takes six minutes. `florin verify` reports payments that are in flight for longer.
 */
export const RAIL_PROMISE_MS = 15 * 60_000;

export type RailAccount = Pick<ExternalAccount, "accountType" | "primaryIdentifier">;

export interface RailRules {
  /** The rail's name, which the payment's job carries. */
  readonly name: string;
  /** Why a transfer with this account fails before any money moves; undefined when the rail is to be called. */
  failureAtOnce(account: RailAccount): FailureFacts | undefined;
}

/** The rules of the rail that carries transfers of an environment; undefined when none does. */
export type RailRulesOf = (environment: Environment) => RailRules | undefined;

export interface PaymentRail {
  readonly name: string;
  send(instruction: RailInstruction, platformTime: number): Promise<RailAnswer>;
  inquire(instruction: RailInstruction, platformTime: number): Promise<RailAnswer>;
}

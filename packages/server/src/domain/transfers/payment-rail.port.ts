/**
 * What the domain needs from a payment rail: to push money out, to pull it in, and to be asked again. Every call carries
 * the transaction's id as its key; a rail that gets one key twice executes it once.
 *
 * A rail also has rules, which a command asks while it decides: pure functions of the account outside.
 */
import type { CustomerInfo } from "../customers/customer-info.ts";
import type { ExternalAccount } from "../external-accounts/external-account.ts";
import type { Environment } from "../platforms/platform.ts";
import type { FailureCause, FailureFacts, FailureReason } from "../transactions/failure.ts";
import type { Refund } from "../transactions/transaction.ts";

export interface RailInstruction {
  /** The transaction's id, and what is done for it when there is more than one thing: the key under which the rail knows it. */
  readonly key: string;
  /** To pay out, to pull in, or to give back what was to be paid out. */
  readonly direction: "out" | "in" | "back";
  readonly purpose: "transfer" | "quote";
  readonly currency: string;
  readonly minor: bigint;
  readonly accountType: string;
  readonly primaryIdentifier: string;
  /** What the beneficiary is to see; undefined when nothing is paid out. */
  readonly reference: string | undefined;
  /** Platform time at which the transfer was accepted. */
  readonly acceptedAt: number;
}

export type RailAnswer =
  /** The money has arrived. Where it can still come back, the rail says when to ask once more. */
  | {
      readonly kind: "settled";
      readonly mayComeBackInMs?: number;
      /** The receiver's data from its institution. */
      readonly receiverInformation?: CustomerInfo;
    }
  /** Under way; to be asked about. */
  | { readonly kind: "accepted"; readonly askAgainInMs?: number }
  /** Called off before it arrived: the money is to go back to its sender. */
  | { readonly kind: "cancelled"; readonly cause?: FailureCause }
  /** It had arrived, and the receiving bank has sent it back. */
  | {
      readonly kind: "returned";
      readonly failureReason: FailureReason;
      readonly cause?: FailureCause;
    }
  | {
      readonly kind: "declined";
      readonly failureReason: FailureReason;
      /** What stood in the way, where the rail says more than the reason does. */
      readonly cause?: FailureCause;
      readonly refundReason: Refund["reason"];
      /** Whether the rail had begun with it. */
      readonly wasTakenUp: boolean;
      /** What the receiver's institution wants to know of the sender first. */
      readonly missingPayerFields?: readonly string[];
    }
  /** No word: never taken for a no. The rail may say when there will be one. */
  | { readonly kind: "unknown"; readonly askAgainInMs?: number }
  /** Asked about a key that it never got: it can be sent again. */
  | { readonly kind: "not-received" };

/**
 * Within this time every rail has its last word about a payment, and so has the network of UMA addresses. The sandbox's
 * slowest outcome takes six minutes. `florin verify` names payments that are under way for longer.
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

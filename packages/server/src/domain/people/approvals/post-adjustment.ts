import type { Command, Loaded, World } from "../../../engine/command.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import { ledgerAccounts, systemAccount } from "../../../ledger/chart.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { refuseFrozenCredit, refuseFrozenDebit } from "../../accounts/freezes/freeze.ts";
import {
  emitBalance,
  hasRoomFor,
  internalAccounts,
  toInternalAccountId,
} from "../../accounts/internal/internal-account.ts";
import { refuseLowBalance } from "../../accounts/internal/low-balance.ts";
import { refuseWithoutRoom, type SystemMove } from "../../accounts/internal/system-room.ts";
import { documents } from "../../customers/documents/document.ts";
import {
  type Adjustment,
  type AdjustmentSubject,
  adjustments,
  toAdjustmentId,
} from "../../payments/adjustments/adjustment.ts";
import { platforms } from "../../platform.ts";
import { type Approval, askForApproval, type SealedContent } from "./approval.ts";
import { noteOf } from "./approval-kinds.ts";
import { approvalPolicies, approvalsNeeded, ruleFor } from "./approval-policy.ts";
import { amountText } from "./payment-orders.ts";

export type AdjustmentOrder = Pick<
  Adjustment,
  "accountId" | "direction" | "amountMinor" | "currency" | "reasonCode" | "note" | "documentId"
>;

export interface RequestAdjustmentInput {
  readonly order: AdjustmentOrder;
  readonly sealed: SealedContent;
}

/** Asks other people to agree to an adjustment. Refuses whatever `refuseAdjustment` lists. */
export const requestAdjustment: Command<RequestAdjustmentInput, Approval> = {
  name: "request-adjustment",
  needs: (world, { order }) => [
    platforms.ref(world.platformId),
    approvalPolicies.ref(world.platformId),
    ...adjustmentNeeds(world, order),
  ],
  decide(world, { order, sealed }) {
    refuseAdjustment(world, order);
    const { environment } = world.get(platforms.ref(world.platformId));
    const policy = world.find(approvalPolicies.ref(world.platformId));
    const { currency, amountMinor: minor } = order;
    const rule = ruleFor("ADJUSTMENT", environment, policy);
    return askForApproval(world, {
      kind: "ADJUSTMENT",
      act: "createAdjustment",
      summary: summaryOf(order),
      sealed,
      amount: { currency, minor },
      capabilities: [noteOf("ADJUSTMENT").capability],
      approvalsNeeded: Math.max(1, approvalsNeeded(rule, { amount: { currency, minor } })),
    });
  },
};

/** For the dry run of an adjustment: asks for the approval, and posts the adjustment all the same. */
export const tryAdjustment: Command<
  RequestAdjustmentInput,
  { readonly adjustment: Adjustment; readonly approval: Approval }
> = {
  name: requestAdjustment.name,
  needs: requestAdjustment.needs,
  decide(world, input) {
    const approval = requestAdjustment.decide(world, input);
    return { adjustment: postAdjustment(world, { order: input.order, approval }), approval };
  },
};

export interface PostAdjustmentInput {
  readonly order: AdjustmentOrder;
  readonly approval: Pick<Approval, "id" | "requestedBy">;
}

/**
 * Posts between an account and the `adjustments` account of its currency, after people have agreed. Refuses whatever `refuseAdjustment`
 * lists.
 *
 *   adjustment.post  the account + or −; adjustments − or +
 */
export function postAdjustment(world: World, { order, approval }: PostAdjustmentInput): Adjustment {
  refuseAdjustment(world, order);
  const { accountId, currency } = order;
  const minor = signed(order);
  world.post({
    reason: "adjustment.post",
    legs: [{ account: accountId, minor }, moveOf(currency, minor)],
  });
  const adjustment = world.put(adjustments, {
    id: world.newId(),
    ...order,
    approvalId: approval.id,
    requestedBy: approval.requestedBy,
    createdAt: world.at,
  });
  const id = toAdjustmentId(adjustment.id);
  const subject: AdjustmentSubject = { kind: "Adjustment", id, adjustment };
  world.emit("ADJUSTMENT.POSTED", subject);
  emitBalance(world, accountId);
  return adjustment;
}

export function adjustmentNeeds(
  _world: Loaded,
  { accountId, currency, documentId }: AdjustmentOrder,
): readonly AnyRef[] {
  return [
    internalAccounts.ref(accountId),
    ledgerAccounts.ref(accountId),
    systemAccount("adjustments", currency),
    ...(documentId === null ? [] : [documents.ref(documentId)]),
  ];
}

const signed = ({ direction, amountMinor }: AdjustmentOrder) =>
  direction === "CREDIT" ? amountMinor : -amountMinor;

/** The posting on the `adjustments` account. */
function moveOf(currency: string, minor: bigint): SystemMove {
  return { system: "adjustments", currency, minor: -minor };
}

/**
 * Refuses, in this order: an unknown account; a currency that is not the account's; an unknown document; an account that is not active;
 * a debit of an embedded wallet; a freeze; a balance that is too low, or would be too large; books without room.
 */
function refuseAdjustment(world: World, order: AdjustmentOrder): void {
  refuseNames(world, order);
  refuseSide(world, order);
  refuseWithoutRoom(world, [moveOf(order.currency, signed(order))]);
}

function refuseNames(world: World, { accountId, currency, documentId }: AdjustmentOrder): void {
  const account = world.find(internalAccounts.ref(accountId));
  if (account === undefined) throw new Refusal("REFERENCE_NOT_FOUND", { field: "accountId" });
  if (account.currency !== currency) {
    throw new Refusal(
      "INVALID_CURRENCY",
      { field: "currency", currency: account.currency },
      `currency: the account is in ${account.currency}.`,
    );
  }
  if (documentId !== null) {
    const document = world.find(documents.ref(documentId));
    if (document === undefined || document.deletedAt !== null)
      throw new Refusal("REFERENCE_NOT_FOUND", { field: "documentId" });
  }
}

function refuseSide(world: World, order: AdjustmentOrder): void {
  const { accountId, direction, amountMinor, currency } = order;
  const account = world.get(internalAccounts.ref(accountId));
  if (account.status !== "ACTIVE") throw invalidField("accountId", "is not active");
  if (direction === "DEBIT") {
    if (account.type === "EMBEDDED_WALLET") {
      const message = "is an embedded wallet: its owner's signature alone takes money from it";
      throw invalidField("accountId", message);
    }
    refuseFrozenDebit(account, "accountId");
    refuseLowBalance(world, { accountId, currency, minor: amountMinor });
  } else {
    refuseFrozenCredit(account, "accountId");
    if (!hasRoomFor(world.get(ledgerAccounts.ref(accountId)), amountMinor)) {
      const message = `accountId: the account would exceed the maximum balance for ${currency}.`;
      throw new Refusal("AMOUNT_OUT_OF_RANGE", { field: "accountId", currency }, message);
    }
  }
}

/** The summary for approvers: `Credit of 12.50 USD to InternalAccount:…: GOODWILL`. */
function summaryOf({ direction, amountMinor, currency, accountId, reasonCode }: AdjustmentOrder) {
  const [what, where] = direction === "CREDIT" ? ["Credit", "to"] : ["Debit", "from"];
  const amount = amountText(amountMinor, currency);
  return `${what} of ${amount} ${where} ${toInternalAccountId(accountId)}: ${reasonCode}`;
}

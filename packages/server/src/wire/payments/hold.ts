import Type from "typebox";
import {
  type Hold,
  type HoldSubject,
  heldMinorOf,
  holdStatuses,
} from "../../domain/payments/holds/hold.ts";
import { exampleId } from "../id-fields.ts";
import { MetadataSchema } from "../metadata.ts";
import { partiesSchema } from "../reading/party.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const PartiesSchema = partiesSchema(["from"], "Whose account it is. ");

export const wireHold = wireObject("Hold", ({ of, maybe }: Kit<Hold>) => ({
  id: of.id("Hold", { description: "`Hold:<uuid>`", example: 29 }),
  internalAccountId: of.id("InternalAccount", { from: "accountId", example: 2 }),
  status: of.enum(holdStatuses, {
    description:
      "`CAPTURED`: all of it was captured, or the last capture released the rest. `RELEASED`: it was called off. `EXPIRED`: its time has passed.",
    example: "OPEN",
  }),
  amount: of.amount("amountMinor", { example: 12500n }),
  capturedAmount: of.amount("capturedMinor", { example: 0n }),
  heldAmount: of.amount(heldMinorOf, {
    description: "What is held now: nothing once the hold has ended.",
    example: 12500n,
  }),
  expiresAt: of.time({
    description: "When what is left of it is released.",
    example: "2026-11-28T10:00:00.000Z",
  }),
  description: maybe.text({ example: "Order 1042" }),
  metadata: maybe.json(MetadataSchema, { from: "metadata" }),
  transactionIds: of.json(Type.Array(Type.String()), {
    from: "transactionIds",
    description: "The payments that captured it, oldest first.",
    example: [],
  }),
  parties: maybe.json(PartiesSchema, { from: () => undefined }),
  createdAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
  updatedAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
}));

/** The hold after a capture of a part, and after one of all. */
export const capturedHoldExample = {
  ...wireHold.example,
  status: "CAPTURED" as const,
  capturedAmount: wireHold.example.amount,
  heldAmount: wireHold.example.capturedAmount,
  transactionIds: [exampleId("Transaction", "4")],
};

export const endedHoldExample = (status: "RELEASED" | "EXPIRED") => ({
  ...wireHold.example,
  status,
  heldAmount: wireHold.example.capturedAmount,
});

export const holdJson = ({ hold }: HoldSubject) => wireHold.json(hold);

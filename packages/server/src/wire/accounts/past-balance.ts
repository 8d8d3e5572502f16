import type { PastBalance } from "../../domain/accounts/internal/internal-account.sql.ts";
import { DateTimeSchema } from "../fields.ts";
import { type Kit, wireObject } from "../wire-object.ts";

export interface ShownBalance extends PastBalance {
  readonly accountId: string;
  readonly currency: string;
  readonly asOf: string;
  /** Null where what was held at that time is not known. */
  readonly totalMinor: bigint | null;
}

export const wireBalanceAt = wireObject("BalanceAt", ({ of, maybe }: Kit<ShownBalance>) => ({
  internalAccountId: of.id("InternalAccount", { from: "accountId", example: 2 }),
  available: of.amount("availableMinor", {
    example: 87500n,
    description: "What could be spent, without holds and payments under way.",
  }),
  total: maybe.amount("totalMinor", {
    example: 100000n,
    description:
      "With holds and payments under way. Absent for a time before the account's last change: what was held then is not stored.",
  }),
  asOf: of.json(DateTimeSchema, { example: "2026-11-21T10:00:00.000Z" }),
  sequence: of.integer({
    from: "version",
    example: 12,
    description: "The number of the account's last entry at that time; 0 before the first one.",
  }),
}));

import type { CurrencyAmount, Open, Timestamp } from "./types.ts";

export type InvitationStatus = Open<"PENDING" | "CLAIMED" | "EXPIRED" | "CANCELLED">;

export interface Invitation {
  /** Whoever has it can read and claim the invitation. */
  readonly code: string;
  readonly createdAt: Timestamp;
  /** The page to send to the one who is invited. */
  readonly url: string;
  readonly inviterUma: string;
  readonly status: InvitationStatus;
  readonly claimedAt?: Timestamp;
  readonly expiresAt?: Timestamp;
  readonly inviteeUma?: string;
  /** The inviter's. */
  readonly firstName?: string;
  /** Shown, not sent: send it yourself when `INVITATION_CLAIMED` comes. */
  readonly amountToSend?: CurrencyAmount;
}

export interface NewInvitation {
  /** Of one of your customers. */
  readonly inviterUma: string;
  readonly firstName?: string;
  /** In the smallest unit of the inviter's first currency. */
  readonly amountToSend?: number;
  readonly expiresAt?: Timestamp;
}

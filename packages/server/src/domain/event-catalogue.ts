/** The event types of this version: when each is sent, and the content of its `data`. */

export interface EventNote {
  readonly meaning: string;
  /** The content of `data`: the resource as its GET answers at that moment, or nothing. */
  readonly data: string;
  /** Not sent to the default endpoint, whose receivers were written before this type existed. */
  readonly isOptIn?: true;
}

export const eventCatalogue = {
  "OUTGOING_PAYMENT.PENDING": {
    meaning: "A transfer out was accepted and its amount is held, or a quote was made.",
    data: "Transaction",
  },
  "OUTGOING_PAYMENT.PROCESSING": {
    meaning: "The payment is on its way.",
    data: "Transaction",
  },
  "OUTGOING_PAYMENT.COMPLETED": {
    meaning: "The payment has reached its destination.",
    data: "Transaction",
  },
  "OUTGOING_PAYMENT.FAILED": {
    meaning: "The payment failed; `failureReason` says why.",
    data: "Transaction",
  },
  "OUTGOING_PAYMENT.EXPIRED": {
    meaning: "A quote was neither executed nor funded in time. No money was moved.",
    data: "Transaction",
  },
  "OUTGOING_PAYMENT.REFUND_PENDING": {
    meaning: "What was taken for a payment is on its way back; `refund.reason` says why.",
    data: "Transaction",
  },
  "OUTGOING_PAYMENT.REFUND_COMPLETED": {
    meaning: "What was taken for a payment is back where it came from.",
    data: "Transaction",
  },
  "OUTGOING_PAYMENT.REFUND_FAILED": {
    meaning:
      "What was taken for a payment could not be given back; it is held until somebody sees to it.",
    data: "Transaction",
  },
  "INCOMING_PAYMENT.PENDING": {
    meaning:
      "Money was announced or asked for and has not arrived yet. Of a UMA payment it asks whether to take it. Sent " +
      "once: a delivery that fails is not tried again.",
    data: "Transaction",
  },
  "INCOMING_PAYMENT.COMPLETED": {
    meaning: "Money has arrived and was credited.",
    data: "Transaction",
  },
  "INCOMING_PAYMENT.FAILED": {
    meaning: "Money that was announced or asked for will not come, or was turned away.",
    data: "Transaction",
  },
  "INCOMING_PAYMENT.REFUND_PENDING": {
    meaning: "A refund of an incoming payment was accepted and is on its way back to the payer.",
    data: "Transaction",
    isOptIn: true,
  },
  "INCOMING_PAYMENT.REFUND_COMPLETED": {
    meaning:
      "Money of an incoming payment is back with the payer; the payment is REFUNDED once all of it is.",
    data: "Transaction",
    isOptIn: true,
  },
  "INCOMING_PAYMENT.REFUND_FAILED": {
    meaning:
      "A refund of an incoming payment failed; its money is back on the account and can be refunded again.",
    data: "Transaction",
    isOptIn: true,
  },
  "PAYMENT_SCHEDULE.RUN_FAILED": {
    meaning:
      "A run of a payment schedule was refused; `lastRun.error` has the code, and `lastRun.retryAt` says when it is tried again, if it is.",
    data: "PaymentSchedule",
    isOptIn: true,
  },
  "PAYMENT_SCHEDULE.RUN_MISSED": {
    meaning:
      "The server was down at a due time of a payment schedule and for more than a day after it. That run is not made.",
    data: "PaymentSchedule",
    isOptIn: true,
  },
  "INTERNAL_ACCOUNT.BALANCE_UPDATED": {
    meaning:
      "The `balance` of an internal account has changed: what can be spent. Money on its way out is in `totalBalance` until " +
      "its payment is settled; that `totalBalance` follows then is not told by an event of its own.",
    data: "InternalAccount",
  },
  "INTERNAL_ACCOUNT.ALERT": {
    meaning: "The available balance of an account has passed the amount of an alert.",
    data: "AlertedBalance",
    isOptIn: true,
  },
  "HOLD.CREATED": {
    meaning: "Money of an internal account is held.",
    data: "Hold",
    isOptIn: true,
  },
  "HOLD.CAPTURED": {
    meaning:
      "A payment was made from a hold; `transactionIds` names it last. An OPEN hold can be captured again.",
    data: "Hold",
    isOptIn: true,
  },
  "HOLD.RELEASED": {
    meaning: "A hold was called off; what was left of it is available again.",
    data: "Hold",
    isOptIn: true,
  },
  "HOLD.EXPIRED": {
    meaning: "The time of a hold has passed; what was left of it is available again.",
    data: "Hold",
    isOptIn: true,
  },
  "INTERNAL_ACCOUNT.FROZEN": {
    meaning: "An internal account was frozen, or its freeze has another reason or scope.",
    data: "InternalAccount",
    isOptIn: true,
  },
  "INTERNAL_ACCOUNT.UNFROZEN": {
    meaning: "The freeze of an internal account was lifted.",
    data: "InternalAccount",
    isOptIn: true,
  },
  "CUSTOMER.FROZEN": {
    meaning: "A customer was frozen with all accounts, or the freeze has another reason or scope.",
    data: "Customer",
    isOptIn: true,
  },
  "CUSTOMER.UNFROZEN": {
    meaning: "The freeze of a customer was lifted.",
    data: "Customer",
    isOptIn: true,
  },
  "CUSTOMER.KYC_PENDING": {
    meaning: "The checks on an individual customer have begun.",
    data: "Customer",
  },
  "CUSTOMER.KYC_APPROVED": {
    meaning: "An individual customer passed the checks and can move money.",
    data: "Customer",
  },
  "CUSTOMER.KYC_REJECTED": {
    meaning: "An individual customer did not pass the checks.",
    data: "Customer",
  },
  INVITATION_CLAIMED: {
    meaning:
      "Somebody has claimed an invitation and awaits the money at `inviteeUma`. Elsewhere this type is also spelled " +
      "`INVITATION.CLAIMED`.",
    data: "Invitation",
  },
  "CUSTOMER.KYB_PENDING": {
    meaning: "The checks on a business customer have begun.",
    data: "Customer",
  },
  "CUSTOMER.KYB_APPROVED": {
    meaning: "A business customer passed the checks and can move money.",
    data: "Customer",
  },
  "CUSTOMER.KYB_REJECTED": {
    meaning: "A business customer did not pass the checks.",
    data: "Customer",
  },
  "VERIFICATION.RESOLVE_ERRORS": {
    meaning: "Something is missing or wrong before a customer can be checked; `errors` lists it.",
    data: "Verification",
  },
  "VERIFICATION.IN_PROGRESS": {
    meaning: "What was submitted of a customer is complete and is being checked.",
    data: "Verification",
  },
  "VERIFICATION.PENDING_MANUAL_REVIEW": {
    meaning: "A person decides about the customer.",
    data: "Verification",
  },
  "VERIFICATION.APPROVED": {
    meaning: "The check has ended well.",
    data: "Verification",
  },
  "VERIFICATION.REJECTED": {
    meaning: "The check has ended with a refusal.",
    data: "Verification",
  },
  "PAYMENT_BATCH.COMPLETED": {
    meaning:
      "No item of a batch of payments waits any more: each was made a payment, was refused, or was cancelled. Its payments tell " +
      "of themselves.",
    data: "PaymentBatch",
    isOptIn: true,
  },
  "BULK_UPLOAD.COMPLETED": {
    meaning: "Every row of a bulk upload was taken or refused.",
    data: "BulkJob",
  },
  "BULK_UPLOAD.FAILED": {
    meaning: "The file of a bulk upload could not be read; nothing was taken from it.",
    data: "BulkJob",
  },
  "AGENT_ACTION.PENDING_APPROVAL": {
    meaning: "An agent has asked for something that the platform must approve or reject first.",
    data: "AgentAction",
  },
  "WEBHOOK_ENDPOINT.DISABLED": {
    meaning:
      "A webhook endpoint beside the default one was disabled, because every attempt had failed for five days.",
    data: "WebhookEndpoint",
    isOptIn: true,
  },
  "RAIL_CONNECTION.DEGRADED": {
    meaning:
      "Exchanges with a connector fail. What is queued waits; the connection is probed once a minute and goes on by itself.",
    data: "RailConnection",
    isOptIn: true,
  },
  "RAIL_CONNECTION.RECOVERED": {
    meaning: "A degraded connection answers again; what was queued is sent.",
    data: "RailConnection",
    isOptIn: true,
  },
  "RAIL_PAYMENT.UNKNOWN": {
    meaning:
      "A payment was sent and its rail has not reported about it for a minute. It is asked about for ever; its money stays held.",
    data: "RailPayment",
    isOptIn: true,
  },
  "RAIL_PAYMENT.CONFLICT": {
    meaning:
      "A rail reports about a payment what contradicts an earlier report. No money was moved; a person decides by a mark.",
    data: "RailPayment",
    isOptIn: true,
  },
  "RAIL_ITEM.OPEN": {
    meaning:
      "Money moved at a connection and nothing says what for. It is in the connection's suspense account until a person resolves the item.",
    data: "RailItem",
    isOptIn: true,
  },
  "RAIL_ITEM.AGED": {
    meaning: "An item is open for 1, 5 or 20 banking days of its connection.",
    data: "RailItem",
    isOptIn: true,
  },
  "RAIL_RECONCILIATION.DIFFERENCE": {
    meaning:
      "A statement of a rail connection says another balance than its entries explain. Of a connector the same difference is told once.",
    data: "RailStatement",
    isOptIn: true,
  },
  "RATE_SOURCE.STALE": {
    meaning:
      "The oldest rate of a source is older than its `maxAgeMinutes`; quotes at it are refused, or priced by the next source. Told " +
      "once until the source has new rates.",
    data: "RateSource",
    isOptIn: true,
  },
  "RATE_SOURCE.REFUSED": {
    meaning:
      "A source said a value that is no rate, or that is further from the last one than `maxMovePercent`. The rate before it stays in use.",
    data: "RateSource",
    isOptIn: true,
  },
  "UMA_KEY.EXPIRING": {
    meaning:
      "The certificate that an authority gave for a UMA key expires in 30, 7 or 1 days: `notAfter` says when. Sent once for each. A self-signed certificate is replaced by itself.",
    data: "UmaKey",
    isOptIn: true,
  },
  "UMA_KEY.EXPIRED": {
    meaning:
      "The certificate of a UMA key has expired. Payments to and from other institutions are refused until the key has another one.",
    data: "UmaKey",
    isOptIn: true,
  },
  "UMA_KEY.ROTATED": {
    meaning: "A new UMA key has taken over; `use` says which one.",
    data: "UmaKey",
    isOptIn: true,
  },
  "UMA_DOMAIN.UNREACHABLE": {
    meaning:
      "Three checks in a row have found faults in the routing of a UMA domain; `lastCheck.faults` lists them. Other institutions may not reach it.",
    data: "UmaDomain",
    isOptIn: true,
  },
  "UMA_DOMAIN.REACHABLE": {
    meaning: "A check has found the routing of an unreachable UMA domain in order again.",
    data: "UmaDomain",
    isOptIn: true,
  },
  "UMA_COUNTERPARTY.SEEN": {
    meaning:
      "The first message of another institution at UMA has come, with a signature that held.",
    data: "UmaCounterparty",
    isOptIn: true,
  },
  "UMA_COUNTERPARTY.KEY_CHANGED": {
    meaning:
      "Another institution signs with another key than before: `signingKey.fingerprint` in place of `signingKey.previous`. While `keyState` is `CHANGED`, its messages are refused until the key is accepted.",
    data: "UmaCounterparty",
    isOptIn: true,
  },
  "UMA_COUNTERPARTY.PROBING": {
    meaning:
      "Another institution has asked for more than 100 unknown users within ten minutes. Its lookups get 429 for ten minutes; each server of the deployment counts for itself.",
    data: "UmaCounterparty",
    isOptIn: true,
  },
  "APPROVAL.PENDING": {
    meaning: "An order waits until other people have agreed to it.",
    data: "Approval",
    isOptIn: true,
  },
  "APPROVAL.DONE": {
    meaning:
      "The people have agreed, and the order was carried out; `resultId` names what it made.",
    data: "Approval",
    isOptIn: true,
  },
  "APPROVAL.FAILED": {
    meaning:
      "The people have agreed, and the order was refused when it was to be carried out; `failure` says why. Nothing was done.",
    data: "Approval",
    isOptIn: true,
  },
  "APPROVAL.REJECTED": {
    meaning: "A person has refused an order that waited. Nothing was done.",
    data: "Approval",
    isOptIn: true,
  },
  "APPROVAL.CANCELLED": {
    meaning: "The person who asked for an order has taken it back. Nothing was done.",
    data: "Approval",
    isOptIn: true,
  },
  "APPROVAL.EXPIRED": {
    meaning: "An order was not decided within a week. Nothing was done.",
    data: "Approval",
    isOptIn: true,
  },
  "ADJUSTMENT.POSTED": {
    meaning: "The balance of an internal account was corrected, as people had agreed.",
    data: "Adjustment",
    isOptIn: true,
  },
  "LEDGER.CHECKPOINT": {
    meaning:
      "A checkpoint of the command log was signed. A receiver that keeps it can tell later whether anything before it was changed.",
    data: "Checkpoint",
    isOptIn: true,
  },
  TEST: {
    meaning:
      "The platform has set a new webhook endpoint, or asked for a test of it. " +
      "Sent once: a delivery that fails is not tried again.",
    data: "nothing",
  },
} as const satisfies Readonly<Record<string, EventNote>>;

export type EventType = keyof typeof eventCatalogue;

/** The kinds of content, each with a row in `wire/events/event-contents.ts`. They are the `kind`s of the events' subjects. */
export type EventContent = (typeof eventCatalogue)[EventType]["data"];

export const eventTypes = Object.keys(eventCatalogue) as readonly EventType[];

/** Types that the default endpoint does not get. */
export const optInTypes = eventTypes.filter((type) => {
  const note: EventNote = eventCatalogue[type];
  return note.isOptIn === true;
});

/** Colours for the states of the API, one for each meaning. The state's word is always shown beside it. */
export type Tone = "good" | "wait" | "bad" | "note" | "plain";

const TONES: Readonly<Record<string, Tone>> = {
  COMPLETED: "good",
  DONE: "good",
  ACTIVE: "good",
  APPROVED: "good",
  DELIVERED: "good",
  SETTLED: "good",
  READY: "good",
  RESOLVED: "good",
  CLAIMED: "good",
  CONNECTED: "good",
  MATCHED: "good",
  CONFIRMED: "good",
  COLLECTED: "good",
  CAPTURED: "good",
  CREATED: "plain",
  PENDING: "wait",
  PROCESSING: "wait",
  WAITING: "wait",
  BEHIND: "wait",
  QUEUED: "wait",
  SENDING: "wait",
  SENT: "wait",
  ACCEPTED: "wait",
  UNKNOWN: "wait",
  OPEN: "wait",
  RUNNING: "wait",
  HELD: "wait",
  SETUP: "wait",
  IN_PROGRESS: "wait",
  READY_FOR_VERIFICATION: "wait",
  PENDING_MANUAL_REVIEW: "wait",
  PENDING_APPROVAL: "wait",
  UNDER_REVIEW: "wait",
  PARTIAL_MATCH: "wait",
  INVITED: "wait",
  RESOLVE_ERRORS: "wait",
  DEGRADED: "bad",
  FAILED: "bad",
  MISSED: "bad",
  FAILING: "bad",
  REJECTED: "bad",
  STOPPED: "bad",
  DECLINED: "bad",
  RETURNED: "bad",
  FROZEN: "bad",
  SUSPENDED: "bad",
  NOT_MATCHED: "bad",
  REFUNDED: "note",
  PAUSED: "note",
  WRITTEN_OFF: "note",
  REFUSED: "note",
  EXPIRED: "plain",
  RELEASED: "plain",
  CANCELLED: "plain",
};

export function toneOf(state: string): Tone {
  return TONES[state] ?? "plain";
}

/** The tone of an HTTP status. */
export function statusTone(status: number): Tone {
  if (status >= 500) return "bad";
  if (status >= 400) return "wait";
  return status >= 200 && status < 300 ? "good" : "plain";
}

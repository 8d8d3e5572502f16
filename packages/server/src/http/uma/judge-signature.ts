/** Judges the signature of an institution, by its keys, and answers those that do not hold. */
import type {
  CounterpartyKeySource,
  CounterpartyKeys,
  JudgedSignature,
} from "../../domain/uma/keys/counterparty-keys.port.ts";
import type { Signature } from "../../formats/uma/signature-members.ts";
import { signedText } from "../../formats/uma/signatures.ts";
import { type Clock, within } from "../../std/clock.ts";
import { type Verifications, VerificationsBusy } from "./lookup/verifications.ts";
import { type UmaAnswer, umaError } from "./uma-answer.ts";

export interface JudgeTools {
  readonly clock: Clock;
  readonly keys: Pick<CounterpartyKeySource, "judge">;
  readonly verifications: Verifications;
}

export interface ClaimedSignature {
  /** In lower case. */
  readonly vaspDomain: string;
  readonly signature: Signature;
  /** What may have been signed, in the order in which it is tried. */
  readonly addresses: readonly string[];
  /** The key of the caller's address. */
  readonly caller: string;
}

export interface GoodText {
  readonly kind: "good";
  readonly text: string;
  readonly keys: CounterpartyKeys;
}

export type NotGood =
  | { readonly kind: "busy" }
  | Exclude<JudgedSignature, { readonly kind: "good" }>;

export type GoodAddress = GoodText & { readonly signedAddress: string };
export type Judged = GoodAddress | NotGood;
export type JudgedText = GoodText | NotGood;

/** The keys of an institution are fetched, and the signature is judged, within this time. */
const JUDGED_WITHIN_MS = 6_500;

const late: NotGood = {
  kind: "fault",
  code: "COUNTERPARTY_PUBKEY_FETCH_ERROR",
  reason: "the keys were not there in time",
};

export function judgeSignature(tools: JudgeTools, claimed: ClaimedSignature): Promise<Judged> {
  return inTime(tools, judgeAddresses(tools, claimed));
}

/** Judges the signature of a message that is about no address: one after a payment. */
export function judgeHookSignature(
  tools: JudgeTools,
  { vaspDomain, signature, caller }: Omit<ClaimedSignature, "addresses">,
): Promise<JudgedText> {
  const text = signedText([], signature);
  return inTime(tools, judgeText(tools, { vaspDomain, signature, caller, text }));
}

function inTime<Outcome>(
  { clock }: JudgeTools,
  judging: Promise<Outcome>,
): Promise<Outcome | NotGood> {
  return within<Outcome | NotGood>(judging, {
    clock,
    limitMs: JUDGED_WITHIN_MS,
    late: () => late,
  });
}

async function judgeAddresses(
  tools: JudgeTools,
  { signature, addresses, ...claimed }: ClaimedSignature,
): Promise<Judged> {
  for (const signedAddress of new Set(addresses)) {
    const text = signedText([signedAddress], signature);
    const judged = await judgeText(tools, { ...claimed, signature, text });
    if (judged.kind === "good") return { ...judged, signedAddress };
    if (judged.kind !== "wrong") return judged;
  }
  return { kind: "wrong" };
}

async function judgeText(
  { keys, verifications }: JudgeTools,
  {
    vaspDomain,
    signature: { signature },
    caller,
    text,
  }: Omit<ClaimedSignature, "addresses"> & { readonly text: string },
): Promise<JudgedText> {
  try {
    const judged = await keys.judge(vaspDomain, { text, signature }, verifications.of(caller));
    return judged.kind === "good" ? { ...judged, text } : judged;
  } catch (error) {
    if (error instanceof VerificationsBusy) return { kind: "busy" };
    throw error;
  }
}

export function faultAnswer({
  code,
  reason,
}: Extract<JudgedSignature, { readonly kind: "fault" }>): UmaAnswer {
  const status = code === "COUNTERPARTY_PUBKEY_FETCH_ERROR" ? 424 : 400;
  return umaError(status, code, `The keys of the institution cannot be used: ${reason}.`);
}

export const wrongSignature = umaError(
  401,
  "INVALID_SIGNATURE",
  "The signature is not one of the address, the nonce and the timestamp by the key of the institution.",
);

export const keysNotAllowed = umaError(
  400,
  "CERT_CHAIN_INVALID",
  "The keys of the institution are not of the kind that is taken here.",
);

export const usedNonce = umaError(
  400,
  "INVALID_NONCE",
  "This message was accepted before; sign a new one.",
);

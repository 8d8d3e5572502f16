/**
 * The faults that a sandbox provokes in its answers to other institutions, so that their side can be tried out. A fault is taken once the
 * message of the other side has held, and is in the answer to it alone.
 */
import { domainOf } from "../../domain/customers/uma-address.ts";
import { findClaimant } from "../../domain/uma/domains/served-domain.sql.ts";
import type { ExchangeKind } from "../../domain/uma/exchanges/exchange-log.port.ts";
import {
  findSandboxFault,
  isIn,
  type SandboxFaultKind,
  sandboxFaultKinds,
  takeSandboxFault,
} from "../../domain/uma/faults/sandbox-fault.ts";
import type { UmaKey } from "../../domain/uma/keys/uma-key.ts";
import type { AcceptedAnswers } from "../../domain/uma/lookups/lookup.port.ts";
import type { Engine } from "../../engine/engine.ts";
import type { PayAnswer } from "../../formats/uma/pay-message.ts";
import type { Signature } from "../../formats/uma/signature-members.ts";
import { signedText } from "../../formats/uma/signatures.ts";
import { unsupportedVersion } from "../../formats/uma/version.ts";
import { getCurrency } from "../../money/currency.ts";
import type { Reads } from "../../postgres/database.ts";
import type { OwnKeyTools } from "../operations/uma/own-keys.ts";
import { type UmaAnswer, umaError } from "./uma-answer.ts";

export type Fault = SandboxFaultKind | undefined;

export interface FaultTools {
  readonly engine: Pick<Engine, "submit">;
  readonly reads: Reads;
}

/** The fault of this exchange. Asked of sandboxes alone, and costs them a read. */
export async function takeFault(
  { engine, reads }: FaultTools,
  platformId: string,
  exchange: ExchangeKind,
): Promise<Fault> {
  if (!isIn(await findSandboxFault(reads, platformId), exchange)) return undefined;
  const { status, body } = await engine.submit({
    platformId,
    actor: { kind: "worker", id: "uma" },
    command: takeSandboxFault,
    input: exchange,
    toAnswer: (kind) => ({ status: 200, body: kind ?? "" }),
  });
  return status === 200 ? sandboxFaultKinds.find((kind) => kind === body) : undefined;
}

/** More than another institution reads of any answer. */
const HUGE_BYTES = 300_000;

/** What is answered in place of an answer; undefined for a fault that is in the answer itself. */
export function answerInstead(fault: Fault, umaVersion: string): UmaAnswer | undefined {
  switch (fault) {
    case "HANG":
      return { ...provoked(503, "HANG"), isHeld: true };
    case "HUGE":
      return { status: 200, code: fault, body: JSON.stringify({ filler: "x".repeat(HUGE_BYTES) }) };
    case "REDIRECT":
      return { status: 302, code: fault, body: "", location: "https://elsewhere.example/" };
    case "REFUSE_KYC":
      return provoked(400, "SENDER_NOT_ACCEPTED");
    case "VERSION_9": {
      const told = { ...unsupportedVersion(umaVersion), supportedMajorVersions: [9] };
      return { status: 412, code: told.code, body: JSON.stringify(told) };
    }
    default:
      return undefined;
  }
}

function provoked(status: number, code: string): UmaAnswer {
  return umaError(status, code, "Provoked by PUT /sandbox/uma/faults.");
}

/** Older than any message may be. */
const OLD_MS = 400_000;

interface Signed {
  readonly platformId: string;
  readonly key: UmaKey;
  readonly addresses: readonly string[];
  readonly kind: "lookup-answer" | "pay-answer";
  /** The domain of the institution that asks. */
  readonly vaspDomain: string;
}

export interface FaultySignatureTools extends Pick<OwnKeyTools, "umaKeys" | "clock"> {
  readonly reads: Reads;
  readonly accepted: AcceptedAnswers;
}

/** Signs an answer about the last of the addresses, with the fault. */
export async function signWith(
  tools: FaultySignatureTools,
  fault: Fault,
  { platformId, key, kind, vaspDomain, addresses }: Signed,
): Promise<Signature> {
  const now = tools.clock.now();
  const signature = await tools.umaKeys.sign(platformId, key, {
    addresses: fault === "BAD_SIGNATURE" ? [...addresses, "another"] : addresses,
    now: fault === "OLD_TIMESTAMP" ? now - OLD_MS : now,
  });
  if (fault === "REPLAYED_NONCE") await useUp(tools, { kind, vaspDomain, addresses, signature });
  return signature;
}

/** Notes at the sandbox that asks that it has had this answer. An institution outside gets an ordinary answer. */
async function useUp(
  { reads, accepted }: FaultySignatureTools,
  {
    kind,
    vaspDomain,
    addresses,
    signature,
  }: Omit<Signed, "platformId" | "key"> & { readonly signature: Signature },
): Promise<void> {
  const asking = await findClaimant(reads, "SANDBOX", vaspDomain);
  if (asking === undefined) return;
  const text = signedText(addresses, signature);
  const signedAt = Number(signature.timestamp) * 1_000;
  const domain = domainOf(addresses.at(-1) ?? "");
  await accepted.use(asking, { kind, domain, text, signedAt });
}

/** How long the invoice of a pay request lives; undefined: as long as it was priced for. */
export function secondsOf(fault: Fault): number | undefined {
  return fault === "SHORT_EXPIRY" ? 30 : undefined;
}

export function convertedWith(fault: Fault, converted: PayAnswer["converted"]) {
  if (fault === "WRONG_AMOUNT") return { ...converted, amount: 2n * converted.amount + 1n };
  if (fault !== "WRONG_CURRENCY") return converted;
  const currencyCode = converted.currencyCode === "EUR" ? "USD" : "EUR";
  return { ...converted, currencyCode, decimals: getCurrency(currencyCode).decimals };
}

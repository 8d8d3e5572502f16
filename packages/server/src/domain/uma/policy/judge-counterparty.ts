/**
 * Whether a platform exchanges messages with another institution. The same rules hold for messages in and out, in this order: what needs no
 * key comes first, so that nothing is fetched for a domain that is refused anyway.
 */
import {
  acceptedFingerprint,
  type CounterpartyStatus,
  type UmaCounterparty,
} from "./uma-counterparty.ts";
import type { UmaPolicy } from "./uma-policy.ts";

/** What is stored about a domain. */
export interface KnownCounterparty {
  readonly domain: string;
  readonly ownDomains: readonly string[];
  readonly policy: UmaPolicy;
  readonly counterparty: UmaCounterparty | undefined;
}

/** What an exchange tells. The facts that are known so far are judged. */
export interface CounterpartyFacts {
  /** `IN` for messages that come, and answers to them. */
  readonly direction: "IN" | "OUT";
  /** What the institution says of itself; undefined before it has. */
  readonly isSubjectToTravelRule?: boolean | undefined;
  /** Its published keys; undefined before they are fetched. */
  readonly keys?: KeyFacts | undefined;
  /** What it says of its customer: the payer of a message in, the receiver of one out. */
  readonly kycStatus?: string | undefined;
}

/** A raw key without certificates names no domain and is of no authority. */
export interface KeyFacts {
  readonly fingerprint: string;
  /** Whether the leaves of both chains name the domain. */
  readonly namesDomain: boolean;
  /** Whether both chains end at an authority of the policy. */
  readonly isOfAuthority: boolean;
}

export type CounterpartyFaultReason =
  | "OWN_DOMAIN"
  | "RECEIVING_OFF"
  | "SENDING_OFF"
  | "BLOCKED"
  | "NOT_LISTED"
  | "UNREGULATED"
  | "CERTIFICATE_OF_ANOTHER_DOMAIN"
  | "CERTIFICATE_OF_ANOTHER_AUTHORITY"
  | "KEY_CHANGED"
  | "PAYER_NOT_VERIFIED"
  | "RECEIVER_NOT_VERIFIED";

export interface CounterpartyFault {
  readonly code: "COUNTERPARTY_NOT_ALLOWED" | "CERT_CHAIN_INVALID" | "SENDER_NOT_ACCEPTED";
  readonly reason: CounterpartyFaultReason;
}

type Settings = Pick<UmaPolicy, "unregulated" | "certificates" | "pinKeys" | "callbackHosts">;

/** The settings that hold for a counterparty. */
export function settingsFor(
  { unregulated, certificates, pinKeys, callbackHosts }: UmaPolicy,
  counterparty: Pick<UmaCounterparty, "overrides"> | undefined,
): Settings {
  return { unregulated, certificates, pinKeys, callbackHosts, ...counterparty?.overrides };
}

/** Undefined when nothing that is known speaks against the exchange. */
export function judgeCounterparty(
  known: KnownCounterparty,
  facts: CounterpartyFacts,
): CounterpartyFault | undefined {
  const { policy, counterparty } = known;
  const settings = settingsFor(policy, counterparty);
  const refused =
    refusedDomain(known, facts) ??
    (settings.unregulated === "REFUSE" && facts.isSubjectToTravelRule === false
      ? "UNREGULATED"
      : undefined);
  if (refused !== undefined) return { code: "COUNTERPARTY_NOT_ALLOWED", reason: refused };
  const wrongKey = refusedKey(settings, counterparty, facts.keys);
  if (wrongKey !== undefined) return { code: "CERT_CHAIN_INVALID", reason: wrongKey };
  return refusedPerson(policy, facts);
}

function refusedDomain(
  {
    policy: { receive, send, counterparties },
    counterparty,
    domain,
    ownDomains,
  }: KnownCounterparty,
  { direction }: CounterpartyFacts,
): CounterpartyFaultReason | undefined {
  if (ownDomains.includes(domain)) return "OWN_DOMAIN";
  if (direction === "IN" && !receive) return "RECEIVING_OFF";
  if (direction === "OUT" && !send) return "SENDING_OFF";
  return refusedStatus({ counterparties }, counterparty?.status ?? "DEFAULT");
}

/** Why a counterparty with this status is refused; undefined when it is not. */
export function refusedStatus(
  { counterparties }: Pick<UmaPolicy, "counterparties">,
  status: CounterpartyStatus,
): "BLOCKED" | "NOT_LISTED" | undefined {
  if (status === "BLOCKED") return "BLOCKED";
  return counterparties === "LISTED" && status !== "ALLOWED" ? "NOT_LISTED" : undefined;
}

function refusedKey(
  { certificates, pinKeys }: Settings,
  counterparty: UmaCounterparty | undefined,
  keys: KeyFacts | undefined,
): CounterpartyFaultReason | undefined {
  if (keys === undefined) return undefined;
  if (certificates !== "ANY" && !keys.namesDomain) return "CERTIFICATE_OF_ANOTHER_DOMAIN";
  if (certificates === "AUTHORITY" && !keys.isOfAuthority)
    return "CERTIFICATE_OF_ANOTHER_AUTHORITY";
  const accepted = counterparty === undefined ? null : acceptedFingerprint(counterparty);
  const isOther = accepted !== null && accepted !== keys.fingerprint;
  return pinKeys && isOther ? "KEY_CHANGED" : undefined;
}

function refusedPerson(
  { payerKyc, receiverKyc }: UmaPolicy,
  { direction, kycStatus }: CounterpartyFacts,
): CounterpartyFault | undefined {
  if (kycStatus === undefined || kycStatus === "VERIFIED") return undefined;
  if (direction === "IN" && payerKyc === "VERIFIED")
    return { code: "SENDER_NOT_ACCEPTED", reason: "PAYER_NOT_VERIFIED" };
  if (direction === "OUT" && receiverKyc === "VERIFIED")
    return { code: "COUNTERPARTY_NOT_ALLOWED", reason: "RECEIVER_NOT_VERIFIED" };
  return undefined;
}

/** Whether a URL that a counterparty gave may be called. `host` is that of the URL, `domain` may have a port. */
export function permitsCallbackHost(
  { callbackHosts }: Pick<Settings, "callbackHosts">,
  domain: string,
  host: string,
): boolean {
  const [name = ""] = domain.split(":");
  return callbackHosts === "ANY" || host === name || host.endsWith(`.${name}`);
}

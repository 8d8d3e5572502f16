/** What a platform wants of other institutions at UMA. A platform that has set nothing has the defaults, and no row. */
import type { Loaded } from "../../../engine/command.ts";
import { platformRowFinderOf } from "../../../tables/find-row.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";

export const counterpartyChoices = ["ALL", "LISTED"] as const;
export const unregulatedChoices = ["ALLOW", "REFUSE"] as const;
export const kycChoices = ["ANY", "VERIFIED"] as const;
export const certificateChoices = ["ANY", "DOMAIN", "AUTHORITY"] as const;
export const callbackHostChoices = ["ANY", "SAME_DOMAIN"] as const;
export const networkChoices = ["SIMULATED", "PROTOCOL"] as const;

export type CounterpartyChoice = (typeof counterpartyChoices)[number];
export type UnregulatedChoice = (typeof unregulatedChoices)[number];
export type KycChoice = (typeof kycChoices)[number];
export type CertificateChoice = (typeof certificateChoices)[number];
export type CallbackHostChoice = (typeof callbackHostChoices)[number];
export type NetworkChoice = (typeof networkChoices)[number];

export const MOST_AUTHORITIES = 20;
export const LONGEST_AUTHORITY = 16_384;
export const MOST_LAYERS = 20;
export const LEAST_INVOICE_SECONDS = 60;
export const MOST_INVOICE_SECONDS = 3_600;

const columns = {
  /** The platform's id. */
  id: fixed("uuid"),
  /** Whether other institutions may pay the platform's customers. */
  receive: mutable("bool"),
  /** Whether the platform's customers may pay customers of other institutions. */
  send: mutable("bool"),
  counterparties: mutable<CounterpartyChoice>("text"),
  /** Institutions that say they are not subject to the travel rule. */
  unregulated: mutable<UnregulatedChoice>("text"),
  /** What another institution must say of its customer before the platform pays. */
  receiverKyc: mutable<KycChoice>("text"),
  /** What another institution must say of its customer before the platform is asked about a payment. */
  payerKyc: mutable<KycChoice>("text"),
  certificates: mutable<CertificateChoice>("text"),
  /** Root certificates in PEM. */
  authorities: mutable<readonly string[]>("json"),
  pinKeys: mutable("bool"),
  callbackHosts: mutable<CallbackHostChoice>("text"),
  /** How long an invoice of the platform lives. */
  invoiceSeconds: mutable("int4"),
  /** Settlement layers, the preferred one first. One that is not named comes last. */
  layers: mutable<readonly string[]>("json"),
  /** Of a sandbox: whether its counterparties are simulated. */
  network: mutable<NetworkChoice>("text"),
  updatedAt: mutable("time"),
};

export interface UmaPolicyRow extends RowOf<typeof columns> {}

export type UmaPolicy = Omit<UmaPolicyRow, "id" | "updatedAt">;

export const umaPolicies = defineTable<UmaPolicyRow>("uma_policies", columns);

/** Undefined while a platform has set none. */
export const findUmaPolicy = platformRowFinderOf(umaPolicies);

export const DEFAULT_UMA_POLICY: UmaPolicy = {
  receive: true,
  send: true,
  counterparties: "ALL",
  unregulated: "ALLOW",
  receiverKyc: "ANY",
  payerKyc: "ANY",
  certificates: "ANY",
  authorities: [],
  pinKeys: false,
  callbackHosts: "ANY",
  invoiceSeconds: 300,
  layers: [],
  network: "SIMULATED",
};

/** The policy in a command, whose `needs` names `umaPolicies.ref(platformId)`. */
export function umaPolicyOf(world: Loaded): UmaPolicy {
  return world.find(umaPolicies.ref(world.platformId)) ?? DEFAULT_UMA_POLICY;
}

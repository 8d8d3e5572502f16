/**
 * Messages after a payment, as they are agreed with the request to pay: where the payer's institution is told of it, and where it tells of
 * it. Sandboxes of the deployment do not tell each other.
 */
import { domainOf } from "../../../domain/customers/uma-address.ts";
import type { HookTokens } from "../../../domain/uma/hooks/hook-token.ts";
import type { InvoiceHook, UmaInvoice } from "../../../domain/uma/incoming/uma-invoice.ts";
import type { CallbackGrant } from "../../../domain/uma/receiving/callback-token.ts";
import type { PayRequest } from "../../../formats/uma/pay-message.ts";
import type { Clock } from "../../../std/clock.ts";
import { hookUrl } from "../callback-url.ts";
import type { ServedHosts } from "../served-hosts.ts";

export interface PayHookTools {
  readonly clock: Clock;
  readonly hosts: Pick<ServedHosts, "find">;
  readonly hookTokens: Pick<HookTokens, "make">;
  /** Whether a URL that an institution gives may be called. */
  readonly permitsCallback: (
    of: { readonly platformId: string; readonly domain: string },
    url: string,
  ) => Promise<boolean>;
  publicUrl(): string;
}

/** Where the payer's institution wants to be told. A URL that may not be called is left out: the payment does not depend on it. */
export async function payerHook(
  { permitsCallback }: PayHookTools,
  { platformId, vaspDomain, address, isAmongSandboxes }: CallbackGrant,
  { payer }: PayRequest,
): Promise<InvoiceHook | null> {
  const { utxoCallback: callback } = payer.compliance;
  if (callback === undefined || isAmongSandboxes) return null;
  const isPermitted = await permitsCallback({ platformId, domain: vaspDomain }, callback);
  return isPermitted ? { callback, ownDomain: domainOf(address) } : null;
}

const LIGHTNING = "ln";

/** Where the payer's institution may tell of the payment. Other layers have no channels. */
export async function receiverHook(
  { clock, hosts, hookTokens, publicUrl }: PayHookTools,
  { platformId, vaspDomain, address, isAmongSandboxes }: CallbackGrant,
  { id, layer }: UmaInvoice,
): Promise<string | undefined> {
  if (layer !== LIGHTNING || isAmongSandboxes) return undefined;
  const payment = { direction: "IN", reference: id } as const;
  const token = hookTokens.make({ ...payment, platformId, vaspDomain, at: clock.now() });
  return hookUrl(await hosts.find(domainOf(address)), publicUrl(), token);
}

/** Whether a URL that an institution has given may be called: https, at a host that is public or listed, and that the policy permits. */
import { permitsCallbackHost } from "../../domain/uma/policy/judge-counterparty.ts";
import type { UmaPolicies } from "../../domain/uma/policy/uma-policies.port.ts";

export interface CallbackTools {
  readonly policies: Pick<UmaPolicies, "settingsFor">;
  readonly permits: (url: string) => boolean;
}

export async function permitsCallback(
  { policies, permits }: CallbackTools,
  { platformId, domain }: { readonly platformId: string; readonly domain: string },
  url: string,
): Promise<boolean> {
  if (!permits(url)) return false;
  const settings = await policies.settingsFor(platformId, domain);
  return permitsCallbackHost(settings, domain, new URL(url).hostname);
}

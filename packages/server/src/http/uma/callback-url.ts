/** URLs that other institutions are given. */
import type { ServedDomain } from "../../domain/uma/domains/served-domain.sql.ts";

type Served = Pick<ServedDomain, "domain" | "callbackBase">;

/** That of the deployment, unless the domain wants its own name to be seen. */
export function callbackOrigin(served: Served | undefined, publicUrl: string): string {
  return served?.callbackBase === "DOMAIN" ? `https://${served.domain}` : publicUrl;
}

/** Where an institution tells of a payment. */
export function hookUrl(served: Served | undefined, publicUrl: string, token: string): string {
  return `${callbackOrigin(served, publicUrl)}/uma/utxos/${token}`;
}

/** The domain by which an institution names itself in a message. */
import { domainToASCII } from "node:url";
import { inLowerCase, isAddressDomain } from "../../customers/uma-address.ts";
import { hasDomainEnding } from "./uma-domain.ts";

/**
 * In lower case, with its port unless that is the one of https; undefined for a text that is no domain of the DNS. Whether its keys can be
 * fetched is another matter: the guard of outbound calls judges its addresses.
 */
export function readVaspDomain(text: string): string | undefined {
  const domain = inLowerCase(text);
  const host = hostIn(domain);
  const isOne = isAddressDomain(domain) && hasDomainEnding(host) && domainToASCII(host) === host;
  return isOne ? domain.replace(/:443$/, "") : undefined;
}

/** Without the port. */
export function hostIn(vaspDomain: string): string {
  return vaspDomain.split(":")[0] ?? "";
}

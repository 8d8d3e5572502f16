/**
 * The UMA domains of a platform. They are claimed in the namespace of its environment; the database refuses a domain that
 * another platform has, and one above or below it (`claim_domain`).
 */
import { domainToASCII } from "node:url";
import type { DomainName } from "../../../engine/command.ts";
import { domainOf, isDomainName } from "../../customers/uma-address.ts";
import { type Platform, umaNamespace } from "../../platform.ts";

/** Matches the last label of an IPv4 address in any spelling that a URL parser takes. The DNS delegates no such name. */
const NUMBER = /^([0-9]+|0x[0-9a-f]*)$/;

/**
 * What is wrong with a new UMA domain in lower case; undefined when nothing is. `ownHost` is the host under which people reach
 * this deployment: its names, and those below it, are the operator's.
 */
export function umaDomainFault(domain: string, ownHost: string): string | undefined {
  if (!isDomainName(domain)) return "must be a domain name";
  if (!hasDomainEnding(domain)) return "must be a domain name, not an IP address";
  if (domainToASCII(domain) !== domain) {
    return "has a label that begins with xn-- and encodes no international name";
  }
  if (lastLabel(domain) === "localhost" || isWithin(domain, ownHost)) {
    return `must not be a host of this deployment, ${ownHost} or localhost, or lie below one`;
  }
  return undefined;
}

/** Whether the last label is no number, so that the name is no IPv4 address in any spelling. */
export function hasDomainEnding(domain: string): boolean {
  return !NUMBER.test(lastLabel(domain));
}

function lastLabel(domain: string): string {
  return domain.slice(domain.lastIndexOf(".") + 1);
}

function isWithin(domain: string, host: string): boolean {
  return domain === host || domain.endsWith(`.${host}`);
}

/** The host of a URL of this deployment, as a domain is compared with it. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, "");
}

export function umaDomainName({ environment }: Platform, domain: string): DomainName {
  return { namespace: umaNamespace(environment), domain };
}

/** The domain of the addresses of a sandbox's counterparties. */
export function sandboxDomainOf(umaDomain: string): string {
  return `sandbox.${umaDomain}`;
}

/** Whether an address lies at a domain of the platform. One at a domain that was released does not resolve. */
export function isAtOwnDomain({ umaDomains }: Platform, umaAddress: string): boolean {
  return umaDomains.includes(domainOf(umaAddress));
}

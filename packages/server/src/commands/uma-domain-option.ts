import type { Config } from "../config.ts";
import { inLowerCase } from "../domain/customers/uma-address.ts";
import { hostOf, umaDomainFault } from "../domain/platforms/uma-domain.ts";
import { StartRefused } from "../std/errors.ts";

/** A domain in lower case that a platform of this deployment may have. */
export function umaDomainOption(config: Config, text: string): string {
  const domain = inLowerCase(text);
  const fault = umaDomainFault(domain, ownHostOf(config));
  if (fault !== undefined) throw new StartRefused(`--uma-domain ${fault}`);
  return domain;
}

/** Without PUBLIC_URL, people reach the server on this machine. */
export function ownHostOf({ PUBLIC_URL }: Config): string {
  return PUBLIC_URL === undefined ? "localhost" : hostOf(PUBLIC_URL);
}

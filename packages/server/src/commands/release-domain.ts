import type { Config } from "../config.ts";
import { inLowerCase } from "../domain/customers/uma-address.ts";
import { type DomainUse, findDomainUse } from "../domain/uma/domains/domain-use.sql.ts";
import { releaseUmaDomain } from "../domain/uma/domains/release-uma-domain.ts";
import { StartRefused } from "../std/errors.ts";
import { atPlatform } from "./at-platform.ts";
import { operate } from "./operate-platform.ts";
import { print } from "./print.ts";

export interface ReleaseDomainOptions {
  readonly platform: string;
  readonly domain: string;
  readonly confirm: boolean;
}

/**
 * `florin platform release-domain`: releases a former UMA domain of the platform. Its use is counted before the command and not in
 * it: no address is created at a former domain, and a payment that arrives in between is declined or completes.
 */
export async function releaseDomainFromShell(
  config: Config,
  options: ReleaseDomainOptions,
): Promise<void> {
  const domain = inLowerCase(options.domain);
  await atPlatform(config, options.platform, async (at) => {
    const { platform, store } = at;
    const isFormer = domain !== platform.umaDomain && platform.umaDomains.includes(domain);
    if (isFormer && !options.confirm) {
      refuseUse(domain, await findDomainUse(store.database.reads, platform, domain));
    }
    print(
      await operate(at, {
        command: releaseUmaDomain,
        input: { domain },
        tell: ({ sandboxUmaDomain }) =>
          sandboxUmaDomain === platform.sandboxUmaDomain
            ? `Released ${domain}.`
            : `Released ${domain}. The sandbox's counterparties live at ${sandboxUmaDomain} now.`,
      }),
    );
  });
}

function refuseUse(domain: string, { customers, payments, invitations }: DomainUse): void {
  if (customers + payments + invitations === 0) return;
  throw new StartRefused(
    `${domain} is in use: addresses of customers ${customers}, payments under way ${payments}, pending invitations ${invitations}; ` +
      "--confirm releases it all the same: the addresses do not resolve any more then, payments that the platform has not taken in " +
      "are declined, and the invitations are cancelled",
  );
}

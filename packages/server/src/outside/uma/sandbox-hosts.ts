/**
 * Where sandboxes of the deployment are called: at this server's own port, with the domain as `Host` and a header that only this deployment
 * makes. A call is allowed to that one address and to no other, whatever URL it stands for, so nothing here opens the guard of outbound calls.
 */
import { isDomainName } from "../../domain/customers/uma-address.ts";
import { PASS_HEADER, type SandboxPasses } from "../../domain/uma/domains/sandbox-pass.ts";
import { hasDomainEnding } from "../../domain/uma/domains/uma-domain.ts";
import type { Clock } from "../../std/clock.ts";
import { parseUrl } from "../../std/url.ts";
import { only, type UmaHosts } from "./uma-hosts.ts";

export function sandboxHosts({
  passes,
  clock,
  ownOrigin,
}: {
  readonly passes: Pick<SandboxPasses, "make">;
  readonly clock: Pick<Clock, "now">;
  /** The address at which this server listens. */
  readonly ownOrigin: () => string;
}): UmaHosts {
  return {
    permits(text) {
      const url = parseUrl(text);
      if (url?.protocol !== "https:" || url.port !== "") return false;
      return isDomainName(url.hostname) && hasDomainEnding(url.hostname);
    },
    callOf(text, method = "GET") {
      const { host, pathname, search } = new URL(text);
      const target = pathname + search;
      const pass = passes.make({ method, host, target }, clock.now());
      const origin = ownOrigin();
      return {
        url: origin + target,
        headers: { host, [PASS_HEADER]: pass },
        allowed: only(origin),
      };
    },
  };
}

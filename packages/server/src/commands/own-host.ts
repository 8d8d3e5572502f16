import type { Config } from "../config.ts";
import { hostOf } from "../domain/uma/domains/uma-domain.ts";

/** The host under which people reach this deployment. Without PUBLIC_URL that is this machine. */
export function ownHostOf({ PUBLIC_URL }: Config): string {
  return PUBLIC_URL === undefined ? "localhost" : hostOf(PUBLIC_URL);
}

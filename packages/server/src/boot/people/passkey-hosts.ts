/** Passkeys that became useless when the host name changed: browsers offer a passkey only at the host that it was made for. */
import {
  type CountOfHost,
  countPasskeysElsewhere,
} from "../../domain/people/notices/passkey-hosts.sql.ts";
import { consolePlaceAt } from "../../http/console/place.ts";
import type { Reads } from "../../postgres/database.ts";

/** The warnings that a start prints, one line for each host. */
export async function passkeysLeftBehind(
  reads: Reads,
  baseUrl: string,
): Promise<readonly string[]> {
  const { rpId } = consolePlaceAt(baseUrl);
  const counts = await countPasskeysElsewhere(reads, rpId);
  return counts.map((count) => lineOf(count, rpId));
}

function lineOf({ host, count }: CountOfHost, rpId: string): string {
  const passkeys = count === 1 ? "1 passkey was" : `${count} passkeys were`;
  return (
    `${passkeys} made for ${host} and cannot be shown at ${rpId}. Start at ${host} again (PUBLIC_URL), or let each person ` +
    "make a new one: florin people recover --email …"
  );
}

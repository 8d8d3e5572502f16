/** Passkeys that a change of the host name has left behind: browsers show them at their own host alone. */
import {
  type CountOfHost,
  countPasskeysElsewhere,
} from "../../domain/people/notices/passkey-hosts.sql.ts";
import { consolePlaceAt } from "../../http/console/place.ts";
import type { Reads } from "../../postgres/database.ts";

/** What a start says of them; one line for each host. */
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

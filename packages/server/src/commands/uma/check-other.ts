/**
 * Checks another institution as a lookup would meet it: DNS, TLS, its configuration document, its keys with their chains and dates. It sends no
 * signed message and stores nothing.
 */
import type { Config } from "../../config.ts";
import { type KeyDocument, readKeyDocument } from "../../formats/uma/key-document.ts";
import { MessageFault } from "../../formats/uma/message-fault.ts";
import { createOutboundClient } from "../../outside/outbound-http/outbound-client.ts";
import {
  type ConfigurationDocument,
  fetchConfiguration,
} from "../../outside/uma/configuration-document.ts";
import { type FetchedDocument, fetchKeyDocument } from "../../outside/uma/fetch-key-document.ts";
import { umaHosts } from "../../outside/uma/uma-hosts.ts";
import { fingerprintOf } from "../../outside/uma/uma-policies.ts";
import { createVaspClient } from "../../outside/uma/vasp-client.ts";
import { type Clock, toIso } from "../../std/clock.ts";

export interface OtherChecked {
  readonly faults: readonly { readonly code: string; readonly message: string }[];
  /** What the institution says, as lines. */
  readonly told: readonly string[];
}

export async function checkOther(
  domain: string,
  { config, clock }: { readonly config: Config; readonly clock: Clock },
): Promise<OtherChecked> {
  const outbound = createOutboundClient({ clock });
  const hosts = umaHosts(config.UMA_HOSTS);
  try {
    const configuration = await fetchConfiguration(createVaspClient({ outbound, hosts }), domain);
    const fetched = await fetchKeyDocument({ outbound, callOf: hosts.callOf }, domain);
    return judgeOther({ configuration, fetched, now: clock.now() });
  } finally {
    await outbound.close();
  }
}

/** What was fetched, in sentences. */
export function judgeOther({
  configuration,
  fetched,
  now,
}: {
  readonly configuration: ConfigurationDocument;
  readonly fetched: FetchedDocument;
  readonly now: number;
}): OtherChecked {
  const parts = [judgeConfiguration(configuration), judgeKeys(fetched, now)];
  return {
    faults: parts.flatMap(({ faults }) => faults),
    told: parts.flatMap(({ told }) => told),
  };
}

function judgeConfiguration(configuration: ConfigurationDocument): OtherChecked {
  if (configuration.kind === "fault") {
    const message = `Its configuration document cannot be read: ${configuration.reason}.`;
    return { faults: [{ code: "CONFIGURATION", message }], told: [] };
  }
  const { name = "none", majorVersions } = configuration;
  const versions = majorVersions.join(", ");
  const told = [`name: ${name}`, `major versions: ${versions === "" ? "not said" : versions}`];
  const speaksOurs = majorVersions.length === 0 || majorVersions.includes(1n);
  const message = `It does not speak version 1, only ${versions}.`;
  return { faults: speaksOurs ? [] : [{ code: "NO_COMPATIBLE_UMA_VERSION", message }], told };
}

function judgeKeys(fetched: FetchedDocument, now: number): OtherChecked {
  if (fetched.kind === "fault") {
    const message = `Its keys cannot be fetched: ${fetched.reason}.`;
    return { faults: [{ code: fetched.code, message }], told: [] };
  }
  try {
    return keysTold(readKeyDocument(Buffer.from(fetched.document, "utf8"), now), now);
  } catch (error) {
    if (!(error instanceof MessageFault)) throw error;
    const message = `Its keys cannot be used: ${error.message}.`;
    return { faults: [{ code: error.code, message }], told: [] };
  }
}

function keysTold({ signing, encryption, expirationTimestamp }: KeyDocument, now: number) {
  const ends = [...signing.chain, ...encryption.chain].map(({ validTo }) => Date.parse(validTo));
  const told = [
    `signing key: ${fingerprintOf(signing.key)}, ${signing.chain.length} certificates`,
    `encryption key: ${fingerprintOf(encryption.key)}, ${encryption.chain.length} certificates`,
    ...(ends.length === 0 ? [] : [`certificates end: ${toIso(Math.min(...ends))}`]),
  ];
  const isPast = expirationTimestamp !== undefined && Number(expirationTimestamp) * 1_000 <= now;
  const message =
    "Its keys say that they have expired: its clock, or a cache on the way, is wrong.";
  return { faults: isPast ? [{ code: "KEYS_EXPIRED", message }] : [], told };
}

/** The document in which an institution says its name and which versions it speaks. Nothing in it is needed for a payment. */
import { Members } from "../../formats/uma/members.ts";
import { MessageFault } from "../../formats/uma/message-fault.ts";
import { cleaned } from "./lookups/counterparty-words.ts";
import type { VaspClient } from "./vasp-client.ts";

export type ConfigurationDocument =
  | {
      readonly kind: "document";
      readonly name: string | undefined;
      readonly majorVersions: readonly bigint[];
    }
  | { readonly kind: "fault"; readonly reason: string };

const DEADLINE_MS = 5_000;
const MOST_BYTES = 16_384;
const LONGEST_NAME = 1_000;
const MOST_VERSIONS = 100;
const LARGEST_VERSION = 1_000_000n;

/** At most five seconds and 16 kB. */
export async function fetchConfiguration(
  client: VaspClient,
  domain: string,
): Promise<ConfigurationDocument> {
  const url = `https://${domain}/.well-known/uma-configuration`;
  if (URL.parse(url)?.host !== domain) return { kind: "fault", reason: `${domain} is no host` };
  const reply = await client.call({
    ...{ method: "GET", url, deadlineMs: DEADLINE_MS, maxAnswerBytes: MOST_BYTES },
    owner: `uma configuration ${domain}`,
  });
  if (reply.kind === "failed") return { kind: "fault", reason: reply.reason };
  if (reply.status !== 200) return { kind: "fault", reason: `the host answered ${reply.status}` };
  return readConfiguration(Buffer.from(reply.body, "utf8"));
}

export function readConfiguration(bytes: Uint8Array): ConfigurationDocument {
  try {
    const body = Members.of(bytes, "PARSE_LNURLP_RESPONSE_ERROR");
    const name = cleaned(body.optionalText("name", LONGEST_NAME) ?? "");
    const majorVersions = body.has("uma_major_versions")
      ? body.wholes("uma_major_versions", MOST_VERSIONS, LARGEST_VERSION)
      : [];
    return { kind: "document", name: name === "" ? undefined : name, majorVersions };
  } catch (error) {
    if (!(error instanceof MessageFault)) throw error;
    return { kind: "fault", reason: error.message };
  }
}

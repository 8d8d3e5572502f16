/**
 * Fetches the key document of another institution over the guarded client: public addresses alone, unless the operator has listed the host;
 * no redirects; nothing is decompressed. Bounds: five seconds for the whole exchange, 64 kB of body.
 */
import type { FoundKeys } from "../../domain/uma/keys/counterparty-keys.port.ts";
import type { OutboundClient, OutboundGet } from "../outbound-http/outbound-client.ts";
import { OutboundFailed, OutboundRefused } from "../outbound-http/outbound-errors.ts";

/** The call that stands for a URL: the URL itself, or the place that the operator has listed for its host. */
export type CallOf = (url: string) => Pick<OutboundGet, "url" | "headers" | "allowed">;

export const FETCH_MS = 5_000;
const MOST_BYTES = 65_536;

export type FetchedDocument =
  | { readonly kind: "document"; readonly document: string }
  | Extract<FoundKeys, { readonly kind: "fault" }>;

export async function fetchKeyDocument(
  { outbound, callOf }: { readonly outbound: OutboundClient; readonly callOf: CallOf },
  domain: string,
): Promise<FetchedDocument> {
  const url = `https://${domain}/.well-known/lnurlpubkey`;
  if (URL.parse(url)?.host !== domain) return failed(`${domain} is no host`);
  const call = callOf(url);
  try {
    const { status, headers, body } = await outbound.get({
      ...call,
      headers: { ...call.headers, accept: "application/json" },
      deadlineMs: FETCH_MS,
      maxAnswerBytes: MOST_BYTES,
      allowLoopback: false,
      owner: `uma keys ${domain}`,
      connections: 1,
    });
    const encoding = headers["content-encoding"] ?? "identity";
    if (status !== 200) return failed(`the host answered ${status}`);
    if (encoding !== "identity") return failed("the answer is compressed");
    return { kind: "document", document: body };
  } catch (error) {
    if (error instanceof OutboundRefused) return failed(`refused: ${error.reason}`);
    if (error instanceof OutboundFailed) return failed(error.reason);
    throw error;
  }
}

function failed(reason: string): FetchedDocument {
  return { kind: "fault", code: "COUNTERPARTY_PUBKEY_FETCH_ERROR", reason };
}

/**
 * Fetches the documents of rate sources.
 *
 * Bounds: 20 seconds for a whole exchange, 256 kB of JSON, 128 kB of XML, one connection to the host of a source. Redirects are not
 * followed. The addresses that a source may have are those that a rail connection may have.
 */
import { createHash } from "node:crypto";
import type {
  RateDocuments,
  ReadDocument,
} from "../../domain/prices/rate-sources/rate-documents.port.ts";
import { headersIdentity, type RateSource } from "../../domain/prices/rate-sources/rate-source.ts";
import { ECB_URL } from "../../domain/prices/rate-sources/source-settings.ts";
import { MAX_ECB_BYTES, readEcbDocument } from "../../formats/ecb-document.ts";
import { readJsonRates } from "../../formats/json-rates.ts";
import type { Sealer } from "../../secrets/sealing.ts";
import type { AllowedHosts } from "../outbound-http/allowed-hosts.ts";
import type { OutboundClient } from "../outbound-http/outbound-client.ts";
import { OutboundRefused } from "../outbound-http/outbound-errors.ts";
import { failureInWords } from "../outbound-http/outbound-words.ts";

const MAX_JSON_BYTES = 256 * 1024;
const DEADLINE_MS = 20_000;

export interface RateDocumentOptions {
  readonly outbound: OutboundClient;
  readonly allowed: AllowedHosts;
  readonly sealer: Sealer;
}

export function createRateDocuments(options: RateDocumentOptions): RateDocuments {
  const { outbound, allowed, sealer } = options;
  return {
    async fetch(platformId, source) {
      const url = source.settings.url ?? ECB_URL;
      try {
        const answer = await outbound.get({
          url,
          headers: {
            accept: source.kind === "ECB" ? "application/xml" : "application/json",
            ...headersOf(sealer, platformId, source),
          },
          deadlineMs: DEADLINE_MS,
          maxAnswerBytes: source.kind === "ECB" ? MAX_ECB_BYTES : MAX_JSON_BYTES,
          allowLoopback: false,
          allowed,
          owner: `rates ${source.id}`,
          connections: 1,
        });
        if (answer.status !== 200) return failed("STATUS", `The host answered ${answer.status}.`);
        return read(source, answer.body);
      } catch (error) {
        const code = error instanceof OutboundRefused ? "HOST_NOT_ALLOWED" : "NO_ANSWER";
        return failed(code, failureInWords(error, url, DEADLINE_MS));
      }
    },
  };
}

function failed(code: string, message: string): ReadDocument {
  return { kind: "failed", code, message };
}

function read({ kind, settings }: RateSource, text: string): ReadDocument {
  const digest = createHash("sha256").update(text, "utf8").digest("hex");
  return kind === "ECB" ? readEcbDocument(text, digest) : readJsonRates(text, settings, digest);
}

function headersOf(
  sealer: Sealer,
  platformId: string,
  { headersSealed, sealId }: RateSource,
): Readonly<Record<string, string>> {
  if (headersSealed === null) return {};
  const opened = sealer.open(headersSealed, headersIdentity(platformId, sealId));
  return JSON.parse(opened.toString("utf8")) as Record<string, string>;
}

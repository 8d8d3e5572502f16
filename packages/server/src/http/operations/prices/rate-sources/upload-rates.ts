import { createHash } from "node:crypto";
import Type from "typebox";
import type { ReadDocument } from "../../../../domain/prices/rate-sources/rate-documents.port.ts";
import { recordRateDocument as command } from "../../../../domain/prices/rate-sources/record-rate-document.ts";
import { invalidField, wrongState } from "../../../../engine/refusal.ts";
import { MAX_ECB_BYTES, readEcbDocument } from "../../../../formats/ecb-document.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import {
  RateSourceSchema,
  rateSourceExample,
  sourceJson,
} from "../../../../wire/prices/rate-source.ts";
import { defineUpload } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { findRequiredSource } from "./source-body.ts";

export const uploadRates = defineUpload({
  id: "uploadRates",
  method: "POST",
  path: "/rates/sources/{sourceId}/upload",
  access: "MANAGE",
  capability: "settings.write",
  tag: "Rates",
  summary: "Upload the reference rates of a day",
  description:
    "For an `ECB` source of a server that cannot reach the bank: the daily XML document. One that is older than the last changes nothing.",
  params: Type.Object({ sourceId: pathId("RateSource") }),
  form: {
    fields: Type.Object({}),
    file: { description: "The document, in UTF-8.", maxBytes: MAX_ECB_BYTES },
  },
  answers: {
    200: {
      description: "The source with the rates of the document.",
      schema: RateSourceSchema,
      example: { ...rateSourceExample, kind: "ECB", settings: { acknowledged: true } },
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body: form }, services: Services) {
    const chunks: Buffer[] = [];
    const { idempotency } = await form.read({
      async write(bytes) {
        chunks.push(Buffer.from(bytes));
      },
    });
    const source = await findRequiredSource(services, principal, params.sourceId);
    if (source.kind !== "ECB") {
      throw wrongState({
        object: "source",
        status: source.kind,
        needed: "ECB",
        action: "uploaded to",
      });
    }
    return submitForCaller(services.engine, principal, {
      command,
      input: {
        sourceId: source.id,
        jobId: undefined,
        origin: "UPLOAD",
        read: readUpload(Buffer.concat(chunks)),
      },
      toAnswer: (recorded) => ({ status: 200, body: sourceJson(recorded.source) }),
      idempotency,
    });
  },
});

/** A document that cannot be read is refused, and leaves nothing behind. */
function readUpload(bytes: Buffer): ReadDocument {
  const digest = createHash("sha256").update(bytes).digest("hex");
  const read = readEcbDocument(textOf(bytes), digest);
  if (read.kind === "failed") throw invalidField("file", read.message, { problem: read.code });
  return read;
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidField("file", "must be in UTF-8", { problem: "ENCODING" });
  }
}

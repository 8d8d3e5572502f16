/** The branding of the hosted pages as a request sends it. The logo is read and checked before the command. */

import { createHash } from "node:crypto";
import { findDocument } from "../../../domain/customers/documents/document.sql.ts";
import { PLATFORM_LOGO } from "../../../domain/customers/documents/document-types.ts";
import type { Branding, BrandingLogo } from "../../../domain/platform.ts";
import { MOST_LOGO_PIXELS_A_SIDE } from "../../../domain/platforms/branding.ts";
import { type FieldError, invalidField, Refusal } from "../../../engine/refusal.ts";
import { fromWireId } from "../../../std/ids.ts";
import { readImageHeader } from "../../../std/image-header.ts";
import { isJsonObject, type Json } from "../../../std/json.ts";
import type { BrandingBody } from "../../../wire/platforms/platform-config.ts";
import { plainName } from "../../hosted/plain-name.ts";
import type { Services } from "../../request/services.ts";

const NAME = "branding.name";
const LOGO = "branding.logoDocument";

/** A name that has only blanks and characters that the pages leave out is a fault. Other faults are left to the schema. */
export function brandNameFaults(branding: Json | undefined): readonly FieldError[] {
  const name = isJsonObject(branding) ? branding.name : undefined;
  if (typeof name !== "string" || name === "" || plainName(name).trim() !== "") return [];
  return [{ field: NAME, message: "must not be blank" }];
}

type Store = Pick<Services, "reads" | "files">;

/** Why the logo cannot be shown. A document that does not exist is left to `brandingOf`, which refuses it. */
export async function logoFaults(
  branding: Json | undefined,
  platformId: string,
  store: Store,
): Promise<readonly FieldError[]> {
  const sent = isJsonObject(branding) ? branding.logoDocument : undefined;
  const id = typeof sent === "string" ? fromWireId("Document", sent) : undefined;
  if (id === undefined) return [];
  const found = await findLogo(store, platformId, id);
  return found !== undefined && "fault" in found ? [{ field: LOGO, message: found.fault }] : [];
}

/** The branding that a body asks for; undefined when it asks for none. Refuses a logo that does not exist. */
export async function brandingOf(
  body: BrandingBody | null | undefined,
  platformId: string,
  store: Store,
): Promise<Branding | null | undefined> {
  if (body === null || body === undefined) return body;
  const { name, color, logoDocument } = body;
  return {
    name: name.trim(),
    color: color?.toLowerCase() ?? null,
    logo: logoDocument === undefined ? null : await requireLogo(logoDocument, platformId, store),
  };
}

async function requireLogo(
  logoDocument: string,
  platformId: string,
  store: Store,
): Promise<BrandingLogo> {
  const id = fromWireId("Document", logoDocument);
  const found = id === undefined ? undefined : await findLogo(store, platformId, id);
  if (found === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  // The document was replaced after it was judged.
  if ("fault" in found) throw invalidField(LOGO, found.fault);
  return found;
}

/** The logo in a document, or why it cannot be a logo; undefined when the platform has no such document. */
async function findLogo(
  { reads, files }: Store,
  platformId: string,
  documentId: string,
): Promise<BrandingLogo | { readonly fault: string } | undefined> {
  const document = await findDocument(reads, platformId, documentId);
  if (document === undefined) return undefined;
  if (document.documentType !== PLATFORM_LOGO) {
    return { fault: `must be a document of the type ${PLATFORM_LOGO}` };
  }
  const { fileId } = document;
  // A logo has one chunk.
  const bytes = await files.read({ platformId, fileId, at: 0 });
  if (bytes === undefined) return undefined;
  const image = readImageHeader(bytes);
  if (image === undefined) return { fault: "must be a PNG, JPEG or WebP image; its file is none" };
  const { width, height } = image;
  const most = MOST_LOGO_PIXELS_A_SIDE;
  if (Math.max(width, height) > most) {
    return { fault: `must have at most ${most} × ${most} pixels; it has ${width} × ${height}` };
  }
  return { documentId, fileId, ...image, digest: createHash("sha256").update(bytes).digest("hex") };
}

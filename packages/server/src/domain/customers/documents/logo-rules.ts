/** Documents of a platform itself: the images of its hosted pages. */
import type { Loaded } from "../../../engine/command.ts";
import { type FieldError, invalidFields, Refusal } from "../../../engine/refusal.ts";
import { platforms } from "../../platform.ts";
import type { Document, DocumentContent } from "./document.ts";
import type { HolderKind } from "./document-holder.ts";
import { PLATFORM_LOGO } from "./document-types.ts";

/** The size of one chunk of the file store, so that a page loads the logo in one read. */
export const MOST_LOGO_BYTES = 256 * 1024;

/** Refuses a logo of a customer, any other document of a platform, and a file that the type of document cannot have. */
export function refuseUnfit(
  holderKind: HolderKind,
  { documentType, mediaType, fileBytes }: DocumentContent,
): void {
  const errors: FieldError[] = [];
  const isLogo = documentType === PLATFORM_LOGO;
  if (isLogo !== (holderKind === "PlatformConfig")) {
    const message = isLogo
      ? `must not be ${PLATFORM_LOGO} for a customer or an owner`
      : `must be ${PLATFORM_LOGO} for the platform`;
    errors.push({ field: "documentType", message });
  }
  if (isLogo && mediaType === "application/pdf") {
    errors.push({ field: "file", message: "must be a PNG, JPEG or WebP file" });
  }
  if (!isLogo && mediaType === "image/webp") {
    errors.push({ field: "file", message: "must be a PDF, JPEG or PNG file" });
  }
  if (isLogo && fileBytes > MOST_LOGO_BYTES) {
    const message = `must be at most ${MOST_LOGO_BYTES} bytes long`;
    errors.push({ field: "file", message, constraint: { maxLength: MOST_LOGO_BYTES } });
  }
  if (errors.length > 0) throw invalidFields(errors);
}

/** Refuses a change of the document that is the logo of the platform's hosted pages. */
export function refuseShownLogo(world: Loaded, { id }: Document): void {
  const platform = world.find(platforms.ref(world.platformId));
  if (platform?.branding?.logo?.documentId !== id) return;
  const message =
    "The document is the logo of the hosted pages; PATCH /config with another branding.logoDocument first.";
  throw new Refusal("CONFLICT", { field: "branding.logoDocument" }, message);
}

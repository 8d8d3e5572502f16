/** The form of a document: its fields, its file, and their conversion to a row. */
import Type, { type Static } from "typebox";
import type { DocumentContent } from "../../../domain/customers/documents/document.ts";
import {
  documentSides,
  documentTypes,
  mediaTypeOf,
} from "../../../domain/customers/documents/document-types.ts";
import { present } from "../../../std/assert.ts";
import { filledText } from "../../../wire/fields.ts";
import type { FileNote, ReadForm } from "../../upload/form.ts";

export const documentFields = {
  documentType: Type.Enum([...documentTypes]),
  country: Type.String({
    pattern: "^[A-Z]{2}$",
    format: "iso3166-1-alpha-2",
    description: "Who issued it; the country of the platform for its logo.",
    example: "US",
  }),
  side: Type.Optional(Type.Enum([...documentSides])),
  documentNumber: Type.Optional(filledText(255, { examples: ["C01X00T47"] })),
  issuingAuthority: Type.Optional(filledText(255, { examples: ["US Department of State"] })),
};

const Fields = Type.Object(documentFields);
type DocumentFields = Static<typeof Fields>;

const MAX_BYTES = 10 * 1024 * 1024;

/** The file of a document about a customer or an owner. */
export const paperFile: FileNote = {
  description: "A PDF, JPEG or PNG, told by its content.",
  maxBytes: MAX_BYTES,
  judge(firstBytes) {
    const mediaType = mediaTypeOf(firstBytes);
    const isPaper = mediaType !== undefined && mediaType !== "image/webp";
    return isPaper ? undefined : "must be a PDF, JPEG or PNG file";
  },
};

/** The file of any document. The type of the document may be sent after it, so the command judges whether they fit. */
export const documentFile: FileNote = {
  description:
    "A PDF, JPEG or PNG, told by its content; a `PLATFORM_LOGO` is a PNG, JPEG or WebP of at most 256 kB.",
  maxBytes: MAX_BYTES,
  judge: (firstBytes) =>
    mediaTypeOf(firstBytes) === undefined ? "must be a PDF, JPEG, PNG or WebP file" : undefined,
};

export function contentOf(
  { fields, fileName, fileBytes, firstBytes }: ReadForm<DocumentFields>,
  fileId: string,
): DocumentContent {
  const { documentType, country, side, documentNumber, issuingAuthority } = fields;
  return {
    documentType,
    side: side ?? null,
    country,
    documentNumber: documentNumber ?? null,
    issuingAuthority: issuingAuthority ?? null,
    fileName,
    fileId,
    fileBytes,
    mediaType: present(mediaTypeOf(firstBytes), "the type of a file that was let in"),
  };
}

/** The types of documents and the formats of their files. */

/** Held by the platform itself: the logo of its hosted pages. */
export const PLATFORM_LOGO = "PLATFORM_LOGO";

export const documentTypes = [
  "PASSPORT",
  "DRIVERS_LICENSE",
  "NATIONAL_ID",
  "PROOF_OF_ADDRESS",
  "BANK_STATEMENT",
  "TAX_RETURN",
  "CERTIFICATE_OF_INCORPORATION",
  "ARTICLES_OF_INCORPORATION",
  "ARTICLES_OF_ASSOCIATION",
  "STATE_REGISTRY_EXCERPT",
  "GOOD_STANDING_CERTIFICATE",
  "INFORMATION_STATEMENT",
  "INCUMBENCY_CERTIFICATE",
  "BUSINESS_LICENSE",
  "SHAREHOLDER_REGISTER",
  "POWER_OF_ATTORNEY",
  "UTILITY_BILL",
  "ELECTRICITY_BILL",
  "RENT_OR_LEASE_AGREEMENT",
  "DIRECTOR_REGISTRY",
  "TRUST_AGREEMENT",
  "STATE_COMPANY_REGISTRY",
  "PARTNERSHIP_CONTROL_AGREEMENT",
  "PARTNERSHIP_AGREEMENT",
  "SELFIE",
  PLATFORM_LOGO,
  "OTHER",
] as const;

export type DocumentType = (typeof documentTypes)[number];

export const documentSides = ["FRONT", "BACK"] as const;

export type DocumentSide = (typeof documentSides)[number];

export type MediaType = "application/pdf" | "image/jpeg" | "image/png" | "image/webp";

const SIGNATURES: readonly (readonly [MediaType, Buffer])[] = [
  ["application/pdf", Buffer.from("%PDF-")],
  ["image/jpeg", Buffer.from([0xff, 0xd8, 0xff])],
  ["image/png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
];

/** The media type by the file's magic number. Name and declared type are ignored, and the rest of the file is not read. */
export function mediaTypeOf(firstBytes: Buffer): MediaType | undefined {
  if (isWebp(firstBytes)) return "image/webp";
  return SIGNATURES.find(([, signature]) =>
    firstBytes.subarray(0, signature.length).equals(signature),
  )?.[0];
}

/** A WebP file begins with `RIFF`, four bytes of length, and `WEBP`. */
function isWebp(firstBytes: Buffer): boolean {
  return (
    firstBytes.toString("latin1", 0, 4) === "RIFF" &&
    firstBytes.toString("latin1", 8, 12) === "WEBP"
  );
}

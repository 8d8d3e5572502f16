/** How the hosted pages of a platform look. */
import type { ImageType } from "../../std/image-header.ts";

export interface Branding {
  readonly name: string;
  /** `#rrggbb` in lower case. */
  readonly color: string | null;
  readonly logo: BrandingLogo | null;
}

/** The image of a document of the platform, with what its file says about itself. */
export interface BrandingLogo {
  readonly documentId: string;
  readonly fileId: string;
  readonly mediaType: ImageType;
  /** SHA-256 of the file, in hexadecimal. */
  readonly digest: string;
  readonly width: number;
  readonly height: number;
}

export const LONGEST_BRAND_NAME = 80;

/** Bounds the memory that a browser needs to decode the image: 16 MB. */
export const MOST_LOGO_PIXELS_A_SIDE = 2_048;

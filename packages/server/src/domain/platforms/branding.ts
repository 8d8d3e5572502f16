/** How the hosted pages of a platform look. */
export const LONGEST_BRAND_NAME = 80;

/** Bounds the memory that a browser needs to decode the image: 16 MB. */
export const MOST_LOGO_PIXELS_A_SIDE = 2_048;

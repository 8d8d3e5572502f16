import Type from "typebox";

/** A SHA-256 in hexadecimal digits. */
export const DigestSchema = Type.String({ pattern: "^[0-9a-f]{64}$" });

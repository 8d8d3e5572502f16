import Type from "typebox";
import {
  type UmaKey,
  umaKeySources,
  umaKeyStatuses,
  umaKeyUses,
} from "../../domain/uma/keys/uma-key.ts";
import { type Kit, wireObject } from "../wire-object.ts";

export const wireUmaKey = wireObject("UmaKey", ({ of, maybe }: Kit<UmaKey>) => ({
  id: of.id("UmaKey", { description: "`UmaKey:<uuid>`", example: 33 }),
  use: of.enum(umaKeyUses, {
    description:
      "`SIGNING` signs messages. With `ENCRYPTION` other institutions encrypt travel-rule data for the platform.",
    example: "SIGNING",
  }),
  status: of.enum(umaKeyStatuses, {
    description:
      "`NEXT` takes over at `takesOverAt`. `CURRENT` is published. `PREVIOUS` opens messages for a day after the takeover. Of a `DESTROYED` key " +
      "only the public part is left.",
    example: "CURRENT",
  }),
  publicKey: of.text({
    description: "The uncompressed point on secp256k1, 65 bytes in hexadecimal.",
    example:
      "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8",
  }),
  chain: of.json(Type.Array(Type.String()), {
    description: "Certificates in PEM, that of the key first.",
    example: ["-----BEGIN CERTIFICATE-----\nMIIB…\n-----END CERTIFICATE-----\n"],
  }),
  notBefore: of.time({
    description: "From when all certificates of the chain are valid.",
    example: "2026-11-21T10:00:00.000Z",
  }),
  notAfter: of.time({
    description: "Until when all certificates of the chain are valid.",
    example: "2027-12-23T10:00:00.000Z",
  }),
  takesOverAt: maybe.time({
    description: "When a key of a rotation takes over, or has taken over.",
  }),
  source: of.enum(umaKeySources, {
    description:
      "`SELF_SIGNED`: the platform's own certificate, which is replaced 30 days before it expires. `AUTHORITY`: a chain that was uploaded.",
    example: "SELF_SIGNED",
  }),
  createdAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
  updatedAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
}));

/** The key of a rotation, before the takeover and after it. */
export const nextUmaKeyExample = {
  ...wireUmaKey.example,
  status: "NEXT" as const,
  takesOverAt: "2026-11-21T11:00:00.000Z",
};

export const destroyedUmaKeyExample = { ...wireUmaKey.example, status: "DESTROYED" as const };

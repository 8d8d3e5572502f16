import Type from "typebox";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";

export const getIssuerKey = defineOperation({
  id: "getIssuerKey",
  method: "GET",
  path: "/wallet/issuer-key",
  access: "VIEW",
  capability: "accounts.read",
  tag: "Wallet sessions",
  summary: "Get the issuer key",
  description:
    "Exports are signed with this key. " +
    "One for the deployment, for ever: pin it in the wallet's client.",
  answers: {
    200: {
      description: "The public key.",
      schema: Type.Object({
        publicKey: Type.String({ description: "P-256, uncompressed, lower-case hexadecimal." }),
      }),
      example: {
        publicKey:
          "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296" +
          "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
      },
    },
  },
  refusals: [],
  async handle(_request, { wallets }: Services) {
    const publicKey = await wallets.signer.issuerPublicKey();
    return { status: 200, body: JSON.stringify({ publicKey }) };
  },
});

import Type from "typebox";
import { toInternalAccountId } from "../../../domain/accounts/internal/internal-account.ts";
import { exportWallet as exportWalletCommand } from "../../../domain/wallets/export-wallet.ts";
import { bodyDigestOf, organizationIdOf } from "../../../domain/wallets/payload-to-sign.ts";
import type { OwnerProof } from "../../../domain/wallets/signed-request.ts";
import { findWallet, isActiveKey } from "../../../domain/wallets/wallet.sql.ts";
import type { ClientPublicKey } from "../../../domain/wallets/wallet-crypto.port.ts";
import { toIso } from "../../../std/clock.ts";
import { sensitive } from "../../../validation/schema.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import {
  clientPublicKeyExample,
  clientPublicKeyField,
  SignedRetryChallengeSchema,
  signedRetryExample,
} from "../../../wire/wallets/wallet.ts";
import {
  readOwnerProof,
  signedIdempotency,
  signedRetryHeaders,
  toSignedAnswer,
} from "../../auth/owner-proof.ts";
import { defineOperation, type Principal, route } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { judgeClientKey, requireClientKey } from "./session-key.ts";

const WalletExportSchema = Type.Object(
  {
    id: Type.String({ description: "The account that was exported." }),
    encryptedWalletCredentials: Type.String({
      ...sensitive,
      description:
        "JSON text: `version`, `data`, `dataSignature`, `enclaveQuorumPublic`. The words of the wallet, sealed to the client; " +
        "check the signature with the key of `GET /wallet/issuer-key` first. In a sandbox nothing is signed.",
    }),
  },
  { $id: "WalletExport" },
);

const exportWallet = defineOperation({
  id: "exportWallet",
  ...route("POST /internal-accounts/{id}/export", "TRANSACT"),
  isBodySigned: true,
  capability: "payments.create",
  closedToPeople: true,
  tag: "Wallet sessions",
  summary: "Export an embedded wallet",
  description:
    "The words of a wallet give access to all that it holds. They are sealed to `clientPublicKey`, the same one in both calls.",
  headers: signedRetryHeaders,
  params: Type.Object({ id: pathId("InternalAccount") }),
  body: Type.Object({ clientPublicKey: clientPublicKeyField }),
  requestExample: { clientPublicKey: clientPublicKeyExample },
  answers: {
    200: {
      description: "The sealed words.",
      schema: WalletExportSchema,
      example: {
        id: "InternalAccount:019a4f00-0000-7000-8000-000000000002",
        encryptedWalletCredentials:
          '{"version":"v1.0.0","data":"7b22…","dataSignature":"3045…","enclaveQuorumPublic":"04c8…"}',
      },
    },
    202: {
      description: "What a session of the account has to sign.",
      schema: SignedRetryChallengeSchema,
      example: signedRetryExample,
    },
  },
  refusals: [
    "INVALID_INPUT",
    "UNAUTHORIZED",
    "REFERENCE_NOT_FOUND",
    "ACCOUNT_FROZEN",
    "CUSTOMER_FROZEN",
  ],
  judge: judgeClientKey,
  async handle({ principal, params, body, headers, idempotency }, services: Services) {
    const accountId = requireId("InternalAccount", params.id, "REFERENCE_NOT_FOUND");
    const clientPublicKey = requireClientKey(services, body.clientPublicKey);
    const proof = await readOwnerProof(services, principal, headers);
    const sealed = await sealedWords({ services, principal, accountId, clientPublicKey, proof });
    return submitForCaller(services.engine, principal, {
      command: exportWalletCommand,
      input: {
        accountId,
        clientPublicKey,
        bodySha256: bodyDigestOf(body),
        proof,
        isSealed: sealed !== undefined,
      },
      toAnswer: (signed) =>
        toSignedAnswer(signed, ({ id }) => ({
          status: 200,
          body: JSON.stringify({
            id: toInternalAccountId(id),
            encryptedWalletCredentials: sealed,
          }),
        })),
      idempotency: proof.kind === "none" ? undefined : signedIdempotency(idempotency, headers),
      secret: true,
    });
  },
});

/** The mnemonic is opened only for an active session of this account; the command checks everything again. */
async function sealedWords(call: {
  readonly services: Services;
  readonly principal: Principal;
  readonly accountId: string;
  readonly clientPublicKey: ClientPublicKey;
  readonly proof: OwnerProof;
}): Promise<string | undefined> {
  const { services, principal, accountId, clientPublicKey, proof } = call;
  const { platformId, environment } = principal;
  if (!(await maySee(call))) return undefined;
  const wallet = await findWallet(services.reads, platformId, accountId);
  const mnemonicSealed = wallet?.account.walletMnemonicSealed ?? null;
  if (proof.kind !== "given" || mnemonicSealed === null) return undefined;
  return services.wallets.signer.exportWallet({
    platformId,
    environment,
    accountId,
    mnemonicSealed,
    organizationId: organizationIdOf(accountId),
    clientPublicKey,
  });
}

async function maySee(call: {
  readonly services: Services;
  readonly principal: Principal;
  readonly accountId: string;
  readonly proof: OwnerProof;
}): Promise<boolean> {
  const { services, principal, accountId, proof } = call;
  if (proof.kind !== "given") return false;
  if (proof.stamp.kind === "sandbox-word") return true;
  if (proof.stamp.kind !== "signed") return false;
  const now = toIso(services.clock.now());
  const { publicKey } = proof.stamp;
  return isActiveKey(services.reads, principal.platformId, { accountId, publicKey, now });
}

const getIssuerKey = defineOperation({
  id: "getIssuerKey",
  ...route("GET /wallet/issuer-key", "VIEW", "accounts.read"),
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

export const walletExportOperations = [exportWallet, getIssuerKey];

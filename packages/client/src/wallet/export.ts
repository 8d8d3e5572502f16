/** Exports: the mnemonic of a wallet, sealed to this client and, outside the sandbox, signed by the issuer. */
import { type Bytes, fromHex, fromUtf8 } from "./bytes.ts";
import { type ClientKey, openSealed } from "./client-key.ts";
import { WalletError } from "./errors.ts";
import { asObject, parseJson } from "./outside-json.ts";
import { uncompressed } from "./p256.ts";
import { fromDer } from "./signatures.ts";

export interface SealedExport {
  /** The value of `encryptedWalletCredentials`. */
  readonly encryptedWalletCredentials: string;
  /** The key whose `clientPublicKey` was sent. */
  readonly clientKey: ClientKey;
  /** The wallet: the uuid of its internal account. */
  readonly organizationId: string;
}

const VERSION = "v1.0.0";

/**
 * Opens the mnemonic. First it verifies the signature with the issuer's public key, which your software should pin and not take
 * from the answer.
 */
export async function openExport(
  sealed: SealedExport & { readonly issuerPublicKey: string },
): Promise<string> {
  const { data, dataSignature, issuer } = read(sealed.encryptedWalletCredentials);
  if (issuer !== sealed.issuerPublicKey || !(await isSigned(data, dataSignature, issuer))) {
    throw new WalletError("issuer", "the export is not signed by this issuer");
  }
  return openWords(data, sealed);
}

/** Opens the unsigned export of a sandbox's wallet. Refuses a signed one; use `openExport` for that. */
export async function openUnsignedExport(sealed: SealedExport): Promise<string> {
  const { data, dataSignature, issuer } = read(sealed.encryptedWalletCredentials);
  if (dataSignature !== "" || issuer !== "") {
    throw new WalletError("issuer", "the export is signed; check its signature");
  }
  return openWords(data, sealed);
}

interface ExportParts {
  readonly data: Bytes;
  readonly dataSignature: string;
  readonly issuer: string;
}

function read(text: string): ExportParts {
  const members = asObject(parseJson(text)) ?? {};
  const { version, data: hex, dataSignature, enclaveQuorumPublic: issuer } = members;
  const data = typeof hex === "string" ? fromHex(hex) : undefined;
  if (
    version !== VERSION ||
    data === undefined ||
    typeof dataSignature !== "string" ||
    typeof issuer !== "string"
  ) {
    throw new WalletError("malformed", "the export is not well formed");
  }
  return { data, dataSignature, issuer };
}

async function isSigned(data: Bytes, signatureHex: string, issuer: string): Promise<boolean> {
  const der = fromHex(signatureHex);
  const signature = der && fromDer(der);
  const publicKey = uncompressed(fromHex(issuer) ?? new Uint8Array());
  if (signature === undefined || publicKey === undefined) return false;
  const curve = { name: "ECDSA", namedCurve: "P-256" };
  const key = await crypto.subtle.importKey("raw", publicKey, curve, false, ["verify"]);
  return crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key, signature, data);
}

async function openWords(data: Bytes, sealed: SealedExport): Promise<string> {
  const members = asObject(parseJson(fromUtf8(data) ?? "")) ?? {};
  const { encappedPublic, ciphertext: hex, organizationId } = members;
  const encapsulated = typeof encappedPublic === "string" ? fromHex(encappedPublic) : undefined;
  const ciphertext = typeof hex === "string" ? fromHex(hex) : undefined;
  if (encapsulated === undefined || ciphertext === undefined) {
    throw new WalletError("malformed", "the export is not well formed");
  }
  if (organizationId !== sealed.organizationId) {
    throw new WalletError("organization", "the export belongs to another wallet");
  }
  const words = await openSealed(sealed.clientKey, { encapsulated, ciphertext });
  const text = words && fromUtf8(words);
  if (text === undefined) {
    throw new WalletError("does-not-open", "the export was not sealed to this client key");
  }
  return text;
}

/** A software authenticator that creates passkeys and assertions in the form of a browser, valid or with given deviations. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import type {
  PasskeyAssertion,
  PasskeyAttestation,
} from "../../src/domain/wallets/credentials/passkeys.port.ts";

export const ORIGIN = "https://wallet.example.com";
const RP_ID = "example.com";

export const flags = {
  present: 0x01,
  verified: 0x04,
  backupEligible: 0x08,
  backedUp: 0x10,
  attested: 0x40,
  extended: 0x80,
} as const;

export type SoftAlgorithm = "ES256" | "RS256" | "EdDSA";

/** Given members replace the valid ones. */
export interface Deviations {
  readonly clientData?: Readonly<Record<string, unknown>>;
  readonly rpId?: string;
  readonly flags?: number;
  readonly counter?: number;
  /** Appended to the authenticator data and signed with it. */
  readonly tail?: Uint8Array;
  readonly cose?: ReadonlyMap<number, unknown>;
  readonly attestation?: Readonly<Record<string, unknown>>;
  readonly publicKeyBytes?: Uint8Array;
}

export interface SoftAuthenticator {
  readonly credentialId: string;
  readonly cose: ReadonlyMap<number, unknown>;
  register(challenge: string, deviations?: Deviations): PasskeyAttestation;
  /** Creates a self attestation; `alter` changes its signature. */
  selfAttest(challenge: string, alter?: (signature: Buffer) => Buffer): PasskeyAttestation;
  /** `challenge` is the text in the client data. */
  assert(challenge: string, deviations?: Deviations): PasskeyAssertion;
}

type CborValue = Parameters<typeof isoCBOR.encode>[0];
const cbor = (value: unknown) => Buffer.from(isoCBOR.encode(value as CborValue));
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest();

export function createSoftAuthenticator(algorithm: SoftAlgorithm = "ES256"): SoftAuthenticator {
  const { privateKey, cose } = newKey(algorithm);
  const id = randomBytes(32);
  const digest = algorithm === "EdDSA" ? null : "sha256";

  function clientDataOf(type: string, challenge: string, { clientData }: Deviations): Buffer {
    const right = { type, challenge, origin: ORIGIN, crossOrigin: false };
    return Buffer.from(JSON.stringify({ ...right, ...clientData }), "utf8");
  }
  function dataOf(standardFlags: number, deviations: Deviations, attested: Buffer): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(deviations.counter ?? 0);
    const flag = Buffer.of(deviations.flags ?? standardFlags);
    const tail = deviations.tail ?? Buffer.alloc(0);
    return Buffer.concat([sha256(deviations.rpId ?? RP_ID), flag, counter, attested, tail]);
  }

  function registeredData(deviations: Deviations): Buffer {
    const length = Buffer.of(id.length >> 8, id.length & 0xff);
    const key = deviations.publicKeyBytes ?? cbor(deviations.cose ?? cose);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, key]);
    return dataOf(flags.present | flags.verified | flags.attested, deviations, attested);
  }
  function register(challenge: string, deviations: Deviations = {}): PasskeyAttestation {
    const authData = new Uint8Array(registeredData(deviations));
    const right = { fmt: "none", attStmt: new Map(), authData };
    const object = new Map(Object.entries({ ...right, ...deviations.attestation }));
    return {
      credentialId: base64url(id),
      clientDataJson: base64url(clientDataOf("webauthn.create", challenge, deviations)),
      attestationObject: base64url(cbor(object)),
      transports: ["internal"],
    };
  }

  return {
    credentialId: base64url(id),
    cose,
    register,
    selfAttest(challenge, alter = (signature) => signature) {
      const clientData = clientDataOf("webauthn.create", challenge, {});
      const signed = Buffer.concat([registeredData({}), sha256(clientData)]);
      const attStmt = new Map<string, unknown>([
        ["alg", cose.get(3)],
        ["sig", new Uint8Array(alter(sign(digest, signed, privateKey)))],
      ]);
      return register(challenge, { attestation: { fmt: "packed", attStmt } });
    },
    assert(challenge, deviations = {}) {
      const clientData = clientDataOf("webauthn.get", challenge, deviations);
      const data = dataOf(flags.present | flags.verified, deviations, Buffer.alloc(0));
      const signed = Buffer.concat([data, sha256(clientData)]);
      return {
        credentialId: base64url(id),
        clientDataJson: base64url(clientData),
        authenticatorData: base64url(data),
        signature: base64url(sign(digest, signed, privateKey)),
        userHandle: null,
      };
    },
  };
}

function newKey(algorithm: SoftAlgorithm): {
  readonly privateKey: KeyObject;
  readonly cose: ReadonlyMap<number, unknown>;
} {
  if (algorithm === "RS256") {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const { n, e } = publicKey.export({ format: "jwk" });
    return { privateKey, cose: coseKey({ 1: 3, 3: -257, [-1]: bytesOf(n), [-2]: bytesOf(e) }) };
  }
  if (algorithm === "EdDSA") {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const { x } = publicKey.export({ format: "jwk" });
    return { privateKey, cose: coseKey({ 1: 1, 3: -8, [-1]: 6, [-2]: bytesOf(x) }) };
  }
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x, y } = publicKey.export({ format: "jwk" });
  const cose = coseKey({ 1: 2, 3: -7, [-1]: 1, [-2]: bytesOf(x), [-3]: bytesOf(y) });
  return { privateKey, cose };
}

function coseKey(members: Readonly<Record<number, unknown>>): ReadonlyMap<number, unknown> {
  return new Map(Object.entries(members).map(([label, value]) => [Number(label), value]));
}

function bytesOf(text: string | undefined): Uint8Array {
  return new Uint8Array(Buffer.from(text ?? "", "base64url"));
}

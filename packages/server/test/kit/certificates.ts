/** Certificates for servers of tests. */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { isIP } from "node:net";

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const time = (text: string) => der(0x18, Buffer.from(text, "ascii"));

/** A certificate that signs itself, for one name or IPv4 address, without a tool. */
export function selfSigned(host: string, lastYear = 2099): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(oid("2a8648ce3d040302"));
  const name = sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from("florin test")))));
  const subject =
    isIP(host) === 4
      ? der(0x87, Buffer.from(host.split(".").map(Number)))
      : der(0x82, Buffer.from(host));
  const extension = sequence(oid("551d11"), der(0x04, sequence(subject)));
  const toSign = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time("20000101000000Z"), time(`${lastYear}0101000000Z`)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extension)),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", toSign, privateKey));
  const body = sequence(toSign, algorithm, signature).toString("base64");
  return { cert: pem("CERTIFICATE", body), key: exported(privateKey) };
}

const pem = (label: string, body: string) =>
  `-----BEGIN ${label}-----\n${body.replace(/.{64}/g, "$&\n")}\n-----END ${label}-----\n`;
const exported = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();

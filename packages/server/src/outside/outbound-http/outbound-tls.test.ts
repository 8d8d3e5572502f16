import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { isIP } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { systemClock } from "../../std/clock.ts";
import { createOutboundClient, type OutboundClient, type OutboundPost } from "./outbound-client.ts";
import { OutboundRefused } from "./outbound-errors.ts";

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Certificate {
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
function selfSigned(host: string, lastYear = 2099): Certificate {
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

async function receiver(
  certificate: Certificate,
  options: { readonly maxVersion?: "TLSv1.1" } = {},
) {
  const seen: { readonly servername: unknown; readonly host: string | undefined }[] = [];
  const weak = {
    minVersion: "TLSv1",
    maxVersion: "TLSv1.1",
    ciphers: "DEFAULT@SECLEVEL=0",
  } as const;
  const server: Server = createServer(
    { ...certificate, ...(options.maxVersion === undefined ? {} : weak) },
    (request, response) => {
      const { servername } = request.socket as { readonly servername?: unknown };
      seen.push({ servername, host: request.headers.host });
      response.end("over tls");
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, port: (server.address() as AddressInfo).port };
}

function client(trustedRoots?: readonly string[]): OutboundClient {
  const made = createOutboundClient({
    clock: systemClock,
    trustedRoots,
    resolve: async () => ["127.0.0.1"],
  });
  cleanups.push(() => made.close());
  return made;
}

const request = (url: string, allowLoopback = true): OutboundPost => ({
  url,
  headers: {},
  body: Buffer.from("{}"),
  deadlineMs: 20_000,
  maxAnswerBytes: 100,
  allowLoopback,
});

const call = (url: string, trustedRoots?: readonly string[]) =>
  client(trustedRoots).post(request(url));

describe("over TLS", () => {
  test("a connection to this machine carries no later call that may not go there", async () => {
    const certificate = selfSigned("receiver.test");
    const { seen, port } = await receiver(certificate);
    const url = `https://receiver.test:${port}/`;
    const shared = client([certificate.cert]);
    expect((await shared.post(request(url))).status).toBe(200);
    expect(shared.openConnections).toBe(1);
    await expect(shared.post(request(url, false))).rejects.toBeInstanceOf(OutboundRefused);
    expect(seen).toHaveLength(1);
  });

  test("the judged address is dialled while SNI, certificate and Host speak of the name", async () => {
    const certificate = selfSigned("receiver.test");
    const { seen, port } = await receiver(certificate);
    const answer = await call(`https://receiver.test:${port}/`, [certificate.cert]);
    expect(answer).toMatchObject({ status: 200, body: "over tls" });
    expect(seen).toEqual([{ servername: "receiver.test", host: `receiver.test:${port}` }]);
  });

  test("a literal is checked against the addresses of the certificate, without SNI", async () => {
    const certificate = selfSigned("127.0.0.1");
    const { seen, port } = await receiver(certificate);
    expect((await call(`https://127.0.0.1:${port}/`, [certificate.cert])).status).toBe(200);
    expect(seen).toEqual([{ servername: false, host: `127.0.0.1:${port}` }]);
  });

  const unfit: readonly (readonly [what: string, certificate: Certificate, trusted: boolean])[] = [
    ["that nobody vouches for", selfSigned("receiver.test"), false],
    ["of another name", selfSigned("other.test"), true],
    ["of a subdomain", selfSigned("a.receiver.test"), true],
    ["that has lapsed", selfSigned("receiver.test", 2001), true],
  ];
  test.each(unfit)(
    "a certificate %s is a failure, whatever the environment says",
    async (_, certificate, trusted) => {
      const { seen, port } = await receiver(certificate);
      vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
      const failing = call(
        `https://receiver.test:${port}/`,
        trusted ? [certificate.cert] : undefined,
      );
      await expect(failing).rejects.toMatchObject({ name: "OutboundFailed", reason: "tls" });
      expect(seen).toEqual([]);
    },
  );

  test("an old protocol is not spoken", async () => {
    const certificate = selfSigned("receiver.test");
    const { seen, port } = await receiver(certificate, { maxVersion: "TLSv1.1" });
    const failing = call(`https://receiver.test:${port}/`, [certificate.cert]);
    await expect(failing).rejects.toMatchObject({ reason: "tls" });
    expect(seen).toEqual([]);
  });
});

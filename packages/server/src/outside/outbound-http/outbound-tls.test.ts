import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Certificate, selfSigned } from "../../../test/kit/certificates.ts";
import { systemClock } from "../../std/clock.ts";
import { createOutboundClient, type OutboundClient, type OutboundPost } from "./outbound-client.ts";
import { OutboundRefused } from "./outbound-errors.ts";

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

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

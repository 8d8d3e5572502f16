/** What only DNS, addresses and TLS can do wrong; faults of proxies are in `test/stories/uma/uma-domain-checks.test.ts`. */
import { createServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type Certificate, selfSigned } from "../../../test/kit/certificates.ts";
import {
  createRoutingProofs,
  PROOF_HEADER,
  SEEN_HEADER,
} from "../../domain/uma/domains/routing-proof.ts";
import { receivedRequest } from "../../http/uma/uma-request.ts";
import { systemClock } from "../../std/clock.ts";
import {
  createOutboundClient,
  type OutboundClientOptions,
} from "../outbound-http/outbound-client.ts";
import { createRoutingChecks } from "./routing-check.ts";
import { umaHosts } from "./uma-hosts.ts";

const DOMAIN = "bank.example";
const proofs = createRoutingProofs(Buffer.alloc(32, 1));

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A server that proves itself. */
async function serverWith(certificate: Certificate) {
  const seen: string[] = [];
  const server = createServer(certificate, (request, response) => {
    seen.push(request.headers.host ?? "");
    const received = receivedRequest(request, () => false);
    const challenge = /challenge=([^&]+)/.exec(received.query)?.[1] ?? "";
    const { proof, seen: parts } = proofs.make(challenge, received);
    response.writeHead(404, { [PROOF_HEADER]: proof, [SEEN_HEADER]: parts }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, seen };
}

interface Place {
  readonly network?: Partial<OutboundClientOptions>;
  /** Entries of UMA_HOSTS. */
  readonly listed?: readonly string[];
  readonly own?: readonly string[];
}

async function faults({ network = {}, listed = [], own = [] }: Place) {
  const outbound = createOutboundClient({
    clock: systemClock,
    ownAddresses: () => own,
    ...network,
  });
  cleanups.push(() => outbound.close());
  const ownAddresses = () => own;
  const tools = { outbound, hosts: umaHosts(listed), proofs, clock: systemClock, ownAddresses };
  return (await createRoutingChecks(tools).check(DOMAIN)).map(({ code }) => code);
}

const at = (port: number) => [`${DOMAIN}=https://127.0.0.1:${port}`];

describe("a certificate", () => {
  it("of the domain is accepted at another place, under the name of the domain", async () => {
    const certificate = selfSigned(DOMAIN);
    const { port, seen } = await serverWith(certificate);
    const network = { trustedRoots: [certificate.cert] };
    expect(await faults({ network, listed: at(port) })).toEqual([]);
    expect(seen).toEqual([DOMAIN, DOMAIN, DOMAIN, DOMAIN]);
  });

  it.each([
    ["CERTIFICATE_CHAIN", selfSigned(DOMAIN), false],
    ["CERTIFICATE_OF_ANOTHER_NAME", selfSigned("other.example"), true],
    ["CERTIFICATE_OF_ANOTHER_NAME", selfSigned("127.0.0.1"), true],
    ["CERTIFICATE_EXPIRED", selfSigned(DOMAIN, 2001), true],
  ])("has the fault %s", async (fault, certificate, isTrusted) => {
    const { port, seen } = await serverWith(certificate);
    const network = isTrusted ? { trustedRoots: [certificate.cert] } : {};
    expect(await faults({ network, listed: at(port) })).toEqual([fault]);
    expect(seen).toEqual([]);
  });

  it("is missing where the port speaks no TLS", async () => {
    const plain = (await import("node:http")).createServer((_, response) => response.end());
    await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
    cleanups.push(() => plain.close());
    expect(await faults({ listed: at((plain.address() as AddressInfo).port) })).toEqual([
      "TLS_FAILED",
    ]);
  });
});

describe("an address", () => {
  const dialled: string[] = [];
  const dial: OutboundClientOptions["dial"] = ({ address }) => {
    dialled.push(address);
    return connect({ host: "127.0.0.1", port: 9 });
  };
  const resolving = (...addresses: string[]) => ({ resolve: async () => addresses, dial });
  afterEach(() => {
    dialled.length = 0;
  });

  it("that no name server knows is NO_ADDRESS", async () => {
    expect(await faults({ network: resolving() })).toEqual(["NO_ADDRESS"]);
    const resolve = async () => Promise.reject(new Error("ENOTFOUND"));
    expect(await faults({ network: { resolve, dial } })).toEqual(["NO_ADDRESS"]);
  });

  it.each(["10.0.0.1", "127.0.0.1", "169.254.169.254", "::1", "fd00::1", "::ffff:10.0.0.1"])(
    "%s is ADDRESS_NOT_PUBLIC, also beside a public one and as one of this machine",
    async (address) => {
      for (const own of [[], [address]]) {
        expect(await faults({ network: resolving(address), own })).toEqual(["ADDRESS_NOT_PUBLIC"]);
        const both = resolving("192.88.98.1", address);
        expect(await faults({ network: both, own })).toEqual(["ADDRESS_NOT_PUBLIC"]);
      }
      expect(dialled).toEqual([]);
    },
  );

  it("that is public is called, also when it is one of this machine", async () => {
    for (const own of [[], ["192.88.98.1"]]) {
      expect(await faults({ network: resolving("192.88.98.1"), own })).toEqual(["NO_CONNECTION"]);
    }
    expect(dialled).toEqual(["192.88.98.1", "192.88.98.1"]);
  });
});

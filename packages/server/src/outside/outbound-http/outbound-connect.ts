/**
 * One judged connection to the outside.
 *
 * Steps: find the addresses (a literal is its own address; `localhost` is this machine without a lookup; any other name is looked up
 * once) → judge each of them; one bad address refuses the whole answer → connect to a judged address, never to the name → compare the
 * peer of the socket with the address that was judged → TLS with the name for SNI and for the certificate. No byte of ours is on the wire
 * before the peer was compared.
 *
 * Bounds: the exchange's signal, which is its deadline, cuts every step; each address but the last gets its share of the
 * time that is left, the last one all of it; at most four addresses are tried. If the process dies the sockets die with
 * it; nothing is stored.
 */

import { Resolver } from "node:dns/promises";
import { connect as connectSocket, isIPv6, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import type { Clock } from "../../std/clock.ts";
import { type AddressJudgement, judgeAddress } from "./address-guard.ts";
import { type AllowedHosts, portOf } from "./allowed-hosts.ts";
import { OutboundFailed, OutboundRefused } from "./outbound-errors.ts";
import { bareHost, isAddressLiteral } from "./outbound-url.ts";

/** What a connection uses of the host and the network; tests replace it. */
export interface Surroundings {
  readonly clock: Clock;
  /** All addresses of a name. Rejects or answers none when there are none. */
  readonly resolve: (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** Begins a TCP connection to an address. */
  readonly dial: (target: { readonly address: string; readonly port: number }) => Socket;
  /** The addresses of this machine. A public one among them is refused, unless loopback is allowed. */
  readonly ownAddresses: () => readonly string[];
  /** PEM certificates trusted instead of the ones that Node brings. */
  readonly trustedRoots: readonly string[] | undefined;
}

export interface ConnectTarget {
  readonly url: URL;
  readonly allowLoopback: boolean;
  readonly allowed?: AllowedHosts | undefined;
  /** The name for TLS, where it is not the host of the URL. */
  readonly tlsName?: string | undefined;
  readonly deadlineAt: number;
  /** Aborted with the error with which the exchange ends. */
  readonly signal: AbortSignal;
}

const ADDRESSES_TRIED = 4;
/** Tries of one and two seconds: an address family without an answer leaves most of the deadline to the other one. */
const RESOLVER_OPTIONS = { timeout: 1_000, tries: 2 };

export async function connectJudged(world: Surroundings, target: ConnectTarget): Promise<Socket> {
  const addresses = await judgedAddresses(world, target);
  const socket = await firstConnected(world, target, addresses);
  if (target.url.protocol !== "https:") return socket;
  return secured(world, target, socket);
}

/**
 * Asks the name servers directly: the operating system's own lookup runs on Node's four-thread pool, where a few dead
 * name servers would stop every other lookup, file and key operation of the process. The hosts file is not read.
 */
export async function resolveByDns(
  hostname: string,
  signal: AbortSignal,
  servers?: readonly string[],
): Promise<readonly string[]> {
  const resolver = new Resolver(RESOLVER_OPTIONS);
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const answers = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    const failed = answers.find((answer) => answer.status === "rejected");
    const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (found.length === 0 && failed !== undefined) throw failed.reason;
    return found;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

export function ownAddressesOfHost(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).map(({ address }) => judgeAddress(address).address),
  );
}

async function judgedAddresses(
  world: Surroundings,
  target: ConnectTarget,
): Promise<readonly string[]> {
  const host = bareHost(target.url);
  const found = await addressesOf(world, target, host);
  target.signal.throwIfAborted();
  if (found.length === 0) throw new OutboundFailed("dns");
  const judged = found.map(judgeAddress);
  for (const judgement of judged) refuseUnlessAllowed(target, judgement);
  const addresses = judged.map(({ address }) => address);
  const mayBeOwn = target.allowLoopback || addresses.every((one) => isAllowed(target, one));
  const own = mayBeOwn ? [] : world.ownAddresses();
  if (own.some((address) => addresses.includes(address))) throw new OutboundRefused("own-address");
  return addresses;
}

async function addressesOf(
  world: Surroundings,
  target: ConnectTarget,
  host: string,
): Promise<readonly string[]> {
  if (isAddressLiteral(target.url)) return [host];
  if (host === "localhost") return ["127.0.0.1", "::1"];
  try {
    return await orAborted(world.resolve(host, target.signal), target.signal);
  } catch (error) {
    target.signal.throwIfAborted();
    throw new OutboundFailed("dns", error);
  }
}

function isAllowed({ url, allowed }: ConnectTarget, address: string): boolean {
  if (allowed === undefined) return false;
  return allowed.namesHost(url) || allowed.hasAddress(address, portOf(url));
}

function refuseUnlessAllowed(target: ConnectTarget, judgement: AddressJudgement): void {
  const { kind, range, address } = judgement;
  if (kind !== "unreadable" && isAllowed(target, address)) return;
  if (kind === "loopback" && target.allowLoopback) return;
  if (kind !== "public" || target.url.protocol !== "https:") {
    throw new OutboundRefused("resolved-address", range);
  }
}

async function firstConnected(
  world: Surroundings,
  target: ConnectTarget,
  addresses: readonly string[],
): Promise<Socket> {
  const tried = inOrder(addresses).slice(0, ADDRESSES_TRIED);
  let failure: unknown;
  for (const [index, address] of tried.entries()) {
    const after = tried.length - index - 1;
    const leftMs = target.deadlineAt - world.clock.now();
    try {
      return await connected(world, target, {
        address,
        limitMs: after === 0 ? undefined : leftMs / (after + 2),
      });
    } catch (error) {
      target.signal.throwIfAborted();
      if (error instanceof OutboundRefused) throw error;
      failure = error;
    }
  }
  throw new OutboundFailed("connect", failure);
}

/** IPv4 first: hosts without an IPv6 route are common, the other way round is not. */
function inOrder(addresses: readonly string[]): readonly string[] {
  const unique = [...new Set(addresses)];
  return [...unique.filter((one) => !isIPv6(one)), ...unique.filter((one) => isIPv6(one))];
}

async function connected(
  world: Surroundings,
  { url, signal }: ConnectTarget,
  attempt: { readonly address: string; readonly limitMs: number | undefined },
): Promise<Socket> {
  const port = portOf(url);
  const socket = world.dial({ address: attempt.address, port });
  const giveUp = () => socket.destroy(new OutboundFailed("connect"));
  const cancel =
    attempt.limitMs === undefined ? undefined : world.clock.after(attempt.limitMs, giveUp);
  try {
    await ready(socket, "connect", signal);
  } finally {
    cancel?.();
  }
  if (socket.remoteAddress === undefined) throw new Error("the peer was gone at once");
  const peer = judgeAddress(socket.remoteAddress);
  if (peer.address !== attempt.address) {
    socket.destroy();
    throw new OutboundRefused("peer", peer.range);
  }
  return socket.setNoDelay(true);
}

async function secured(
  world: Surroundings,
  { url, tlsName, signal }: ConnectTarget,
  socket: Socket,
): Promise<Socket> {
  const host = tlsName ?? bareHost(url);
  const options: ConnectionOptions = {
    socket,
    host,
    ALPNProtocols: ["http/1.1"],
    minVersion: "TLSv1.2",
    // Set explicitly, because an environment variable could switch it off otherwise.
    rejectUnauthorized: true,
  };
  if (tlsName !== undefined || !isAddressLiteral(url)) options.servername = host;
  if (world.trustedRoots !== undefined) options.ca = [...world.trustedRoots];
  const tls = connectTls(options);
  try {
    await ready(tls, "secureConnect", signal);
    return tls;
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    throw new OutboundFailed("tls", error);
  }
}

/** Waits for the socket's event; the signal destroys the socket, and a socket that ends first is an error. */
function ready(
  socket: Socket,
  event: "connect" | "secureConnect",
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => socket.destroy(signal.reason);
    const settle = (error?: Error) => {
      signal.removeEventListener("abort", abort);
      if (error === undefined) resolve();
      else reject(error);
    };
    // The error listener stays: a destroyed socket may still emit an error, and an error without a listener ends the process.
    socket.on("error", settle);
    socket.once("close", () => settle(new Error("the socket closed")));
    socket.once(event, () => settle());
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });
}

/** Settles like the promise, or with the signal's error: a resolver that ignores its signal does not hold up the exchange. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

export const realNetwork: Pick<Surroundings, "resolve" | "dial" | "ownAddresses"> = {
  resolve: (hostname, signal) => resolveByDns(hostname, signal),
  dial: ({ address, port }) => connectSocket({ host: address, port }),
  ownAddresses: ownAddressesOfHost,
};

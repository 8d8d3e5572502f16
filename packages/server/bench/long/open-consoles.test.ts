/**
 * What open pages of the console cost a server, which is a process of its own: the memory of 2,000 idle live streams and what they
 * add to the time of a call, and what 50 pages that read again after each change take from the accepted payments. The bounds are for a
 * machine that does other work too; FIGURES names a file for the figures.
 */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MOST_SESSIONS } from "../../src/domain/people/sessions/person-session.ts";
import { present } from "../../src/std/assert.ts";
import { type ConsoleBrowser, openBrowser, originOf, signIn } from "../../test/kit/console.ts";
import { enrolOwner, makePerson } from "../../test/kit/console-people.ts";
import type { TestServer } from "../../test/kit/test-server.ts";
import { type BenchApi, openApi, settleEverything } from "../bench-api.ts";
import { type BenchServer, startBenchServer } from "../bench-server.ts";
import { median } from "../goals.ts";
import { residentMegabytes } from "../machine.ts";
import { NOBODY, type Population, populate } from "../seed.ts";

const ROUNDS = Number(process.env.ROUNDS ?? 1);
const STREAMS = 2_000;
/** A platform may have 1,000 of them, a session four at each platform. */
const PLATFORMS = 2;
const STREAMS_OF_SESSION = 4;
const STREAMS_MB = 200;
/** The time of a call with the streams, to that without. 1.1 on a quiet machine. */
const MOST_SLOWER = 2;
const CALLS = 300;
const CONSOLES = 50;
/** Of the accepted payments. 0.95 on a quiet machine. */
const LEAST_LEFT = 0.5;
/** As in a page: notices are gathered, and what is shown is read again at most so often. */
const APART_MS = 1_500;
const READS = ["/overview", "/transactions?limit=10"];
const CONNECTIONS = 32;
const WARM_MS = 3_000;
const MEASURE_MS = 3_000;
const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const CREDENTIALS = { clientId: "client-bench", clientSecret: "a-secret-of-the-bench-0123456789" };

interface LiveStream {
  readonly request: ClientRequest;
  readonly answer: IncomingMessage;
}

describe("open consoles", () => {
  let dataDir: string;
  let server: BenchServer;
  let api: BenchApi;
  let population: Population;
  let owner: ConsoleBrowser;
  let platformIds: readonly string[];
  const figures: Record<string, number> = {};

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "florin-consoles-"));
    await chmod(dataDir, 0o711);
    server = await startBenchServer({
      main: MAIN,
      dataDir: join(dataDir, "data"),
      credentials: CREDENTIALS,
    });
    api = openApi(server, CREDENTIALS);
    const standIn = { app: { address: { port: server.port } } } as TestServer;
    owner = await enrolOwner(openBrowser(standIn), present(server.startCode, "a first link"));
    const second = { name: "second", umaDomain: "second.test" };
    expect((await owner.call("POST", "/workspace/platforms", second)).status).toBe(201);
    const { json } = await owner.call("GET", "/session");
    platformIds = json.platforms.map(({ id }: { id: string }) => id);
    expect(platformIds).toHaveLength(PLATFORMS);
    population = await populate({ port: server.port, api }, { count: 200, known: NOBODY });
    await acceptedIn(WARM_MS);
    await settleEverything(api);
  }, 180_000);

  afterAll(async () => {
    await server?.stop();
    await rm(dataDir, { recursive: true, force: true });
    if (process.env.FIGURES !== undefined)
      await writeFile(process.env.FIGURES, `${JSON.stringify(figures, null, 2)}\n`);
  }, 120_000);

  /**
   * The headers of this many sessions, of as many people as they need. Those of one person are apart, because a person may make 100
   * calls a second.
   */
  async function sessionsOf(count: number): Promise<readonly Record<string, string>[]> {
    const people: ConsoleBrowser[] = [];
    while (people.length * MOST_SESSIONS < count)
      people.push((await makePerson(owner, ["VIEWER"], { isNew: true })).browser);
    const sessions: Record<string, string>[] = [];
    while (sessions.length < count) {
      for (const browser of people) {
        expect((await signIn(browser)).status).toBe(200);
        sessions.push(headersOf(browser));
      }
    }
    return sessions.slice(0, count);
  }

  function headersOf({ cookie = "", csrf = "" }: ConsoleBrowser): Record<string, string> {
    const origin = originOf(owner.server);
    return { "sec-fetch-site": "same-origin", origin, cookie, "florin-csrf": csrf };
  }

  const urlOf = (path: string, platformId = platformIds[0]) =>
    `http://127.0.0.1:${server.port}/console/api/p/${platformId}${path}`;

  function openStream(headers: Record<string, string>, platformId?: string): Promise<LiveStream> {
    return new Promise((resolve, reject) => {
      const request = get(urlOf("/live", platformId), { headers, agent: false }, (answer) => {
        answer.on("error", () => undefined);
        if (answer.statusCode !== 200)
          reject(new Error(`a stream was refused: ${answer.statusCode}`));
        else answer.once("data", () => resolve({ request, answer }));
      });
      request.on("error", reject);
    });
  }

  /** The median time of a call by the API. */
  async function callMs(): Promise<number> {
    const times: number[] = [];
    const headers = headersOf(owner);
    for (let count = 0; count < CALLS; count++) {
      const from = performance.now();
      const response = await fetch(urlOf("/transactions?limit=10"), { headers });
      await response.text();
      expect(response.status).toBe(200);
      times.push(performance.now() - from);
      // A person may make 100 calls a second.
      await pause(10);
    }
    return median(times);
  }

  it(`keeps ${STREAMS} idle streams in ${STREAMS_MB} MB, and answers calls as before`, async () => {
    const sessions = await sessionsOf(STREAMS / STREAMS_OF_SESSION / PLATFORMS);
    const callBefore = await callMs();
    const residentBefore = present(residentMegabytes(server.pid), "the memory of the server");
    const streams: LiveStream[] = [];
    for (const headers of sessions) {
      const opened = platformIds.flatMap((id) =>
        Array.from({ length: STREAMS_OF_SESSION }, () => openStream(headers, id)),
      );
      streams.push(...(await Promise.all(opened)));
    }
    const callWith = await callMs();
    const residentWith = present(residentMegabytes(server.pid), "the memory of the server");
    expect(streams.filter(({ answer }) => answer.readableEnded)).toEqual([]);
    for (const { request } of streams) request.destroy();
    await pause(1_000);
    const callAfter = await callMs();
    figures.streamsMegabytes = residentWith - residentBefore;
    figures.callMs = callWith;
    figures.callRatio = callWith / ((callBefore + callAfter) / 2);
    expect(figures.streamsMegabytes).toBeLessThan(STREAMS_MB);
    expect(figures.callRatio).toBeLessThan(MOST_SLOWER);
  }, 300_000);

  it(`accepts payments beside ${CONSOLES} open pages`, async () => {
    const sessions = await sessionsOf(CONSOLES);
    const ratios: number[] = [];
    let reads = 0;
    let notices = 0;
    const accepted = async () => {
      const perSecond = await acceptedIn(MEASURE_MS);
      await settleEverything(api);
      return perSecond;
    };
    const withConsoles = async () => {
      const pages = await Promise.all(sessions.map(openPage));
      const perSecond = await accepted();
      for (const page of pages) {
        const counts = await page.close();
        reads += counts.reads;
        notices += counts.notices;
      }
      return perSecond;
    };
    for (let round = 0; round < ROUNDS; round++) {
      const first = round % 2 === 0 ? await accepted() : undefined;
      const beside = await withConsoles();
      ratios.push(beside / (first ?? (await accepted())));
    }
    figures.acceptedRatio = median(ratios);
    figures.acceptedRatioLeast = Math.min(...ratios);
    figures.acceptedRatioMost = Math.max(...ratios);
    figures.reads = reads;
    figures.notices = notices;
    expect(notices).toBeGreaterThan(CONSOLES);
    expect(reads).toBeGreaterThan(CONSOLES);
    expect(figures.acceptedRatio).toBeGreaterThan(LEAST_LEFT);
  }, 600_000);

  /** Payments a second, from callers that each wait for the answer. */
  async function acceptedIn(durationMs: number): Promise<number> {
    const until = performance.now() + durationMs;
    let count = 0;
    const caller = async (_: unknown, index: number) => {
      for (let call = index; performance.now() < until; call += CONNECTIONS) {
        await api.post("/transfer-out", {
          source: { accountId: population.accounts[call % population.accounts.length] },
          destination: { accountId: population.silent[call % population.silent.length] },
          amount: 1,
        });
        count++;
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, caller));
    return (count * 1_000) / durationMs;
  }

  /** A page that reads what it shows again when the stream says that something has changed. */
  async function openPage(headers: Record<string, string>) {
    const { request, answer } = await openStream(headers);
    const counts = { reads: 0, notices: 0 };
    let isDirty = false;
    let isOver = false;
    answer.on("data", (piece: Buffer) => {
      counts.notices += piece.toString().split("event: ").length - 1;
      isDirty = true;
    });
    const following = (async () => {
      while (!isOver) {
        await pause(APART_MS);
        if (!isDirty) continue;
        isDirty = false;
        for (const path of READS) {
          const response = await fetch(urlOf(path), { headers });
          await response.text();
          if (response.status === 200) counts.reads++;
        }
      }
    })();
    return {
      async close() {
        isOver = true;
        request.destroy();
        await following;
        return counts;
      },
    };
  }
});

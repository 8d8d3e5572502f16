/** UMA domains: the check of their routing through a proxy, and who is served at which host. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { releaseDomainFromShell } from "../../../src/commands/release-domain.ts";
import { setPlatformFromShell } from "../../../src/commands/set-platform.ts";
import { checkDomainFromShell } from "../../../src/commands/uma/check-domain.ts";
import { toPlatformConfigId } from "../../../src/domain/platform.ts";
import { systemClock } from "../../../src/std/clock.ts";
import { operatorRuns } from "../../kit/operator.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";
import { askHost, type ProxyRules, startUmaProxy, type UmaProxy } from "../../kit/uma-proxy.ts";

const DOMAINS = ["bank.test", "second.test", "third.test", "own.test", "both.test", "daily.test"];
const CONFIGURATION = "/.well-known/uma-configuration";
const UNKNOWN_USER =
  '{"status":"ERROR","code":"USER_NOT_FOUND","reason":"The user was not found."}';

let proxy: UmaProxy;
let server: TestServer;
beforeAll(async () => {
  proxy = await startUmaProxy();
  server = await startTestServer({
    settings: {
      PUBLIC_URL: "https://api.deployment.example",
      TRUSTED_PROXIES: "127.0.0.2",
      UMA_HOSTS: DOMAINS.map((domain) => `${domain}=http://127.0.0.1:${proxy.port}`).join(","),
    },
  });
});
beforeEach(() => {
  proxy.upstream = server.app.address.port;
  proxy.rules = {};
});
afterAll(async () => {
  await server.close();
  await proxy.close();
});

const production = (umaDomain: string, name = umaDomain) =>
  openStory(server, { environment: "PRODUCTION", isRegulated: true, umaDomain, name });

async function domainIn(story: Story, domain?: string) {
  const { json } = await story.call("GET", "/uma/domains");
  const found = json.data.find((one: { readonly domain: string }) =>
    domain === undefined ? true : one.domain === domain,
  );
  return found as { readonly id: string; readonly status: string; readonly isPrimary: boolean };
}

async function check(story: Story, domain?: string) {
  const { id } = await domainIn(story, domain);
  const { status, json } = await story.call("POST", `/uma/domains/${id}/check`);
  expect(status).toBe(200);
  const { lastCheck } = json;
  const faults = lastCheck.faults.map(({ code }: { readonly code: string }) => code);
  return { status: json.status, ok: lastCheck.ok, faults };
}

const at = (host: string, path = CONFIGURATION, headers = {}) =>
  askHost(server.app.address.port, { host, path, headers });

describe("a domain", () => {
  it("serves nothing until a check has found its routing in order", async () => {
    const bank = await production("bank.test", "The Bank");
    expect(await domainIn(bank)).toMatchObject({
      domain: "bank.test",
      status: "CLAIMED",
      isPrimary: true,
      callbackBase: "PUBLIC_URL",
    });
    expect(await at("bank.test")).toMatchObject({ status: 404, text: UNKNOWN_USER });
    expect(await check(bank)).toEqual({ status: "ACTIVE", ok: true, faults: [] });
    const served = await at("bank.test");
    expect(served).toMatchObject({
      status: 200,
      text: '{"name":"The Bank","uma_major_versions":[1]}',
    });
    expect(served.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=300",
    });
    expect(await domainIn(bank)).toMatchObject({ status: "ACTIVE" });
  });

  it("is changed by its base of callbacks alone, and by its platform alone", async () => {
    const [one, other] = [await openStory(server), await openStory(server)];
    const { id } = await domainIn(one);
    const path = `/uma/domains/${id}`;
    const changed = await one.call("PATCH", path, { callbackBase: "DOMAIN" });
    expect([changed.status, changed.json.callbackBase]).toEqual([200, "DOMAIN"]);
    for (const body of [{}, { callbackBase: "ELSEWHERE" }, { callbackBase: 1 }, { domain: "x" }]) {
      expect((await one.call("PATCH", path, body)).status).toBe(400);
    }
    const unknown = await other.call(
      "GET",
      path.replace(/.$/, (end) => (end === "0" ? "1" : "0")),
    );
    expect(unknown.status).toBe(404);
    for (const [method, foreign, body] of [
      ["GET", path, undefined],
      ["PATCH", path, { callbackBase: "DOMAIN" }],
      ["POST", `${path}/check`, undefined],
    ] as const) {
      expect(await other.call(method, foreign, body)).toMatchObject({
        status: 404,
        text: unknown.text,
      });
    }
  });

  it("can be checked ten times at once, then once in five seconds", async () => {
    const story = await openStory(server);
    const { id } = await domainIn(story);
    proxy.rules = {};
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => story.call("POST", `/uma/domains/${id}/check`)),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers.get("retry-after")).toBe("5");
  });
});

const foreign: ProxyRules["answer"] = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end("{}");
  return true;
};

describe("a check through a proxy", () => {
  const onPath =
    (text: string, answer: ProxyRules["answer"]): ProxyRules["answer"] =>
    (request, response) =>
      request.url?.startsWith(text) === true ? answer?.(request, response) : undefined;
  const cached = () => {
    let kept: Record<string, string> | undefined;
    return (headers: Record<string, string>) => {
      kept ??= headers;
      return kept;
    };
  };

  const wrong: readonly (readonly [fault: string, rules: () => ProxyRules])[] = [
    [
      "REDIRECT",
      () => ({
        answer: (_, response) => {
          response.writeHead(301, { location: "https://www.second.test/" }).end();
          return true;
        },
      }),
    ],
    ["OTHER_SERVER", () => ({ answer: foreign })],
    ["LNURLP_NOT_ROUTED", () => ({ answer: onPath("/.well-known/lnurlp/", foreign) })],
    ["LNURLPUBKEY_NOT_ROUTED", () => ({ answer: onPath("/.well-known/lnurlpubkey", foreign) })],
    ["HOST_NOT_PASSED_ON", () => ({ host: "florin:8080" })],
    ["PATH_CHANGED", () => ({ target: (target) => target.replace("%24", "$") })],
    ["QUERY_CHANGED", () => ({ target: (target) => target.replace(/\?.*/, "") })],
    ["QUERY_CHANGED", () => ({ target: (target) => target.slice(0, 500) })],
    ["ANSWER_CACHED", () => ({ answered: (headers) => ({ ...headers, age: "7" }) })],
    ["CLOCK_OFF", () => ({ answered: (headers) => ({ ...headers, date: wrongDate() }) })],
    [
      "NO_ANSWER",
      () => ({
        answer: (request) => {
          request.socket.destroy();
          return true;
        },
      }),
    ],
  ];
  it.each(wrong)("names %s", async (fault, rules) => {
    proxy.rules = rules();
    expect(await faultsNow()).toEqual([fault]);
  });

  it("names ANSWER_CACHED of a cache that takes two queries for one", async () => {
    const keep = cached();
    proxy.rules = { answered: keep };
    expect(await faultsNow()).toContain("ANSWER_CACHED");
  });

  it("names MARKED_AS_HTTP of a trusted proxy, whose host and scheme count", async () => {
    const trusting = await startTestServer({
      beside: server,
      settings: { TRUSTED_PROXIES: "127.0.0.1", PUBLIC_URL: "https://api.deployment.example" },
    });
    try {
      proxy.upstream = trusting.app.address.port;
      proxy.rules = { headers: { "x-forwarded-proto": "http" } };
      expect(await faultsNow()).toEqual(["MARKED_AS_HTTP"]);
      const marked = await askHost(trusting.app.address.port, {
        host: "bank.test",
        path: CONFIGURATION,
        headers: { "x-forwarded-proto": "http" },
      });
      expect([marked.status, JSON.parse(marked.text).status]).toEqual([403, "ERROR"]);
      proxy.rules = { host: "florin:8080", headers: { "x-forwarded-host": "second.test" } };
      expect(await faultsNow()).toEqual([]);
    } finally {
      await trusting.close();
    }
  });

  it("does not pass with the answer of another deployment, or with one that was recorded", async () => {
    const stranger = await startTestServer({
      settings: { MASTER_KEY: "fedcba9876543210".repeat(4) },
    });
    try {
      const other = await production("third.test");
      proxy.upstream = stranger.app.address.port;
      expect(await check(other)).toMatchObject({ status: "CLAIMED", faults: ["OTHER_SERVER"] });
      proxy.upstream = server.app.address.port;
      const recorded: Record<string, string>[] = [];
      const good = await askHost(server.app.address.port, {
        host: "third.test",
        path: `${CONFIGURATION}?challenge=${"a".repeat(43)}`,
      });
      recorded.push(good.headers as Record<string, string>);
      proxy.rules = {
        answer: (_, response) => {
          response.writeHead(200, { ...recorded[0], "content-length": "0" }).end();
          return true;
        },
      };
      expect(await check(other)).toMatchObject({ status: "CLAIMED", faults: ["OTHER_SERVER"] });
    } finally {
      await stranger.close();
    }
  });
});

async function faultsNow(): Promise<readonly string[]> {
  return (await server.app.umaRouting.check("second.test")).map(({ code }) => code);
}

function wrongDate(): string {
  return new Date(systemClock.now() + 120_000).toUTCString();
}

describe("a host", () => {
  it("has the platform whose domain it is, and all others the same bytes", async () => {
    const first = await production("own.test", "First");
    expect(await check(first)).toMatchObject({ status: "ACTIVE" });
    const challenge = `?challenge=${"b".repeat(43)}`;
    expect((await at("OWN.test:443")).text).toContain('"First"');
    const unknown = await at("nobody.test");
    const others = ["api.deployment.example", "third.test", "localhost", "sub.own.test"];
    for (const host of others) expect(sameBytes(await at(host))).toEqual(sameBytes(unknown));
    const lookup = "/.well-known/lnurlp/$ana";
    for (const host of ["own.test", ...others]) {
      const answer = await at(host, lookup);
      if (host === "own.test") expect(answer.text).toContain("NON_UMA_LNURL_NOT_SUPPORTED");
      else expect(answer).toMatchObject({ status: 404, text: UNKNOWN_USER });
      expect((await at(host, `${lookup}${challenge}`)).headers["florin-uma-proof"]).toBeDefined();
    }
    const forged = { "x-forwarded-host": "own.test", "x-forwarded-proto": "http" };
    expect(await at("nobody.test", CONFIGURATION, forged)).toMatchObject({ text: UNKNOWN_USER });
    expect((await at("own.test", CONFIGURATION, forged)).status).toBe(200);
  });

  it("answers GET and HEAD alone, and no other path below /.well-known/", async () => {
    const port = server.app.address.port;
    const head = await askHost(port, { host: "own.test", path: CONFIGURATION, method: "HEAD" });
    expect([head.status, head.text, head.headers["content-length"]]).toEqual([200, "", "41"]);
    for (const path of [CONFIGURATION, "/.well-known/lnurlp/$a", "/.well-known/lnurlpubkey"]) {
      const posted = await askHost(port, { host: "own.test", path, method: "POST" });
      expect([posted.status, posted.headers.allow]).toEqual([405, "GET, HEAD"]);
    }
    for (const path of ["/.well-known/nostr.json", "/.well-known/lnurlp", "/.well-known/"]) {
      expect((await at("own.test", path)).status).toBe(404);
    }
  });

  it("of a production platform is not served for a sandbox of the same name", async () => {
    const sandbox = await openStory(server, { umaDomain: "both.test", name: "Sandbox" });
    expect(await check(sandbox)).toMatchObject({ status: "ACTIVE" });
    expect((await at("both.test")).text).toContain('"Sandbox"');
    const bank = await production("both.test", "Bank");
    server.app.umaRouting.forget();
    expect((await at("both.test")).text).toBe(UNKNOWN_USER);
    expect(await check(bank)).toMatchObject({ status: "ACTIVE" });
    expect((await at("both.test")).text).toContain('"Bank"');
  });

  it("of a former domain is served until it is released", async () => {
    const first = await production("old.test", "Mover");
    const platform = toPlatformConfigId(first.platformId);
    await operatorRuns(server, setPlatformFromShell, { platform, umaDomain: "new.test" });
    const { json } = await first.call("GET", "/uma/domains");
    const shown = json.data.map((one: Record<string, unknown>) => [one.domain, one.isPrimary]);
    expect(shown).toEqual([
      ["new.test", true],
      ["old.test", false],
    ]);
    const { id } = await domainIn(first, "old.test");
    const release = { platform, domain: "old.test", confirm: false };
    await operatorRuns(server, releaseDomainFromShell, release);
    expect((await first.call("GET", `/uma/domains/${id}`)).status).toBe(404);
    expect((await first.call("POST", `/uma/domains/${id}/check`)).status).toBe(404);
    expect((await first.call("GET", "/uma/domains")).json.totalCount).toBe(1);
    await operatorRuns(server, setPlatformFromShell, { platform, umaDomain: "old.test" });
    expect(await domainIn(first, "old.test")).toMatchObject({ status: "CLAIMED", isPrimary: true });
    expect((await domainIn(first, "old.test")).id).not.toBe(id);
  });
});

function sameBytes({ status, text, headers }: Awaited<ReturnType<typeof at>>) {
  const { date: _, "x-request-id": __, ...rest } = headers;
  return { status, text, rest };
}

describe("florin uma check", () => {
  let answers: readonly boolean[] = [];
  const run = async (domain: string, json = false) => {
    const settings = { UMA_HOSTS: `told.test=http://127.0.0.1:${proxy.port}` };
    return operatorRuns(
      { database: server.database, settings },
      async (config, options: { readonly json: boolean }) => {
        answers = [...answers, await checkDomainFromShell(config, domain, options)];
      },
      { json },
    );
  };

  it("tells the faults of a domain of a platform here, and records them", async () => {
    const story = await production("told.test");
    const platform = toPlatformConfigId(story.platformId);
    proxy.rules = { host: "florin:8080" };
    expect(await run("TOLD.test")).toBe(
      "told.test: 1 fault.\n  HOST_NOT_PASSED_ON  The proxy does not pass the host on: this deployment received another one than " +
        `told.test.\n${platform}  CLAIMED\n`,
    );
    proxy.rules = {};
    const told = JSON.parse(await run("told.test", true));
    expect(told).toEqual({
      domain: "told.test",
      ok: true,
      faults: [],
      platforms: [{ platformId: platform, status: "ACTIVE" }],
    });
    expect(answers).toEqual([false, true]);
    expect(await domainIn(story)).toMatchObject({ status: "ACTIVE" });
    await expect(run("nobodys")).rejects.toThrow("nobodys is no domain name");
    const other = await run("nobodys.test");
    expect(other).toContain("nobodys.test: no platform here has this domain; 2 faults");
    expect(other).toContain("COUNTERPARTY_PUBKEY_FETCH_ERROR  Its keys cannot be fetched: dns");
    expect(answers.at(-1)).toBe(false);
  });
});

describe("the daily check", () => {
  it("makes a domain unreachable with the third failure, tells it, and mends it", async () => {
    const story = await openStory(server, { umaDomain: "daily.test" });
    await story.call("PATCH", "/config", { webhookEvents: "ALL" });
    expect(await check(story)).toMatchObject({ status: "ACTIVE" });
    const day = async () => {
      await story.call("POST", "/sandbox/clock/advance", { seconds: 86_401 });
      await story.settle();
      return (await domainIn(story)).status;
    };
    proxy.rules = { answer: foreign };
    expect([await day(), await day(), await day()]).toEqual(["ACTIVE", "ACTIVE", "UNREACHABLE"]);
    server.app.umaRouting.forget();
    expect((await at("daily.test")).text).toBe(UNKNOWN_USER);
    proxy.rules = {};
    expect(await day()).toBe("ACTIVE");
    server.app.umaRouting.forget();
    expect((await at("daily.test")).status).toBe(200);
    const { json } = await story.call("GET", "/events?limit=100");
    const told = json.data
      .filter(({ type }: { readonly type: string }) => type.startsWith("UMA_DOMAIN."))
      .map((one: { readonly type: string }) => one.type);
    expect(told.toSorted()).toEqual(["UMA_DOMAIN.REACHABLE", "UMA_DOMAIN.UNREACHABLE"]);
  });
});

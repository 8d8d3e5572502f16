import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type LogLine,
  recordingLog,
  type Shell,
  sendRaw,
  startShell,
} from "../../../test/kit/http-shell.ts";
import { LARGE_ASSET, SMALL_PAGE, smallDocs } from "../../../test/kit/small-docs.ts";
import { docsRules, readBuiltSite } from "./built-site.ts";

let shell: Shell;
beforeAll(async () => {
  shell = await startShell({ docs: await smallDocs() });
});
afterAll(() => shell.server.close(0));

function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(shell.origin + path, { headers, redirect: "manual" });
}

describe("the documentation", () => {
  it.each([
    ["br", "br"],
    ["gzip, deflate", "gzip"],
    ["gzip;q=1.0, br;q=0", "gzip"],
    ["gzip;q=0.5, br; q=0.000", "gzip"],
    ["identity", null],
  ])("is sent to a caller that accepts %s as %s", async (accepted, encoding) => {
    const answer = await get("/docs", { "accept-encoding": accepted });
    expect(answer.headers.get("content-encoding")).toBe(encoding);
    expect(answer.headers.get("vary")).toBe("Accept-Encoding");
    expect(await answer.text()).toBe(SMALL_PAGE);
  });

  it("is sent once, and then found unchanged", async () => {
    const headers = { "accept-encoding": "gzip" };
    const first = await get("/docs", headers);
    const etag = first.headers.get("etag") ?? "";
    expect(first.headers.get("cache-control")).toBe("public, no-cache");
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await get("/docs", { ...headers, "if-none-match": known });
      expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([
        304,
        "",
        etag,
      ]);
    }
    const other = await get("/docs", { "accept-encoding": "br", "if-none-match": etag });
    expect(other.status).toBe(200);
  });

  it("has assets that a browser keeps", async () => {
    const asset = await get(LARGE_ASSET);
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });

  it("allows scripts and styles of this server alone", async () => {
    const { headers } = await get("/docs");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
  });

  it("answers HEAD with the length of the page and without its body", async () => {
    const head = "HEAD /docs HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    const text = await sendRaw(shell.port, head);
    expect(text).toContain(`Content-Length: ${SMALL_PAGE.length}\r\n`);
    expect(text.endsWith("\r\n\r\n")).toBe(true);
  });

  it.each(["/docs?from=mail", "http://florin.example/docs", "/%64ocs"])(
    "is found at %s",
    async (target) => {
      const head = `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      expect(await sendRaw(shell.port, head)).toContain("HTTP/1.1 200 OK\r\n");
    },
  );

  it.each(["/docs/", "/2025-10-13/docs", "/docs/reference"])("is moved from %s", async (path) => {
    const moved = await get(path);
    expect([moved.status, moved.headers.get("location")]).toEqual([301, "/docs"]);
  });

  it.each(["/docs/nothing", "/docs/errors/NOTHING", "/docs/%2e%2e/x", "/docs/__proto__"])(
    "has nothing at %s",
    async (path) => {
      const answer = await get(path);
      expect([answer.status, await answer.json()]).toMatchObject([404, { code: "NOT_FOUND" }]);
    },
  );

  it.each(["/docs", "/docs/errors", "/docs/errors/CONFLICT"])(
    "takes no POST at %s",
    async (path) => {
      const answer = await fetch(shell.origin + path, { method: "POST" });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    },
  );
});

describe("the OpenAPI document", () => {
  it("is compressed, and found unchanged", async () => {
    const answer = await get("/openapi.json", { "accept-encoding": "gzip" });
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    const etag = answer.headers.get("etag") ?? "";
    const again = await get("/openapi.json", { "accept-encoding": "gzip", "if-none-match": etag });
    expect(again.status).toBe(304);
  });
});

describe("a server without its documentation", () => {
  it("says what to do, and serves the rest", async () => {
    const bare = await startShell();
    const answer = await fetch(`${bare.origin}/docs/guides/quickstart`);
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { message: "This server has no documentation: run `npm run build` and start it again." },
    ]);
    expect((await fetch(`${bare.origin}/openapi.json`)).status).toBe(200);
    await bare.server.close(0);
  });

  it.each([
    ["missing", undefined],
    ["empty", ""],
    ["no archive", "\u0000\u0000\u0000\u0009not JSON!"],
  ])("starts when the file is %s, and warns", async (_what, text) => {
    const folder = await mkdtemp(join(tmpdir(), "florin-docs-"));
    const place = join(folder, "site.bin");
    if (text !== undefined) await writeFile(place, text);
    const lines: LogLine[] = [];
    expect(
      await readBuiltSite(pathToFileURL(place), docsRules, recordingLog(lines)),
    ).toBeUndefined();
    expect(lines).toMatchObject([{ level: "warn", message: "the documentation cannot be read" }]);
    await rm(folder, { recursive: true });
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Shell, startShell } from "../../../test/kit/http-shell.ts";
import { SMALL_SCRIPT, smallConsole } from "../../../test/kit/small-docs.ts";

let shell: Shell;
beforeAll(async () => {
  shell = await startShell({ consoleSite: await smallConsole() });
});
afterAll(() => shell.server.close(0));

const get = (path: string) => fetch(`${shell.origin}${path}`, { redirect: "manual" });

describe("the console", () => {
  it.each(["/console", "/console/", "/console/start", "/console/p/sandbox/payments/Transaction:1"])(
    "is one page at %s",
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(answer.headers.get("cache-control")).toBe("public, no-cache");
    },
  );

  it("takes scripts and styles from this server alone, and no markup from text", async () => {
    const { headers } = await get("/console");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toMatch(/style-src 'self'( 'sha256-[A-Za-z0-9+/]{43}='){2};/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("permissions-policy")).toContain("camera=()");
    expect(headers.get("permissions-policy")).toContain("publickey-credentials-get=(self)");
    expect(headers.get("set-cookie")).toBeNull();
  });

  it("has assets that a browser keeps", async () => {
    const answer = await get(SMALL_SCRIPT);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("content-type")).toBe("text/javascript");
  });

  it.each(["/console/assets/nothing.js", "/console/api/nothing", "/console/api/p/x/y"])(
    "has nothing at %s",
    async (path) => {
      const answer = await get(path);
      expect([answer.status, await answer.json()]).toMatchObject([404, { code: "NOT_FOUND" }]);
    },
  );

  it("says what to do when it was not built, and the API works", async () => {
    const bare = await startShell({ consoleSite: null });
    const answer = await fetch(`${bare.origin}/console/p/sandbox/home`);
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { message: "This server has no console: run `npm run build` and start it again." },
    ]);
    expect((await fetch(`${bare.origin}/openapi.json`)).status).toBe(200);
    await bare.server.close(0);
  });
});

/** What the configurations of HAProxy and nginx in `deploy` rely on is true of the server: paths, limits, settings, error bodies. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RefusalCode, refusalCodes, statusOf } from "../src/engine/refusal.ts";
import { versionPath } from "../src/http/request/operation.ts";
import { linkPath } from "../src/http/request/verification-links.ts";
import { defaultLimits } from "../src/http/server/limits.ts";
import { startTestServer, type TestServer } from "./kit/test-server.ts";

const root = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

const haproxy = read("deploy/haproxy.cfg");
const nginx = read("deploy/nginx.conf");

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly requestBody?: { readonly content?: object } }>>
    >
  >;
}

let server: TestServer;
let document: Document;

beforeAll(async () => {
  server = await startTestServer();
  const answer = await fetch(new URL("/openapi.json", server.app.baseUrl));
  document = (await answer.json()) as Document;
});
afterAll(() => server.close());

/** The paths below which uploads are passed on as they arrive. */
function uploadPlaces(): readonly RegExp[] {
  const blocks = [...nginx.matchAll(/location (~ )?(\S+) \{([^}]*)\}/g)];
  return blocks
    .filter(([, , , body = ""]) => body.includes("proxy_request_buffering off"))
    .map(([, isPattern, place = ""]) => new RegExp(isPattern === undefined ? `^${place}` : place));
}

/** The one match, in seconds. */
function seconds(text: string, pattern: RegExp): number {
  const found = [...text.matchAll(pattern)];
  expect(found).toHaveLength(1);
  return Number(found[0]?.[1]);
}

it("HAProxy asks a path that says whether the server is ready", async () => {
  const [, path = ""] = /option httpchk GET (\S+)/.exec(haproxy) ?? [];
  const [, status] = /http-check expect status (\d+)/.exec(haproxy) ?? [];
  const answer = await fetch(new URL(path, server.app.baseUrl));
  expect(await answer.json()).toEqual({ status: "ready" });
  expect(String(answer.status)).toBe(status);
});

it("nginx passes on every upload as it arrives, and collects every other body", () => {
  const places = uploadPlaces();
  const isUpload = (path: string) => places.some((place) => place.test(path));
  const bodies = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ requestBody }) =>
      Object.keys(requestBody?.content ?? {}).map((type) => ({
        path: versionPath + path,
        isForm: type === "multipart/form-data",
      })),
    ),
  );
  const forms = bodies.filter(({ isForm }) => isForm);
  expect(forms.length).toBeGreaterThan(2);
  expect(forms.filter(({ path }) => !isUpload(path))).toEqual([]);
  expect(bodies.filter(({ path, isForm }) => !isForm && isUpload(path))).toEqual([]);
  expect(isUpload(linkPath.replace("{linkCode}", "code"))).toBe(true);
});

it("bodies that nginx collects stay in memory, and may be as large as the server accepts", () => {
  const bytesOf = (name: string) => {
    const [, megabytes] = new RegExp(`^ {8}${name} (\\d+)m;`, "m").exec(nginx) ?? [];
    return Number(megabytes) * 1024 * 1024;
  };
  expect(bytesOf("client_max_body_size")).toBeGreaterThan(defaultLimits.bodyBytes);
  expect(bytesOf("client_body_buffer_size")).toBe(bytesOf("client_max_body_size"));
});

it("timeouts outlast the pause of an upload, and end an idle connection before the server does", () => {
  const patience = [
    seconds(haproxy, /timeout client (\d+)s/g),
    seconds(haproxy, /timeout server (\d+)s/g),
    seconds(nginx, /proxy_read_timeout (\d+)s/g),
  ];
  for (const each of patience) expect(each * 1_000).toBeGreaterThan(defaultLimits.formIdleMs);
  const idle = seconds(nginx, /keepalive_timeout (\d+)s/g);
  expect(idle * 1_000).toBeLessThan(defaultLimits.keepAliveTimeoutMs);
});

/** What a log line may have: addresses, method, status, bytes, times, the server, the request's id. */
const HARMLESS = new Set([
  ...["%ci", "%HM", "%ST", "%B", "%Ta", "%b", "%s", "%ts", "%rc", "%[capture.res.hdr(0)]"],
  ...["$remote_addr", "$request_method", "$status", "$bytes_sent", "$request_time"],
  ...["$upstream_addr", "$upstream_http_x_request_id"],
]);

describe.each([
  ["haproxy.cfg", haproxy],
  ["nginx.conf", nginx],
])("%s", (_name, text) => {
  it("answers its own errors in the form of the API", () => {
    const bodies = [...text.matchAll(/'(\{"status".*\})'/g)].map(
      ([, body = ""]) => JSON.parse(body) as { status: number; code: RefusalCode; message: string },
    );
    expect(bodies.length).toBeGreaterThan(1);
    for (const { status, code, message } of bodies) {
      expect(refusalCodes).toContain(code);
      expect(status).toBe(statusOf(code));
      expect(message).not.toBe("");
    }
  });

  it("names settings that exist", () => {
    const settings = read("docs/reference/settings.md");
    const named = [...text.matchAll(/^# {3}([A-Z_]+)=/gm)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((name) => !settings.includes(`| \`${name}\` |`))).toEqual([]);
  });

  it("logs no path, no query and no credentials", () => {
    const formats = [...text.matchAll(/log-format "([^"]*)"|log_format \w+ ([^;]*);/g)];
    expect(formats).toHaveLength(1);
    const variables =
      formats[0]
        ?.slice(1)
        .join(" ")
        .match(/[%$](\[[^\]]*\]|\w+)/g) ?? [];
    expect(variables.length).toBeGreaterThan(6);
    expect(variables.filter((name) => !HARMLESS.has(name))).toEqual([]);
  });

  it("hashes the header that carries the credentials, and adds the caller's address", () => {
    expect(text).toMatch(/balance hdr\(Authorization\)|map \$http_authorization \$caller/);
    expect(text).toMatch(
      /option forwardfor|proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;/,
    );
  });
});

it("both set the host and the scheme that a UMA domain is told by, whatever the caller sent", () => {
  expect(nginx).toMatch(/^ {8}proxy_set_header X-Forwarded-Host \$host;$/m);
  expect(nginx).toMatch(/^ {8}proxy_set_header X-Forwarded-Proto \$scheme;$/m);
  expect(haproxy).toMatch(/^ {4}http-request set-header X-Forwarded-Host %\[req\.hdr\(host\)\]$/m);
  expect(haproxy).toMatch(/^ {4}http-request set-header X-Forwarded-Proto https$/m);
});

/** Signing in with the credentials of a token, and where they are kept. */
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { sharedServer } from "../../server/test/kit/shared-server.ts";
import { openStory, type Story } from "../../server/test/kit/story.ts";
import { openShell } from "./kit/shell.ts";

const server = await sharedServer();
let sandbox: Story;
let production: Story;
beforeAll(async () => {
  sandbox = await openStory(server);
  production = await openStory(server, { environment: "PRODUCTION" });
});

function credentialsOf({ clientId, clientSecret }: Story): readonly string[] {
  return ["--client-id", clientId, "--client-secret", clientSecret, "--url", server.baseUrl];
}

it("saves credentials that were checked, for their owner alone", async () => {
  const shell = openShell();
  const path = join(shell.home, ".config/florin/profiles.json");
  const ended = await shell.run(["login", ...credentialsOf(sandbox)]);
  expect(ended).toMatchObject({ code: 0, out: "" });
  expect(ended.errors).toContain("(sandbox); saved as default");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
  chmodSync(path, 0o644);
  await shell.run(["login", ...credentialsOf(sandbox), "--profile", "other"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(Object.keys(JSON.parse(readFileSync(path, "utf8")).profiles)).toEqual([
    "default",
    "other",
  ]);
  shell.remove();
});

it("saves nothing for credentials that the server does not take, and shows no secret", async () => {
  const shell = openShell();
  const wrong = ["--client-id", sandbox.clientId, "--client-secret", "tell-nobody"];
  const ended = await shell.run(["login", ...wrong, "--url", server.baseUrl]);
  expect(ended).toMatchObject({ code: 4, out: "" });
  expect(ended.errors).toContain("UNAUTHORIZED");
  expect(ended.errors).not.toContain("tell-nobody");
  const broken = await shell.run(["login", ...wrong.slice(0, 3), "tell-nobody\n"]);
  expect(broken).toMatchObject({ code: 2, out: "" });
  expect(broken.errors).not.toContain("tell-nobody");
  expect((await shell.run(["profiles"])).out).toBe("");
  shell.remove();
});

it("takes the secret from standard input, a question or a variable, not from arguments alone", async () => {
  const shell = openShell();
  const start = ["login", "--url", server.baseUrl, "--client-id", sandbox.clientId];
  const input = `${sandbox.clientSecret}\n`;
  expect((await shell.run([...start, "--client-secret", "-"], { input })).code).toBe(0);
  expect((await shell.run(start, { typed: sandbox.clientSecret })).code).toBe(0);
  const env = { FLORIN_CLIENT_SECRET: sandbox.clientSecret };
  expect((await shell.run(start, { env })).code).toBe(0);
  expect(await shell.run(start)).toMatchObject({
    code: 2,
    errors: "florin: login needs --client-secret\n",
  });
  shell.remove();
});

it("switches between profiles and forgets one", async () => {
  const shell = openShell();
  await shell.run(["login", ...credentialsOf(sandbox), "--profile", "test"]);
  await shell.run(["login", ...credentialsOf(production), "--profile", "live"]);
  expect((await shell.run(["whoami"])).out).toContain("environment  production\n");
  expect((await shell.run(["use", "test"])).code).toBe(0);
  const shown = await shell.run(["whoami"]);
  expect(shown.out).toContain(`client id    ${sandbox.clientId}\n`);
  expect(shown.out).toContain("environment  sandbox\n");
  expect((await shell.run(["profiles"])).out).toMatch(
    /^\* test {2}sandbox .*\n {2}live {2}production /,
  );
  expect((await shell.run(["whoami", "--profile", "live"])).out).toContain("production");
  expect((await shell.run(["logout"])).code).toBe(0);
  expect((await shell.run(["profiles"])).out).toMatch(/^\* live /);
  await shell.run(["logout"]);
  expect(await shell.run(["logout"])).toMatchObject({ code: 2 });
  expect(await shell.run(["whoami"])).toMatchObject({ code: 4, out: "" });
  expect(await shell.run(["use", "test"])).toMatchObject({ code: 2 });
  shell.remove();
});

it("goes without a profile where variables name the token", async () => {
  const shell = openShell();
  const env = {
    FLORIN_URL: server.baseUrl,
    FLORIN_CLIENT_ID: sandbox.clientId,
    FLORIN_CLIENT_SECRET: sandbox.clientSecret,
  };
  expect((await shell.run(["whoami"], { env })).out).toContain("environment  sandbox\n");
  const config = await sandbox.call("GET", "/config");
  expect((await shell.run(["whoami", "--json"], { env })).out).toBe(config.text);
  shell.remove();
});

it("sends a saved secret to its own server alone", async () => {
  const shell = openShell();
  await shell.run(["login", ...credentialsOf(sandbox)]);
  const asked: string[] = [];
  const { code } = await shell.run(["whoami"], {
    env: { FLORIN_URL: "https://elsewhere.example" },
    fetch: (url, init) => {
      asked.push(url);
      return fetch(url, init);
    },
  });
  expect(code).toBe(0);
  expect(asked.every((url) => url.startsWith(server.baseUrl))).toBe(true);
  shell.remove();
});

it("refuses a file of profiles that it cannot read, without showing it", async () => {
  const shell = openShell();
  await shell.run(["login", ...credentialsOf(sandbox)]);
  const path = join(shell.home, ".config/florin/profiles.json");
  writeFileSync(path, `{"clientSecret": "${sandbox.clientSecret}`);
  const ended = await shell.run(["whoami"]);
  expect(ended).toMatchObject({ code: 2, out: "" });
  expect(ended.errors).not.toContain(sandbox.clientSecret);
  shell.remove();
});

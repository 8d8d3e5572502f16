/** Cookies that a caller has written: the secret of a session beside the id of another workspace. */
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { openBrowser } from "../../kit/console.ts";
import { makeOwner } from "../../kit/console-people.ts";
import { sharedServer } from "../../kit/shared-server.ts";

const server = await sharedServer();

it("a session counts at its own workspace alone, also right after it was used", async () => {
  const made = await server.makePlatform({ name: "Own" });
  const owner = await makeOwner(server, made.workspaceId);
  const other = await server.makePlatform({ name: "Another" });
  await makeOwner(server, other.workspaceId);
  const [name = "", value = ""] = present(owner.cookie, "a cookie").split("=");
  const secret = Buffer.from(value, "base64url").subarray(16);
  const answers = new Set<string>();
  for (const elsewhere of [other.workspaceId, made.platformId, randomUUID()]) {
    const id = Buffer.from(elsewhere.replaceAll("-", ""), "hex");
    const planted = openBrowser(server);
    planted.csrf = owner.csrf;
    planted.cookie = `${name}=${Buffer.concat([id, secret]).toString("base64url")}`;
    for (const [method, path] of [
      ["GET", "/session"],
      ["GET", "/workspace/people"],
      ["GET", `/p/PlatformConfig:${made.platformId}/config`],
      ["POST", "/sign-out"],
    ] as const) {
      expect((await owner.call("GET", "/session")).status).toBe(200);
      const { status, text } = await planted.call(method, path);
      answers.add(`${status} ${text}`);
    }
  }
  expect([...answers]).toEqual([expect.stringMatching(/^401 .*UNAUTHORIZED/)]);
});

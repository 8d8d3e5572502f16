/** Overlapping UMA domains, claimed concurrently by several platforms on two servers. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limitMs, rounds } from "../faults/rounds.ts";
import { openStory, type Story } from "../kit/story.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";

const DEPTH = 6;

let server: TestServer;
let beside: TestServer;
let platforms: readonly Story[];
beforeAll(async () => {
  server = await startTestServer();
  beside = await startTestServer({ beside: server });
  const opened = Array.from({ length: DEPTH }, async (_, index) => {
    const story = await openStory(server, { umaDomain: `own-${index}.test` });
    return index % 2 === 0 ? story : at(beside, story);
  });
  platforms = await Promise.all(opened);
});
afterAll(async () => {
  await beside.close();
  await server.close();
});

/** The same platform on the other server. */
function at({ baseUrl }: TestServer, story: Story): Story {
  return {
    ...story,
    async call(method, path, body) {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: { authorization: story.authorization, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      const { status, headers } = response;
      return { status, headers, text, json: JSON.parse(text) };
    },
  };
}

/** Each platform claims one of the domains, all concurrently. */
async function claimAtOnce(domainOf: (index: number) => string) {
  const answers = await Promise.all(
    platforms.map((platform, index) =>
      platform.call("PATCH", "/config", { umaDomain: domainOf(index) }),
    ),
  );
  return answers.map(({ status, json }) => (status === 200 ? "claimed" : json.code));
}

async function overlaps(): Promise<number> {
  const sql =
    "select from domain_claims a join domain_claims b on b.namespace = a.namespace " +
    "and b.platform_id <> a.platform_id and b.reversed like a.reversed || '.%'";
  return server.app.store.database.withClient(
    async (client) => (await client.query(sql)).rows.length,
  );
}

describe("several platforms that claim domains concurrently", () => {
  it("in a chain of subdomains: one of them succeeds", { timeout: limitMs(10) }, async () => {
    for (let round = 0; round < rounds(12); round++) {
      const codes = await claimAtOnce((index) => `${"x.".repeat(index)}chain-${round}.test`);
      expect(codes.toSorted()).toEqual([...Array(DEPTH - 1).fill("CONFLICT"), "claimed"]);
    }
    expect(await overlaps()).toBe(0);
  });

  it("below a domain of the first platform: the first has its domain alone, or not at all", {
    timeout: limitMs(10),
  }, async () => {
    for (let round = 0; round < rounds(12); round++) {
      const [first, ...others] = await claimAtOnce((index) =>
        index === 0 ? `star-${round}.test` : `s${index}.star-${round}.test`,
      );
      const other = first === "claimed" ? "CONFLICT" : "claimed";
      expect([first, others]).toEqual([
        first === "claimed" ? "claimed" : "CONFLICT",
        Array(DEPTH - 1).fill(other),
      ]);
    }
    expect(await overlaps()).toBe(0);
  });
});

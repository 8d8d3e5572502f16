/** The guides tell the truth: each one's blocks run in order against a server of its own. */

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { type Guide, readGuide } from "../kit/guides/blocks.ts";
import { runGuide } from "../kit/guides/run-guide.ts";
import { type Compiled, compile, hasPython, makeWorkplace, root } from "../kit/guides/workplace.ts";
import { startTestServer, TEST_MASTER_KEY } from "../kit/test-server.ts";

const folder = join(root, "docs/guides");
const guides: ReadonlyMap<string, Guide> = new Map(
  readdirSync(folder).map((file) => [
    file.replace(/\.md$/, ""),
    readGuide(readFileSync(join(folder, file), "utf8")),
  ]),
);

/** The blocks that no test runs, and why. A new one has to be added here. */
const NOT_RUN: readonly string[] = [
  "quickstart: the test has a server of its own; test/stories/first-start.test.ts covers the first start",
  "webhooks: needs the package cryptography, which is not part of Python",
  "agents: a file for another program",
  "operating: needs a PostgreSQL of the operator and its client programs",
  "production: prints a secret and makes a second platform, which the other blocks do not need",
  "embedded-wallets: serves a page for a browser until it is stopped; test/browser/wallet-example.test.ts runs it",
];

/** Blocks that work on the deployment get its database and key. */
const FOR_OPERATORS = new Set(["operating", "production"]);

let compiled: Compiled;
beforeAll(async () => {
  compiled = await compile(guides);
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}

describe("the blocks", () => {
  it("in TypeScript compile", () => {
    expect(compiled.complaints).toBe("");
  });

  it("in Python compile", () => {
    const programs = [...guides].flatMap(([name, { blocks }]) =>
      blocks.filter(({ language }) => language === "python").map(({ text }) => ({ name, text })),
    );
    if (!hasPython) {
      process.stderr.write(`python3 is not here: ${programs.length} blocks are not run\n`);
      return;
    }
    for (const { name, text } of programs)
      execFileSync(
        "python3",
        ["-c", "import sys; compile(sys.stdin.read(), sys.argv[1], 'exec')", name],
        {
          input: text,
        },
      );
  });

  it("that are not run are the ones that are known", () => {
    const notRun = [...guides].flatMap(([name, { blocks }]) =>
      blocks.flatMap(({ reason }) => (reason === undefined ? [] : [`${name}: ${reason}`])),
    );
    expect(notRun.toSorted()).toEqual([...NOT_RUN].toSorted());
  });

  it.each([...guides])("of %s do what the guide says", async (name, guide) => {
    const receiverPort = await freePort();
    const server = await startTestServer({ settings: { METRICS_PORT: "0" } });
    const { clientId, clientSecret, platformId } = present(server.app.created, "a platform");
    const workplace = makeWorkplace(
      FOR_OPERATORS.has(name)
        ? { DATABASE_URL: server.database.url, MASTER_KEY: TEST_MASTER_KEY }
        : {},
    );
    const metricsPort = present(server.app.metricsPort, "the port of /metrics");
    try {
      const origin = new URL(server.baseUrl).origin;
      const substitutions = new Map([
        ["http://127.0.0.1:8080", origin],
        ["http://127.0.0.1:9464", `http://127.0.0.1:${metricsPort}`],
        ["4242", String(receiverPort)],
        ["your-client-id", clientId],
        ["your-client-secret", clientSecret],
        ["PlatformConfig:your-platform-id", `PlatformConfig:${platformId}`],
      ]);
      await runGuide({ name, guide, workplace, compiled, substitutions });
    } finally {
      workplace.remove();
      await server.close();
    }
  });
});

describe("a guide", () => {
  it.each([...guides])("%s has at most 1,500 words", (_name, { text }) => {
    const prose = text.replaceAll(/^```[^\n]*\n.*?^```$/gms, "");
    expect(prose.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(1500);
  });

  it.each([...guides])("%s links only to what is there", (_name, { text }) => {
    const targets = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target]) => target);
    expect(targets.filter((target) => !existsSync(join(folder, target ?? "")))).toEqual([]);
  });

  it("has a place of its own in the order", () => {
    const orders = [...guides.values()].map(({ order }) => order);
    expect(new Set(orders).size).toBe(orders.length);
  });
});

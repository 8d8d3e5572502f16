/** The tests of some guides: their TypeScript compiles, and each one's blocks run in order against a server of its own. */
import { beforeAll, describe, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { freePort } from "../free-port.ts";
import { startTestServer, TEST_MASTER_KEY } from "../test-server.ts";
import { guides } from "./all-guides.ts";
import type { Guide } from "./blocks.ts";
import { runGuide } from "./run-guide.ts";
import { type Compiled, compile, makeWorkplace } from "./workplace.ts";

/** Their blocks work on the deployment, so they get its database and key. */
const FOR_OPERATORS: ReadonlySet<string> = new Set(["operating", "production", "console"]);

export function describeGuides(names: readonly string[]): void {
  const chosen = new Map(
    names.map((name): [string, Guide] => [name, present(guides.get(name), `the guide ${name}`)]),
  );
  describe("the blocks", () => {
    let compiled: Compiled;
    beforeAll(async () => {
      compiled = await compile(chosen);
    });

    it("in TypeScript compile", () => {
      expect(compiled.complaints).toBe("");
    });

    it.each([...chosen])("of %s do what the guide says", (name, guide) =>
      runOnServer({ name, guide, compiled }),
    );
  });
}

async function runOnServer(at: {
  readonly name: string;
  readonly guide: Guide;
  readonly compiled: Compiled;
}): Promise<void> {
  const server = await startTestServer({ settings: { METRICS_PORT: "0" } });
  const workplace = makeWorkplace(
    FOR_OPERATORS.has(at.name)
      ? { DATABASE_URL: server.database.url, MASTER_KEY: TEST_MASTER_KEY }
      : {},
  );
  try {
    const { created, metricsPort } = server.app;
    const { clientId, clientSecret, platformId } = present(created, "a platform");
    const substitutions = new Map([
      ["http://127.0.0.1:8080", new URL(server.baseUrl).origin],
      ["http://127.0.0.1:9464", `http://127.0.0.1:${metricsPort}`],
      ["4242", String(await freePort())],
      ["your-client-id", clientId],
      ["your-client-secret", clientSecret],
      ["PlatformConfig:your-platform-id", `PlatformConfig:${platformId}`],
    ]);
    await runGuide({ ...at, workplace, substitutions });
  } finally {
    workplace.remove();
    await server.close();
  }
}

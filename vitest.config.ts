import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      "@florin/client/wallet": here("packages/client/src/wallet/index.ts"),
      "@florin/client/webhooks": here("packages/client/src/webhooks.ts"),
      "@florin/client": here("packages/client/src/index.ts"),
    },
  },
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "packages/*/test/**/*.test.ts",
      "packages/server/bench/**/*.test.ts",
    ],
    globalSetup: ["packages/server/test/kit/global-setup.ts"],
    // Bounds for what hangs, far above what a loaded machine takes: no test says how fast something is.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 10 } },
    maxWorkers: 2,
  },
});

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
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A bound for conditions that are looked for; how fast the machine is says nothing about them.
    expect: { poll: { timeout: 20_000, interval: 10 } },
    maxWorkers: 2,
  },
});

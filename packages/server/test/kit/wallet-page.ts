/** Bundles the wallet module of the client as one script for a page. */
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { build, type Rolldown } from "vite";
import { present } from "../../src/std/assert.ts";

const entry = fileURLToPath(new URL("../../../client/src/wallet/index.ts", import.meta.url));

export async function walletScript(): Promise<string> {
  const built = (await build({
    logLevel: "silent",
    configFile: false,
    build: { write: false, minify: false, lib: { entry, formats: ["es"], fileName: "wallet" } },
  })) as Rolldown.RolldownOutput[];
  const [output] = Array.isArray(built) ? built : [built];
  return present(output, "a bundle").output[0].code;
}

/** Runs code in a page with the script `/wallet.js`. `wallet` is the module; members of `kept` persist in the page. */
export function inWalletPage<T>(page: Page, body: string, input: object = {}): Promise<T> {
  return page.evaluate(
    `(async () => {
      const wallet = await import("/wallet.js");
      globalThis.kept ??= {};
      const kept = globalThis.kept;
      const input = ${JSON.stringify(input)};
      ${body}
    })()`,
  );
}

/** A page on `http://localhost`, which is a secure context: WebCrypto and passkeys are available. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";

export interface LocalPage {
  readonly page: Page;
  close(): Promise<void>;
}

/** Opens an empty page; `scripts` are served under their names. */
export async function openLocalPage(
  browser: Browser,
  scripts: Readonly<Record<string, string>> = {},
): Promise<LocalPage> {
  const server = createServer((request, response) => {
    const script = scripts[(request.url ?? "/").slice(1)];
    response.setHeader("content-type", script === undefined ? "text/html" : "text/javascript");
    response.end(script ?? "<!doctype html><title>test</title>");
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve());
  });
  const page = await browser.newPage();
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
  return {
    page,
    async close() {
      await page.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

import { describe, expect, it } from "vitest";
import { umaRoutedPaths } from "../../http/uma/uma-paths.ts";
import { routingBlocks } from "./show-routing.ts";

const blocks = routingBlocks("bank.example", "10.0.0.11:8080");

/** The first group of the one match. */
function only(pattern: RegExp): string {
  const found = [...blocks.matchAll(new RegExp(pattern, "gm"))];
  expect(found).toHaveLength(1);
  return found[0]?.[1] ?? "";
}

/** Whether each proxy routes a path here, by its own words. */
const routes: Readonly<Record<string, (path: string) => boolean>> = {
  nginx(path) {
    return new RegExp(only(/location ~ (\S+) \{/)).test(path);
  },
  HAProxy(path) {
    const begins = only(/acl uma_path path_beg (.+)$/).split(" ");
    const exact = only(/acl uma_path path (\/.+)$/).split(" ");
    return begins.some((one) => path.startsWith(one)) || exact.includes(path);
  },
  Caddy(path) {
    return only(/@uma path (.+)$/)
      .split(" ")
      .some((one) => (one.endsWith("*") ? path.startsWith(one.slice(0, -1)) : path === one));
  },
};

describe.each(Object.entries(routes))("the block of %s", (_, isRouted) => {
  it("routes every public path of UMA, and those of calls about payments", () => {
    for (const { path } of umaRoutedPaths) {
      expect([path, isRouted(path.replace("{user}", "$ana"))]).toEqual([path, true]);
    }
    for (const path of ["/.well-known/lnurlp/%24ana%2Bx", "/uma/pay/token", "/uma/utxos/token"]) {
      expect([path, isRouted(path)]).toEqual([path, true]);
    }
  });

  it("leaves everything else to the domain's own site", () => {
    for (const path of [
      ...["/", "/2025-10-13/config", "/console/", "/umami", "/.well-known/security.txt"],
      ...["/.well-known/lnurlpubkeys", "/.well-known/lnurlp", "/.well-known/uma-configuration/x"],
      ...["/x/.well-known/lnurlp/$ana", "/x/uma/pay/token"],
    ]) {
      expect([path, isRouted(path)]).toEqual([path, false]);
    }
  });
});

it("the blocks pass on the host and the path as they came", () => {
  expect(only(/proxy_pass (\S+);/)).toBe("http://10.0.0.11:8080");
  expect(blocks).toContain("proxy_set_header Host $host;");
  expect(blocks).toContain("proxy_set_header X-Forwarded-Host $host;");
  expect(blocks).toContain(
    "http-request set-header X-Forwarded-Host bank.example if uma_host uma_path",
  );
  expect(blocks).not.toMatch(/rewrite|redir|replace-path|set-path|return 30/);
  expect(blocks.match(/10\.0\.0\.11:8080/g)).toHaveLength(3);
});

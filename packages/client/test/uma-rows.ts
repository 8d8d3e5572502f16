/** The calls of UMA domains, as rows of the table in call-table.ts. */
import type { Client } from "../src/client.ts";

type Row = readonly [name: string, call: (client: Client) => Promise<unknown>, request: string];

export const umaRows: readonly Row[] = [
  [
    "umaDomains.list",
    (c) => c.umaDomains.list({ status: "ACTIVE" }),
    "GET /uma/domains?status=ACTIVE",
  ],
  ["umaDomains.get", (c) => c.umaDomains.get("UmaDomain:1"), "GET /uma/domains/UmaDomain%3A1"],
  [
    "umaDomains.update",
    (c) => c.umaDomains.update("UmaDomain:1", { callbackBase: "DOMAIN" }),
    "PATCH /uma/domains/UmaDomain%3A1",
  ],
  [
    "umaDomains.check",
    (c) => c.umaDomains.check("UmaDomain:1"),
    "POST /uma/domains/UmaDomain%3A1/check",
  ],
];

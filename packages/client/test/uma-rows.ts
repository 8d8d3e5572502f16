/** The calls of UMA domains, policies and counterparties, as rows of the table in call-table.ts. */
import type { Client } from "../src/client.ts";

type Row = readonly [name: string, call: (client: Client) => Promise<unknown>, request: string];

const policy = {
  receive: true,
  send: true,
  counterparties: "ALL",
  unregulated: "ALLOW",
  receiverKyc: "ANY",
  payerKyc: "ANY",
  certificates: "ANY",
  authorities: [],
  pinKeys: false,
  callbackHosts: "ANY",
  invoiceSeconds: 300,
  layers: [],
} as const;

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
  ["umaPolicy.get", (c) => c.umaPolicy.get(), "GET /uma/policy"],
  ["umaPolicy.set", (c) => c.umaPolicy.set(policy), "PUT /uma/policy"],
  [
    "umaCounterparties.list",
    (c) => c.umaCounterparties.list({ status: "BLOCKED" }),
    "GET /uma/counterparties?status=BLOCKED",
  ],
  [
    "umaCounterparties.set",
    (c) => c.umaCounterparties.set("vasp.example", { status: "BLOCKED" }),
    "PUT /uma/counterparties/vasp.example",
  ],
  [
    "umaCounterparties.acceptKey",
    (c) => c.umaCounterparties.acceptKey("vasp.example", {}),
    "POST /uma/counterparties/vasp.example/accept-key",
  ],
  [
    "umaPayments.get",
    (c) => c.umaPayments.get("Transaction:1"),
    "GET /uma/payments/Transaction%3A1",
  ],
  [
    "umaPayments.travelRule",
    (c) => c.umaPayments.travelRule("Transaction:1"),
    "GET /uma/payments/Transaction%3A1/travel-rule",
  ],
  [
    "umaExchanges.list",
    (c) => c.umaExchanges.list({ vaspDomain: "vasp.example" }),
    "GET /uma/exchanges?vaspDomain=vasp.example",
  ],
];

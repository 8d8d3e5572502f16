import { expect, it } from "vitest";
import { createManualClock } from "../../../test/kit/manual-clock.ts";
import { platforms } from "../../domain/platform.ts";
import { railConnections } from "../../domain/rails/connections/rail-connection.ts";
import type { ConnectorOrder, Connectors } from "../../domain/rails/orders/connector.port.ts";
import { railPayments } from "../../domain/rails/orders/rail-payment.ts";
import type { ClaimedJob } from "../../engine/command.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { runnersByKind } from "../job-runners.ts";
import { createExchangeSlots } from "./exchange-slots.ts";
import { railPaymentRunners } from "./rail-payment-jobs.ts";

const URL = "https://bank.example";

interface Case {
  readonly payment?: object;
  readonly connection?: object;
  readonly attempts?: number;
  /** What the command that marks the order answers, and the rows that it leaves in memory. */
  readonly begun?: "send" | "inquire" | "stop" | "moved";
  readonly after?: { readonly payment?: object; readonly connection?: object };
}

/** Runs the job of an order on an engine that has these rows in memory. A read of the database is noted and fails. */
async function carried({ attempts = 1, begun = "send", after = {}, ...rows }: Case) {
  const done: string[] = [];
  const payment = { id: "r", connectionId: "c", jobId: "j", originalEntryId: null, sentAt: null };
  const settings = { baseUrl: URL };
  const memory = new Map<string, object>([
    [railPayments.name, { ...payment, state: "QUEUED", sentTo: null, ...rows.payment }],
    [
      railConnections.name,
      { id: "c", kind: "HTTP", status: "ACTIVE", settings, ...rows.connection },
    ],
    [platforms.name, { environment: "production" }],
  ]);
  const engine = {
    cached: (_platformId: string, { table }: AnyRef & { table: { name: string } }) =>
      memory.get(table.name),
    async submit({ command }: { readonly command: { readonly name: string } }) {
      done.push(command.name);
      if (command.name !== "begin-rail-exchange") return { status: 200, body: "over" };
      const sent = { ...memory.get(railPayments.name), state: "SENDING", sentTo: URL };
      memory.set(railPayments.name, { ...sent, ...after.payment });
      memory.set(railConnections.name, {
        ...memory.get(railConnections.name),
        ...after.connection,
      });
      return { status: 200, body: begun };
    },
  } as unknown as Engine;
  const call = (name: string) => async (order: ConnectorOrder) => {
    done.push(`${name} to ${order.connection.settings.baseUrl}`);
    return { outcome: { kind: "good" }, report: { status: "settled" } };
  };
  const connectors = {
    submit: call("sent"),
    inquire: call("asked"),
  } as unknown as Connectors;
  const reads = {
    cells: async () => {
      done.push("read");
      throw new Error("read");
    },
  } as unknown as Reads;
  const slots = createExchangeSlots(createManualClock(0));
  const runners = runnersByKind(railPaymentRunners({ engine, reads, connectors, slots }));
  const payload = { paymentId: "r" };
  const job = { platformId: "p", id: "j", kind: "carry-rail-payment", payload, attempts };
  const run = () => runners["carry-rail-payment"]?.(job as unknown as ClaimedJob);
  await run()?.catch(() => undefined);
  return done;
}

const [BEGIN, RECORD] = ["begin-rail-exchange", "record-rail-exchange"];

it.each<[string, Case, readonly string[]]>([
  ["a queued order is marked and sent", {}, [BEGIN, `sent to ${URL}`, RECORD]],
  ["at every attempt", { attempts: 3 }, [BEGIN, `sent to ${URL}`, RECORD]],
  [
    "to the address that the commit saw",
    { after: { connection: { settings: { baseUrl: "https://new.example" } } } },
    [BEGIN, "sent to https://new.example", RECORD],
  ],
  ["an order of a paused connection is not sent", { begun: "stop" }, [BEGIN]],
  ["an order whose connector has moved is not sent", { begun: "moved" }, [BEGIN]],
  [
    "an order that may have left is asked about",
    { begun: "inquire" },
    [BEGIN, `asked to ${URL}`, RECORD],
  ],
  [
    "an order that the accepting commit marked is sent at once",
    { payment: { state: "SENDING", sentTo: URL } },
    [`sent to ${URL}`, RECORD],
  ],
  [
    "but read at the second attempt",
    { payment: { state: "SENDING", sentTo: URL }, attempts: 2 },
    ["read"],
  ],
  ["and when it went elsewhere", { payment: { state: "SENDING", sentTo: "https://b" } }, ["read"]],
  [
    "and when its connection is paused",
    { payment: { state: "SENDING", sentTo: URL }, connection: { status: "PAUSED" } },
    ["read"],
  ],
  ["an order that another job carries is read", { payment: { jobId: "k" } }, ["read"]],
  ["and one that names an entry", { payment: { originalEntryId: "e" } }, ["read"]],
  [
    "an order that has left the memory meanwhile is read",
    { after: { payment: { jobId: "k" } } },
    [BEGIN, "read"],
  ],
])("%s", async (_name, given, expected) => {
  expect(await carried(given)).toEqual(expected);
});

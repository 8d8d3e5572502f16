/** What `deploy` asks Prometheus for exists at /metrics, and each row of the runbook's table has an alert or a recording. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openConnector } from "./kit/rail-connector.ts";
import { bankAccount, fundedCustomer, openStory } from "./kit/story.ts";
import { askQuote, euroAccount } from "./kit/story-quotes.ts";
import { httpConnection, routeTo } from "./kit/story-rails.ts";
import { startTestServer, type TestServer } from "./kit/test-server.ts";

const root = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
}

/** The text of each `expr:`, also of those that go on over several lines. */
function expressionsOfRules(text: string): readonly string[] {
  const found = text.matchAll(/^( +)expr: (?:\|\n((?:\1 +.*\n)+)|(.*)\n)/gm);
  return [...found].map(([, , block, line]) => (block ?? line ?? "").replace(/\s+/g, " ").trim());
}

const rules = read("deploy/prometheus-rules.yaml");
const dashboard = JSON.parse(read("deploy/grafana-dashboard.json")) as Dashboard;
const expressions = [
  ...expressionsOfRules(rules),
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];

const NAME = /\b(?:florin|nodejs|process)_\w+/g;
/** Labels that Prometheus adds to what it scrapes. */
const OF_THE_SCRAPE = ["instance", "job"];

let server: TestServer;
/** The labels of each figure, by its name. */
const figures = new Map<string, Set<string>>();

beforeAll(async () => {
  const connector = await openConnector();
  connector.environment = "SANDBOX";
  const RAIL_ALLOWED_HOSTS = `127.0.0.1:${connector.port}`;
  server = await startTestServer({ settings: { METRICS_PORT: "0", RAIL_ALLOWED_HOSTS } });
  const story = await openStory(server);
  const made = await story.call("POST", "/rails/connections", httpConnection(connector));
  const activate = () => story.call("POST", `/rails/connections/${made.json.id}/activate`);
  connector.reply = () => "reset";
  expect((await activate()).status).toBe(409);
  connector.reply = () => undefined;
  expect((await activate()).status).toBe(200);
  await connector.close();
  const { accountId, customerId } = await fundedCustomer(story);
  const destination = await bankAccount(story, { customerId, suffix: "003" });
  const accounts = { source: { accountId }, destination: { accountId: destination } };
  await story.call("POST", "/transfer-out", { ...accounts, amount: 100 });
  const to = await euroAccount(story, customerId);
  expect((await askQuote(story, { from: accountId, to, amount: 1_000 })).status).toBe(201);
  // The connector is gone, so the payment of the route stays open.
  await routeTo(story, made.json.id);
  const routed = await story.call("POST", "/transfer-out", { ...accounts, amount: 100 });
  expect(routed.status).toBe(201);
  const { port } = server.app.address;
  await fetch(`http://127.0.0.1:${port}/uma/pay/unknown`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  const answer = await fetch(`http://127.0.0.1:${server.app.metricsPort}/metrics`);
  for (const line of (await answer.text()).split("\n")) {
    const [, name, labels = ""] = /^([a-z_0-9]+)(?:\{(.*)\})? /.exec(line) ?? [];
    if (name === undefined) continue;
    const known = figures.get(name) ?? new Set();
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) known.add(label);
    figures.set(name, known);
  }
});
afterAll(() => server.close());

it("the expressions are found", () => {
  expect(expressionsOfRules(rules)).toHaveLength((rules.match(/expr:/g) ?? []).length);
  expect(expressions.length).toBeGreaterThan(30);
  expect(new Set(dashboard.panels.map(({ title }) => title)).size).toBe(dashboard.panels.length);
});

describe.each(expressions)("%s", (expression) => {
  const names = expression.match(NAME) ?? [];

  it("asks for figures that the server shows", () => {
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !figures.has(name))).toEqual([]);
  });

  it("goes by labels that they have", () => {
    const known = new Set([
      ...OF_THE_SCRAPE,
      ...names.flatMap((name) => [...(figures.get(name) ?? [])]),
    ]);
    const matched = [...expression.matchAll(/\{([^}]*)\}/g)].flatMap(([, text = ""]) =>
      [...text.matchAll(/(\w+)=~?"/g)].map(([, label = ""]) => label),
    );
    const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, text = ""]) =>
      text.split(",").map((label) => label.trim()),
    );
    expect([...matched, ...grouped].filter((label) => !known.has(label))).toEqual([]);
  });

  it("closes what it opens", () => {
    const open: string[] = [];
    const pairs: Readonly<Record<string, string>> = { ")": "(", "}": "{", "]": "[" };
    for (const sign of expression.replace(/"[^"]*"/g, "").replace(/[^(){}[\]]/g, "")) {
      const opened = pairs[sign];
      if (opened === undefined) open.push(sign);
      else expect(open.pop()).toBe(opened);
    }
    expect(open).toEqual([]);
  });
});

it("each row of the runbook's table has an alert, or a recording where it is only to be looked at", () => {
  const [, table = ""] =
    /\| Figure \| Alert when .*\n\|---.*\n((?:\|.*\n)+)/.exec(read("docs/runbook.md")) ?? [];
  const rows = table.trim().split("\n");
  expect(rows.length).toBeGreaterThan(14);
  const ruled = expressionsOfRules(rules).join("\n");
  const missing = rows.flatMap((row) =>
    ((row.split(" | ")[0] ?? "").match(NAME) ?? []).filter(
      (name) => !new RegExp(`\\b${name}(_bucket)?\\b`).test(ruled),
    ),
  );
  expect(missing).toEqual([]);
});

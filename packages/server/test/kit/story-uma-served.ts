/** A platform in production whose domain is served, and whose customers can be paid over Lightning. */
import type { TestConnector } from "./rail-connector.ts";
import { openStory, type Story } from "./story.ts";
import { activeConnection, expectStatus, httpConnection } from "./story-rails.ts";
import type { TestServer } from "./test-server.ts";
import { startUmaProxy, type UmaProxy } from "./uma-proxy.ts";
import type { TestVasp } from "./uma-vasp.ts";

export const LIGHTNING = {
  layer: "ln",
  send: true,
  receive: true,
  assets: [{ identifier: "BTC", currency: "MSAT", decimals: 0 }],
  invoiceSeconds: { min: 60, max: 3_600 },
  exactAmounts: true,
  partialPayments: false,
};

/** Makes the connector one that makes invoices, in production. */
export function makesInvoices(connector: TestConnector): void {
  connector.environment = "PRODUCTION";
  connector.features = { invoices: true };
  connector.settlement = [LIGHTNING];
}

export interface ServedHosts {
  /** Leads to the server. Its `upstream` is the port. */
  readonly proxy: UmaProxy;
  /** `UMA_HOSTS`: own domains lead to the proxy, those of institutions to the institution. */
  readonly setting: string;
}

export async function listHosts(
  own: readonly string[],
  { port }: TestVasp,
  institutions: readonly string[],
): Promise<ServedHosts> {
  const proxy = await startUmaProxy();
  const to = (target: number) => (domain: string) => `${domain}=http://127.0.0.1:${target}`;
  const setting = [...own.map(to(proxy.port)), ...institutions.map(to(port))].join(",");
  return { proxy, setting };
}

/** Its domain is checked, and a route leads invoices in millisatoshis to the connector. 80,000 EUR are a bitcoin. */
export async function openServed(
  server: TestServer,
  umaDomain: string,
  connector?: TestConnector,
  isRegulated = true,
): Promise<Story> {
  const wish = { environment: "PRODUCTION", isRegulated, umaDomain } as const;
  const story = await openStory(server, wish);
  const [{ id }] = (await story.call("GET", "/uma/domains")).json.data;
  const checked = expectStatus(200, await story.call("POST", `/uma/domains/${id}/check`));
  if (checked.json.status !== "ACTIVE") throw new Error(checked.text);
  await setBitcoinRate(story);
  if (connector !== undefined) await routeInvoices(story, connector);
  return story;
}

async function setBitcoinRate(story: Story): Promise<void> {
  const source = { name: "desk", kind: "FIXED" };
  const { id } = expectStatus(201, await story.call("POST", "/rates/sources", source)).json;
  const rates = [{ base: "BTC", quote: "EUR", rate: "80000" }];
  expectStatus(200, await story.call("PUT", `/rates/sources/${id}/rates`, { rates }));
}

/** The id of the route. */
export async function routeInvoices(story: Story, connector: TestConnector): Promise<string> {
  const body = { ...httpConnection(connector), currencies: ["EUR", "MSAT"] };
  const connectionId = await activeConnection(story, body);
  const route = { name: "invoices", direction: "INVOICE", currency: "MSAT", connectionId };
  return expectStatus(201, await story.call("POST", "/rails/routes", route)).json.id;
}

/** The id of a customer in euros, who is verified. */
export async function customerAt(
  story: Story,
  umaAddress: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const body = { customerType: "INDIVIDUAL", fullName: "Ana Ruiz", currencies: ["EUR"] };
  const made = await story.call("POST", "/customers", { ...body, umaAddress, ...more });
  return expectStatus(201, made).json.id;
}

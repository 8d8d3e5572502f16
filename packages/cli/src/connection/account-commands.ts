/** `login`, `whoami`, `logout`, `profiles` and `use`: which credentials the other commands carry. */
import type { Command } from "commander";
import { UsageError } from "../failures.ts";
import type { Host } from "../host.ts";
import { asObject, asText, parseJson } from "../json.ts";
import { clean } from "../output/clean.ts";
import { basicAuthorization, connectionOf, DEFAULT_URL, toBaseUrl } from "./connection.ts";
import { environmentOf } from "./environment.ts";
import { checkProfileName, profilesPath, readProfiles, writeProfiles } from "./profiles.ts";
import { accepted, type Endpoint, send } from "./send.ts";

interface LoginOptions {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly url?: string;
  readonly profile?: string;
}

export function addAccountCommands(program: Command, host: Host): void {
  program
    .command("login")
    .description("Save the credentials of a token, after a call that checks them.")
    .option("--client-id <id>", "of an API token; FLORIN_CLIENT_ID or a question when absent")
    .option("--client-secret <secret>", "- reads it from standard input; asked for when absent")
    .option("--url <url>", `of the server; ${DEFAULT_URL} when absent`)
    .option("--profile <name>", "the name to save it under", "default")
    .action((options: LoginOptions) => logIn(host, options));
  program
    .command("whoami")
    .description("Show which server and which token the commands use, and check the token.")
    .option("--json", "prints the answer of GET /config")
    .option("--profile <name>", "a saved connection")
    .action((options) => showOwner(host, options));
  program
    .command("logout")
    .description("Remove a saved connection. The token stays valid; tokens delete revokes it.")
    .option("--profile <name>", "the current one when absent")
    .action(({ profile }) => logOut(host, profile));
  program
    .command("profiles")
    .description("List the saved connections.")
    .action(() => listProfiles(host));
  program
    .command("use")
    .description("Make a saved connection the current one.")
    .argument("<profile>")
    .action((name: string) => use(host, name));
}

async function logIn(host: Host, options: LoginOptions): Promise<void> {
  const name = checkProfileName(options.profile ?? "default");
  const { env } = host;
  const url = toBaseUrl(options.url ?? (env.FLORIN_URL || DEFAULT_URL));
  const clientId = options.clientId ?? (env.FLORIN_CLIENT_ID || (await askFor(host, "client id")));
  const clientSecret = await secretOf(host, options.clientSecret);
  const endpoint: Endpoint = { url, authorization: basicAuthorization(clientId, clientSecret) };
  const answer = await send(host, endpoint, { method: "GET", target: "/config" });
  // 403 means that the token is valid and lacks VIEW.
  if (answer.status !== 403) accepted(answer);
  const environment = await environmentOf(host, endpoint);
  const { byName } = readProfiles(host);
  const profile = { url, clientId, clientSecret, environment };
  writeProfiles(host, { current: name, byName: new Map([...byName, [name, profile]]) });
  host.writeError(
    `signed in at ${url} (${environment.toLowerCase()}); saved as ${name} in ${profilesPath(host)}\n`,
  );
}

async function secretOf(host: Host, given: string | undefined): Promise<string> {
  if (given === "-") return (await host.readInput()).trim();
  if (given !== undefined) return given;
  return host.env.FLORIN_CLIENT_SECRET || (await askFor(host, "client secret"));
}

async function askFor(host: Host, what: "client id" | "client secret"): Promise<string> {
  const flag = `--${what.replace(" ", "-")}`;
  if (!host.canAsk) throw new UsageError(`login needs ${flag}`);
  return (await host.ask(`${what}: `, { isSecret: what === "client secret" })).trim();
}

async function showOwner(
  host: Host,
  { json, profile }: { readonly json?: boolean; readonly profile?: string },
): Promise<void> {
  const connection = connectionOf(host, profile);
  const answer = await send(host, connection, { method: "GET", target: "/config" });
  if (json === true) host.writeOut(answer.bytes);
  const body = asObject(parseJson(accepted(answer).text)) ?? {};
  if (json === true) return;
  const environment =
    connection.environment === "UNKNOWN"
      ? await environmentOf(host, connection)
      : connection.environment;
  const lines = [
    ["url", connection.url],
    ["profile", connection.profile ?? "(FLORIN_CLIENT_ID)"],
    ["client id", connection.clientId],
    ["environment", environment.toLowerCase()],
    ["platform", asText(body.id) ?? ""],
    ["uma domain", asText(body.umaDomain) ?? ""],
  ];
  host.writeOut(
    lines.map(([label = "", value = ""]) => `${label.padEnd(12)} ${clean(value)}\n`).join(""),
  );
}

function logOut(host: Host, named: string | undefined): void {
  const { current, byName } = readProfiles(host);
  const name = named ?? current;
  if (name === undefined || !byName.has(name)) {
    throw new UsageError(
      name === undefined ? "no connection is saved" : `there is no profile ${name}`,
    );
  }
  const rest = new Map([...byName].filter(([each]) => each !== name));
  const [next] = rest.keys();
  writeProfiles(host, { current: current === name ? next : current, byName: rest });
  host.writeError(
    `removed the profile ${name}; its token stays valid until florin tokens delete\n`,
  );
}

function listProfiles(host: Host): void {
  const { current, byName } = readProfiles(host);
  if (byName.size === 0) host.writeError("no connection is saved; run: florin login\n");
  for (const [name, { url, environment, clientId }] of byName) {
    const mark = name === current ? "*" : " ";
    host.writeOut(
      `${mark} ${name}  ${environment.toLowerCase()}  ${clean(url)}  ${clean(clientId)}\n`,
    );
  }
}

function use(host: Host, name: string): void {
  const profiles = readProfiles(host);
  if (!profiles.byName.has(name)) throw new UsageError(`there is no profile ${name}`);
  writeProfiles(host, { ...profiles, current: name });
}

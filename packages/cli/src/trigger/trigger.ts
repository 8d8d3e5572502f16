/** `florin trigger`: makes real calls in a sandbox that cause an event, and waits for the event. */
import type { Command } from "commander";
import { type Connection, connectionOf } from "../connection/connection.ts";
import { environmentOf } from "../connection/environment.ts";
import { accepted, send } from "../connection/send.ts";
import { NotReached, Refused, UsageError } from "../failures.ts";
import type { Host } from "../host.ts";
import { asObject, asText, parseJson } from "../json.ts";
import { newestSequence } from "../listen/listen.ts";
import { showAnswer } from "../output/show.ts";
import { type Recipe, recipes } from "./recipes.ts";
import { openSandbox, type TriggerSettings } from "./sandbox.ts";

interface TriggerOptions {
  readonly list?: boolean;
  readonly set: readonly string[];
  readonly json?: boolean;
  readonly profile?: string;
}

const WAIT_MS = 30_000;
const LOOK_AGAIN_MS = 100;
const DEFAULTS: TriggerSettings = { amount: 2_500, fullName: "Ana Ruiz" };

export function addTrigger(program: Command, host: Host): void {
  program
    .command("trigger")
    .description("Have an event happen in a sandbox; --list shows the types.")
    .argument("[type]")
    .option("--list", "shows all types and what each one makes")
    .option(
      "--set <name=value>",
      "amount or fullName of what is made",
      (text: string, before: readonly string[]) => [...before, text],
      [],
    )
    .option("--json", "prints the event as GET /events lists it")
    .option("--profile <name>", "a saved connection")
    .action((type: string | undefined, options: TriggerOptions) => trigger(host, type, options));
}

async function trigger(
  host: Host,
  type: string | undefined,
  options: TriggerOptions,
): Promise<void> {
  if (options.list === true) return host.writeOut(listOf());
  const recipe = recipes.find((each) => each.type === type);
  if (recipe === undefined)
    throw new UsageError(`no event has the type ${type ?? ""}; see: florin trigger --list`);
  if (recipe.run === undefined) throw new UsageError(`${recipe.type} needs ${recipe.does}`);
  const settings = settingsOf(options.set);
  const connection = connectionOf(host, options.profile);
  if (
    connection.environment !== "SANDBOX" &&
    (await environmentOf(host, connection)) !== "SANDBOX"
  ) {
    throw new UsageError("trigger makes things up, and so works in a sandbox alone");
  }
  const after = recipe.isUnlisted === true ? undefined : await findNewest(host, connection);
  const about = await recipe.run(openSandbox(host, connection, settings));
  if (after === undefined) return;
  const text = await awaitEvent(host, connection, { recipe, about, after });
  host.writeOut(options.json === true ? text : showAnswer(parseJson(text)));
}

function listOf(): string {
  const width = Math.max(...recipes.map(({ type }) => type.length));
  return recipes.map(({ type, does }) => `${type.padEnd(width)}  ${does}\n`).join("");
}

function settingsOf(given: readonly string[]): TriggerSettings {
  let settings = DEFAULTS;
  for (const text of given) {
    const [, name = "", value = ""] = /^(\w+)=(.+)$/s.exec(text) ?? [];
    if (name === "fullName") settings = { ...settings, fullName: value };
    else if (name === "amount" && /^[1-9]\d{0,12}$/.test(value))
      settings = { ...settings, amount: Number(value) };
    else throw new UsageError(`--set takes amount=<whole number> and fullName=<text>, not ${text}`);
  }
  return settings;
}

/** Undefined on a server that cannot list events: the event is caused but cannot be shown. */
async function findNewest(host: Host, connection: Connection): Promise<number | undefined> {
  try {
    return await newestSequence(host, connection);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) throw error;
    host.writeError("florin: this server does not list events; the event is not waited for\n");
    return undefined;
  }
}

/** Waits for the event and returns the exact answer of `GET /events/{id}`. */
async function awaitEvent(
  host: Host,
  connection: Connection,
  wanted: { readonly recipe: Recipe; readonly about: string; readonly after: number },
): Promise<string> {
  const { recipe, about, after } = wanted;
  const query = new URLSearchParams({ type: recipe.type, after: String(after), limit: "100" });
  for (let waitedMs = 0; waitedMs <= WAIT_MS; waitedMs += LOOK_AGAIN_MS) {
    const list = accepted(
      await send(host, connection, { method: "GET", target: `/events?${query}` }),
    );
    const { data } = asObject(parseJson(list.text)) ?? {};
    const rows = (Array.isArray(data) ? data : []).map((row) => asObject(row) ?? {});
    const found = rows.find((row) => isAbout(asObject(row.data) ?? {}, about));
    const id = asText(found?.id);
    if (id !== undefined) {
      const target = `/events/${encodeURIComponent(id)}`;
      return accepted(await send(host, connection, { method: "GET", target })).text;
    }
    await host.pause(LOOK_AGAIN_MS, host.stopped);
    if (host.stopped.aborted) break;
  }
  throw new NotReached(`no ${recipe.type} of ${about} within ${WAIT_MS / 1000} s`);
}

/** An invitation is identified by its code, and the event of an alert by `alertId`. */
function isAbout({ id, code, alertId }: Readonly<Record<string, unknown>>, about: string): boolean {
  return [id, code, alertId].includes(about);
}

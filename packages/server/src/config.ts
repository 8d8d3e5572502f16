/** Every setting: its meaning, default and validation. The only reader of the environment. */

import type { LogRequests } from "./http/server/call-log.ts";
import { parseMailbox } from "./outside/mail/mail-address.ts";
import { parseSmtpUrl } from "./outside/mail/smtp-address.ts";
import { parseAllowedHost } from "./outside/outbound-http/allowed-hosts.ts";
import { DEFAULT_ISSUERS, toIssuer } from "./outside/people/oidc/issuers.ts";
import { parseUmaHost } from "./outside/uma/uma-hosts.ts";
import { databaseHosts } from "./postgres/database-url.ts";
import { checkKeySource, type MasterKeySource, toMasterKey } from "./secrets/sealing.ts";
import { parseAddressRange } from "./std/address-range.ts";
import { StartRefused } from "./std/errors.ts";
import type { LogLevel } from "./std/log.ts";
import { parseUrl } from "./std/url.ts";

interface Setting<Value> {
  readonly meaning: string;
  /** The default, as `florin config` shows it. */
  readonly fallback: string;
  readonly isSecret?: boolean;
  read(text: string | undefined): Value;
}

export type LoopbackPolicy = "sandbox" | "all" | "none";

const SHORTEST_SECRET = 32;
const USUAL_METRICS_PORT = 9_464;

const settings = {
  HOST: text("Address to listen on.", "127.0.0.1"),
  PORT: whole("Port to listen on; 0 takes a free one.", { fallback: 8080, min: 0, max: 65_535 }),
  METRICS_HOST: text("Address to serve /metrics on.", "127.0.0.1"),
  METRICS_PORT: metricsPort(
    "Port for /metrics, which the API's port does not serve; 0 takes a free one, off serves none.",
  ),
  PUBLIC_URL: optionalUrl(
    "Where people and callers reach this server, when that is not HOST and PORT. Production needs it for invitations and verification links.",
  ),
  TRUSTED_PROXIES: list(
    "Proxies in front, as addresses and ranges with commas between them: callers behind them are identified by X-Forwarded-For.",
    [],
    toRange,
  ),
  DATA_DIR: text("Directory of the embedded database and its keys.", "./data"),
  DATABASE_URL: databaseUrl(
    "PostgreSQL 15 or newer to use instead of the embedded database; several hosts with commas between them: the primary is used.",
  ),
  MASTER_KEY: secret(
    "32 bytes, base64 or hex, that seal secrets at rest. Needed with DATABASE_URL.",
    (given) => toMasterKey(given, "MASTER_KEY"),
  ),
  MASTER_KEY_FILE: optionalText("A file that holds the master key."),
  MASTER_KEY_PREVIOUS: secret(
    "The master key before this one, to open what is still sealed with it until `florin reseal` is done.",
    (given) => toMasterKey(given, "MASTER_KEY_PREVIOUS"),
  ),
  LOG_LEVEL: oneOf<LogLevel>("How much is logged.", "info", [
    "debug",
    "info",
    "warn",
    "error",
    "silent",
  ]),
  LOG_REQUESTS: oneOf<LogRequests>(
    "Which calls have a line in the log: refused (those answered with 400 or more), all, none.",
    "refused",
    ["refused", "all", "none"],
  ),
  CONSOLE: oneOf<"on" | "off">(
    "Whether the console is served. When it is off, every path below /console is unknown and no person can sign in.",
    "on",
    ["on", "off"],
  ),
  SESSION_IDLE_MINUTES: whole(
    "Minutes without an act after which a person's session ends, once a production platform was looked at.",
    { fallback: 30, min: 5, max: 30 },
  ),
  SESSION_HOURS: whole("Hours after which a person's session ends in any case.", {
    fallback: 12,
    min: 1,
    max: 12,
  }),
  REQUEST_LOG_DAYS: whole("Days for which GET /request-logs has the calls; 0 keeps none.", {
    fallback: 7,
    min: 0,
    max: 90,
  }),
  REQUEST_LOG_ROWS_PER_DAY: whole(
    "Calls a day in the request log, of all platforms together; close to it, successful reads are thinned first.",
    { fallback: 5_000_000, min: 100, max: 100_000_000 },
  ),
  WEBHOOK_ATTEMPT_DAYS: whole(
    "Days for which GET /webhook-deliveries has the attempts of deliveries, with headers and answers.",
    { fallback: 30, min: 1, max: 400 },
  ),
  OUTBOUND_ALLOW_LOOPBACK: optionalOneOf<LoopbackPolicy>(
    "Whose outbound calls may go to this machine, and by plain http: sandbox (with the embedded database), all, none.",
    ["sandbox", "all", "none"],
  ),
  RAIL_ALLOWED_HOSTS: list(
    "Hosts beside this server where rail connectors may be, although they are not public: host:port or range:port, with commas between them.",
    [],
    toAllowedHost,
  ),
  UMA_HOSTS: list(
    "Other places to call UMA domains at, for a private link to an institution, as vasp.example=https://10.1.2.3:8443 with commas between them; at loopback http is allowed.",
    [],
    toUmaHost,
  ),
  OIDC_ISSUERS: list(
    "Issuers of ID tokens that may open wallets, as URLs with commas between them.",
    DEFAULT_ISSUERS,
    toIssuer,
  ),
  SMTP_URL: secret(
    "Mail server for one-time codes, and for links and notices to people: smtps://user:password@host or smtp://host, which demands STARTTLS unless it ends in ?tls=optional.",
    parseSmtpUrl,
  ),
  MAIL_FROM: optionalText(
    "Whom mail is from, as Name <a@example.com>. Needed with SMTP_URL.",
    checkMailbox,
  ),
  BOOTSTRAP_CLIENT_ID: optionalText(
    "Fixes the client id of the first token; plain ASCII without a colon.",
    checkClientId,
  ),
  BOOTSTRAP_CLIENT_SECRET: secret(
    "Fixes the secret of the first token; at least 32 characters of plain ASCII.",
    checkClientSecret,
  ),
  RATE_LIMIT_PER_SECOND: whole("Requests a second that one token may make.", {
    fallback: 20_000,
    min: 1,
    max: 1_000_000,
  }),
  ENGINE_LANES: whole("Connections that write.", { fallback: 2, min: 1, max: 16 }),
  ENGINE_BATCH_MAX: whole("Commands that are committed together at most.", {
    fallback: 64,
    min: 1,
    max: 1_024,
  }),
  POSTGRES_SHARED_BUFFERS: {
    ...optionalText(
      "Memory of the embedded database for its pages, with its unit: 512MB.",
      checkMemory,
    ),
    fallback: "(an eighth of the machine's, from 128MB to 2GB)",
  },
} as const satisfies Record<string, Setting<unknown>>;

type Settings = typeof settings;
export type SettingName = keyof Settings;
export type Config = { readonly [Name in SettingName]: ReturnType<Settings[Name]["read"]> };

/** Reads all settings; an invalid value is refused with the setting's name. */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  const entries = Object.entries(settings).map(([name, setting]) => {
    const given = environment[name];
    try {
      return [name, setting.read(given === "" ? undefined : given)];
    } catch (error) {
      if (error instanceof StartRefused) throw error;
      throw new StartRefused(`${name}: ${error instanceof Error ? error.message : "not valid"}`);
    }
  });
  const config = Object.fromEntries(entries) as Config;
  refuseTogether(config);
  return config;
}

/** The source of the master key; the embedded database has a key file in DATA_DIR. */
export function keySourceOf(config: Config): MasterKeySource {
  const { DATABASE_URL, DATA_DIR, MASTER_KEY: masterKey, MASTER_KEY_FILE: masterKeyFile } = config;
  return { masterKey, masterKeyFile, dataDir: DATABASE_URL === undefined ? DATA_DIR : undefined };
}

/** Refuses settings that contradict each other. */
function refuseTogether(config: Config): void {
  const { BOOTSTRAP_CLIENT_ID, BOOTSTRAP_CLIENT_SECRET, SMTP_URL, MAIL_FROM } = config;
  checkKeySource(keySourceOf(config));
  if ((BOOTSTRAP_CLIENT_ID === undefined) !== (BOOTSTRAP_CLIENT_SECRET === undefined)) {
    throw new StartRefused(
      "BOOTSTRAP_CLIENT_ID and BOOTSTRAP_CLIENT_SECRET are set together or not at all",
    );
  }
  if (SMTP_URL !== undefined && MAIL_FROM === undefined) {
    throw new StartRefused("MAIL_FROM: must be set with SMTP_URL, as Name <a@example.com>");
  }
}

export interface SettingNote {
  readonly name: string;
  readonly meaning: string;
  readonly fallback: string;
  readonly value: string;
}

/** What `florin config` prints; secrets only as set or not set. */
export function describeSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): readonly SettingNote[] {
  return Object.entries<Setting<unknown>>(settings).map(
    ([name, { meaning, fallback, isSecret }]) => {
      const given = environment[name];
      const isSet = given !== undefined && given !== "";
      const shown = isSecret === true ? "(set)" : (given ?? "");
      return { name, meaning, fallback, value: isSet ? shown : fallback };
    },
  );
}

function text(meaning: string, fallback: string): Setting<string> {
  return { meaning, fallback, read: (given) => given ?? fallback };
}

/** A text that is kept unchanged when `check` accepts it. */
function optionalText(
  meaning: string,
  check: (given: string) => unknown = () => undefined,
): Setting<string | undefined> {
  return {
    meaning,
    fallback: "(not set)",
    read(given) {
      if (given !== undefined) check(given);
      return given;
    },
  };
}

/** HTTP Basic ends the id at the first colon and allows these characters alone (http/auth/auth.ts). */
function checkClientId(given: string): void {
  if (/^[\x20-\x39\x3b-\x7e]{1,200}$/.test(given)) return;
  throw new Error("must be 1 to 200 printable ASCII characters without a colon");
}

function checkClientSecret(given: string): void {
  if (given.length < SHORTEST_SECRET) {
    throw new Error(`must have at least ${SHORTEST_SECRET} characters`);
  }
  if (!/^[\x20-\x7e]{1,200}$/.test(given))
    throw new Error("must be at most 200 printable ASCII characters");
}

function checkMailbox(given: string): void {
  if (parseMailbox(given) !== undefined) return;
  throw new Error("must be an address, alone or as Name <a@example.com>");
}

/** An http or https address, perhaps with a path; kept without a slash at its end. */
function optionalUrl(meaning: string): Setting<string | undefined> {
  return {
    ...optionalText(meaning),
    read(given) {
      if (given === undefined) return undefined;
      const url = parseUrl(given);
      const isPlain =
        url !== undefined &&
        /^https?:$/.test(url.protocol) &&
        [url.username, url.password, url.search, url.hash].every((part) => part === "");
      if (!isPlain) {
        throw new Error("must be an http or https address without user, query or fragment");
      }
      return url.href.replace(/(?<!\/)\/+$/, "");
    },
  };
}

function secret(meaning: string, check?: (given: string) => unknown): Setting<string | undefined> {
  return { ...optionalText(meaning, check), isSecret: true };
}

function databaseUrl(meaning: string): Setting<string | undefined> {
  return {
    ...secret(meaning),
    read(given) {
      if (given !== undefined) databaseHosts(given);
      return given;
    },
  };
}

function whole(
  meaning: string,
  range: { readonly fallback: number; readonly min: number; readonly max: number },
): Setting<number> {
  return {
    meaning,
    fallback: String(range.fallback),
    read(given) {
      if (given === undefined) return range.fallback;
      const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
      if (!(value >= range.min && value <= range.max)) {
        throw new Error(`must be a whole number from ${range.min} to ${range.max}`);
      }
      return value;
    },
  };
}

export type MetricsPort =
  | { readonly kind: "off" }
  /** With the default port (`isAskedFor` is false) the server starts without metrics when the port is taken. */
  | { readonly kind: "port"; readonly port: number; readonly isAskedFor: boolean };

function metricsPort(meaning: string): Setting<MetricsPort> {
  const port = whole(meaning, { fallback: USUAL_METRICS_PORT, min: 0, max: 65_535 });
  return {
    meaning,
    fallback: port.fallback,
    read(given) {
      if (given === "off") return { kind: "off" };
      return { kind: "port", port: port.read(given), isAskedFor: given !== undefined };
    },
  };
}

function list(
  meaning: string,
  fallback: readonly string[],
  readOne: (text: string) => string,
): Setting<readonly string[]> {
  return {
    meaning,
    fallback: fallback.length === 0 ? "(none)" : fallback.join(","),
    read: (given) => given?.split(",").map((text) => readOne(text.trim())) ?? fallback,
  };
}

function toAllowedHost(text: string): string {
  parseAllowedHost(text);
  return text;
}

function toUmaHost(text: string): string {
  parseUmaHost(text);
  return text;
}

function toRange(text: string): string {
  parseAddressRange(text);
  return text;
}

function oneOf<Value extends string>(
  meaning: string,
  fallback: Value,
  values: readonly Value[],
): Setting<Value> {
  return {
    meaning,
    fallback,
    read: (given) => (given === undefined ? fallback : among(given, values)),
  };
}

function optionalOneOf<Value extends string>(
  meaning: string,
  values: readonly Value[],
): Setting<Value | undefined> {
  return {
    meaning,
    fallback: "(by the database)",
    read: (given) => (given === undefined ? undefined : among(given, values)),
  };
}

function among<Value extends string>(given: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === given);
  if (found === undefined) throw new Error(`must be one of ${values.join(", ")}`);
  return found;
}

const KILOBYTES = { kB: 1, MB: 1_024, GB: 1_024 ** 2, TB: 1_024 ** 3 };

/** In the format of PostgreSQL, with a unit: without one PostgreSQL counts pages. */
function checkMemory(given: string): void {
  const [, amount, unit] = /^(\d{1,9})(kB|MB|GB|TB)$/.exec(given) ?? [];
  const kilobytes = Number(amount) * KILOBYTES[unit as keyof typeof KILOBYTES];
  if (kilobytes >= LEAST_KILOBYTES && kilobytes <= MOST_KILOBYTES) return;
  throw new Error("must be a whole number followed by kB, MB, GB or TB, from 128kB to 1TB");
}

const LEAST_KILOBYTES = 128;
const MOST_KILOBYTES = KILOBYTES.TB;

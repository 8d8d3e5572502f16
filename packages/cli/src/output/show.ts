/** Answers for people: a list as a table, everything else as names and values. */
import { asObject, type JsonObject } from "../json.ts";
import { clean, cut } from "./clean.ts";

const COLUMNS = 7;
/** An id is never cut: the longest, of a delivery, has 89 characters. */
const CELL = 96;
/** The members that identify a row, in the order of their columns. */
const FIRST = [
  "id",
  "code",
  "sequence",
  "type",
  "status",
  "state",
  "eventType",
  "name",
  "fullName",
  "customerType",
  "platformCustomerId",
  "currency",
  "sentAmount",
  "receivedAmount",
  "balance",
  "amount",
  "totalBalance",
  "umaAddress",
];
const LAST = ["timestamp", "createdAt"];

export function showAnswer(value: unknown): string {
  const body = asObject(value);
  if (body === undefined) return value === undefined ? "" : `${clean(String(value))}\n`;
  const { data, hasMore, nextCursor, totalCount } = body;
  if (!Array.isArray(data)) return showDetail(body);
  const rows = data.map((row) => asObject(row) ?? { value: row });
  const more = hasMore === true ? `more: --cursor ${clean(String(nextCursor))}, or --all\n` : "";
  const total = typeof totalCount === "number" ? `${totalCount} in all\n` : "";
  return `${showTable(rows)}${total}${more}`;
}

export function showTable(rows: readonly JsonObject[]): string {
  if (rows.length === 0) return "none\n";
  const columns = columnsOf(rows);
  const cells = [
    columns,
    ...rows.map((row) => columns.map((name) => cut(cellOf(row[name]), CELL))),
  ];
  const widths = columns.map((_, index) =>
    Math.max(...cells.map((line) => (line[index] ?? "").length)),
  );
  const lines = cells.map((line) =>
    line
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}

function columnsOf(rows: readonly JsonObject[]): readonly string[] {
  const all = [...new Set(rows.flatMap(Object.keys))];
  const shown = all.filter((name) => rows.some((row) => cellOf(row[name]) !== ""));
  const first = FIRST.filter((name) => shown.includes(name));
  const last = LAST.filter((name) => shown.includes(name)).slice(0, 1);
  const others = shown.filter((name) => ![...FIRST, ...LAST].includes(name));
  return [...[...first, ...others].slice(0, COLUMNS - last.length), ...last];
}

/** The text of a cell. It is empty for objects other than amounts, which only the view of one object shows. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value))
    return value.every((one) => typeof one !== "object") ? clean(value.join(",")) : "";
  const object = asObject(value);
  return object === undefined ? clean(String(value)) : (amountOf(object) ?? "");
}

/** `{amount, currency: {code, decimals}}` in whole units, computed on the digits. */
function amountOf({ amount, currency }: JsonObject): string | undefined {
  const { code, decimals } = asObject(currency) ?? {};
  if (!Number.isSafeInteger(amount) || typeof code !== "string" || typeof decimals !== "number") {
    return undefined;
  }
  const minor = BigInt(amount as number);
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const sign = minor < 0n ? "-" : "";
  return clean(`${sign}${whole}${decimals === 0 ? "" : `.${digits.slice(-decimals)}`} ${code}`);
}

function showDetail(body: JsonObject): string {
  const lines = linesOf(body, "");
  const width = Math.max(0, ...lines.map(([name]) => name.length));
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join("");
}

function linesOf(value: unknown, path: string): readonly (readonly [string, string])[] {
  const object = asObject(value);
  const amount = object === undefined ? undefined : amountOf(object);
  if (amount !== undefined) return [[path, amount]];
  if (Array.isArray(value) && value.some((one) => typeof one === "object")) {
    return value.flatMap((one, index) => linesOf(one, `${path}[${index}]`));
  }
  if (object === undefined || path.split(".").length > 6) return [[path, textOf(value)]];
  return Object.entries(object).flatMap(([name, member]) =>
    linesOf(member, path === "" ? clean(name) : `${path}.${clean(name)}`),
  );
}

/** A text of several lines, such as a key, keeps them. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value.split("\n").map(clean).join("\n").trimEnd();
  return clean(Array.isArray(value) ? value.join(", ") : JSON.stringify(value));
}

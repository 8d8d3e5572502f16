/** Turns the words of a command line into the path, query, headers and body of a call. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { UsageError } from "../failures.ts";
import type { Host } from "../host.ts";
import { asObject, parseJson } from "../json.ts";
import type { FlagRow, OperationRow } from "./operation-row.ts";

/** Values by the name of the flag, as commander gives them. */
export type Flags = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

export function parametersOf(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}

/** Fills in the parameters. One that would change the path, such as `..`, is refused. */
export function fillPath(path: string, values: readonly string[]): string {
  let index = 0;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[index++] ?? "";
    if (value === "" || value === "." || value === "..") {
      throw new UsageError(`${name} cannot be ${JSON.stringify(value)}`);
    }
    return encodeURIComponent(value);
  });
}

export function queryOf(row: OperationRow, flags: Flags): URLSearchParams {
  const query = new URLSearchParams();
  for (const flag of row.query ?? []) {
    const value = flags[flag.flag];
    if (value === undefined) continue;
    if (flag.type === "json") {
      const members = Object.entries(asObject(parseJson(String(value))) ?? {});
      for (const [key, one] of members) query.append(`${flag.name}[${key}]`, String(one));
      continue;
    }
    for (const one of Array.isArray(value) ? value : [value]) query.append(flag.name, String(one));
  }
  return query;
}

export function headersOf(row: OperationRow, flags: Flags): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const { name, flag } of row.headers ?? []) {
    const value = flags[flag];
    if (typeof value === "string") headers[name] = value;
  }
  return headers;
}

/** The JSON of `--data`, overridden by the fields that are given as flags. */
export async function bodyOf(
  host: Host,
  row: OperationRow,
  flags: Flags,
): Promise<string | FormData | undefined> {
  const { body } = row;
  if (body === undefined) return undefined;
  if (body.kind === "form") return formOf(body.fields, flags);
  const { data } = flags;
  const given = typeof data === "string" ? await readData(host, data) : undefined;
  const set = body.fields.filter(({ flag }) => flags[flag] !== undefined);
  if (set.length === 0) return given ?? (body.isRequired === true ? "{}" : undefined);
  const base = given === undefined ? {} : asObject(parseJson(given));
  if (base === undefined)
    throw new UsageError("--data must be a JSON object to be joined with flags");
  const fields = set.map((field) => [field.name, toJson(field, flags[field.flag])]);
  return JSON.stringify({ ...base, ...Object.fromEntries(fields) });
}

/** `@file`, `-` for standard input, or the JSON itself, which is sent byte for byte. */
async function readData(host: Host, data: string): Promise<string> {
  const text =
    data === "-" ? await host.readInput() : data.startsWith("@") ? readText(data.slice(1)) : data;
  if (parseJson(text) === undefined) throw new UsageError("--data is not JSON");
  return text;
}

export function readText(path: string): string {
  return new TextDecoder().decode(readBytes(path));
}

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function toJson({ flag, type }: FlagRow, value: Flags[string]): unknown {
  if (type === "boolean" || type === "texts") return value;
  const text = String(value);
  if (type === "string") return text === "null" ? null : text;
  const parsed = parseJson(text);
  const isWrong = type === "number" ? typeof parsed !== "number" : parsed === undefined;
  if (isWrong)
    throw new UsageError(`--${flag} must be ${type === "number" ? "a number" : "JSON"}: ${text}`);
  return parsed;
}

function formOf(fields: readonly FlagRow[], flags: Flags): FormData {
  const form = new FormData();
  for (const { name, flag, type } of fields) {
    const value = flags[flag];
    if (value === undefined) continue;
    if (type === "file") {
      const bytes = readBytes(String(value)) as Uint8Array<ArrayBuffer>;
      form.append(name, new Blob([bytes]), basename(String(value)));
    } else form.append(name, String(value));
  }
  return form;
}

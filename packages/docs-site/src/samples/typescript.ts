import { clientCalls } from "./client-calls.ts";
import { fileNameOf, SAMPLE_BASE, type SampleCall } from "./sample-call.ts";

/** A sample with the TypeScript client, or with `fetch` when the client has no function for the operation. */
export function typescriptSample(call: SampleCall): string {
  const { operation } = call;
  const name = clientCalls[operation.id];
  if (operation.id === "redeemAgentDeviceCode") return redeemSample(call);
  if (name === undefined) return fetchSample(call);
  const isAgent = name.startsWith("agent.");
  const expression = isAgent ? name : `client.${name}`;
  const args = argumentsOf(call);
  return [
    ...(call.form === undefined ? [] : ['import { openAsBlob } from "node:fs";']),
    ...(isAgent ? AGENT_CLIENT : CLIENT),
    "",
    ...resultLines(call, `${expression}(${args.join(", ")})`),
  ].join("\n");
}

const CLIENT = [
  'import { createClient } from "@florin/client";',
  "",
  "const client = createClient({",
  `  baseUrl: "${SAMPLE_BASE}",`,
  '  clientId: process.env.FLORIN_CLIENT_ID ?? "",',
  '  clientSecret: process.env.FLORIN_CLIENT_SECRET ?? "",',
  "});",
];

const AGENT_CLIENT = [
  'import { createAgentClient } from "@florin/client";',
  "",
  "const agent = createAgentClient({",
  `  baseUrl: "${SAMPLE_BASE}",`,
  '  accessToken: process.env.FLORIN_AGENT_TOKEN ?? "",',
  "});",
];

function argumentsOf(call: SampleCall): readonly string[] {
  const args = call.pathValues.map((value) => JSON.stringify(value));
  const { query, json, form } = call;
  if (form !== undefined) args.push(...formArguments(call, form));
  else if (json !== undefined) args.push(literal(json));
  if (query.length > 0)
    args.push(
      literal(Object.fromEntries(query.map(([name, value]) => [name, asList(call, name, value)]))),
    );
  return args;
}

/** Converts a repeatable parameter to a list, as the client takes it. */
function asList({ operation }: SampleCall, name: string, value: unknown): unknown {
  const parameter = operation.parameters.find((one) => one.name === name);
  return Array.isArray(parameter?.example) ? [value] : value;
}

function formArguments(
  call: SampleCall,
  form: Readonly<Record<string, string>>,
): readonly string[] {
  const name = fileNameOf(call);
  if (Object.keys(form).length === 0) return [`await openAsBlob("${name}")`];
  const fields = literal({ ...form, fileName: name });
  return [fields.replace(/\n\}$/, `\n  file: await openAsBlob("${name}"),\n}`)];
}

function resultLines({ operation }: SampleCall, expression: string): readonly string[] {
  const isPaged = operation.parameters.some(({ name }) => name === "cursor");
  if (isPaged) return [`for await (const item of ${expression}) {`, "  console.log(item);", "}"];
  const isEmpty = operation.answers.every(({ status }) => status === "204");
  if (isEmpty) return [`await ${expression};`];
  return [`const answer = await ${expression};`, "console.log(answer);"];
}

function redeemSample({ pathValues }: SampleCall): string {
  return [
    'import { redeemDeviceCode } from "@florin/client";',
    "",
    `const settings = { baseUrl: "${SAMPLE_BASE}" };`,
    `const { accessToken } = await redeemDeviceCode(settings, ${JSON.stringify(pathValues[0] ?? "")});`,
    "console.log(accessToken);",
  ].join("\n");
}

function fetchSample({ url, isText }: SampleCall): string {
  const reading = isText
    ? ["for await (const chunk of answer.body ?? []) {", "  process.stdout.write(chunk);", "}"]
    : ["console.log(await answer.text());"];
  return [
    "const { FLORIN_CLIENT_ID, FLORIN_CLIENT_SECRET } = process.env;",
    'const pair = FLORIN_CLIENT_ID + ":" + FLORIN_CLIENT_SECRET;',
    'const authorization = "Basic " + Buffer.from(pair).toString("base64");',
    "",
    `const answer = await fetch(${JSON.stringify(url)}, {`,
    "  headers: { authorization },",
    "});",
    ...reading,
  ].join("\n");
}

/** Formats a value as code. Property names are quoted only where necessary. */
function literal(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => literal(item, deeper))
    : Object.entries(value).map(([name, member]) => `${nameOf(name)}: ${literal(member, deeper)}`);
  const [start, end] = Array.isArray(value) ? "[]" : "{}";
  if (parts.length === 0) return `${start}${end}`;
  const line = Array.isArray(value) ? `[${parts.join(", ")}]` : `{ ${parts.join(", ")} }`;
  if (indent !== "" && line.length <= 60 && !line.includes("\n")) return line;
  return `${start}\n${parts.map((part) => `${deeper}${part},`).join("\n")}\n${indent}${end}`;
}

function nameOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

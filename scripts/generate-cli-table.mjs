// `npm run generate`: writes the operations that `florin` has commands for from docs/reference/openapi.json. The same document
// always gives the same text. A flag that a command has already is an error.
import { readFile, writeFile } from "node:fs/promises";

const root = new URL("../", import.meta.url);
const api = JSON.parse(await readFile(new URL("docs/reference/openapi.json", root), "utf8"));

/** Nouns of paths with several fixed parts or a long one, the longest first. Other paths have their first part as the noun. */
const NOUNS = [
  ["/customers/internal-accounts", "customer-internal-accounts"],
  ["/customers/external-accounts", "customer-external-accounts"],
  ["/platform/internal-accounts", "platform-internal-accounts"],
  ["/platform/external-accounts", "platform-external-accounts"],
  ["/customers/bulk/jobs", "customer-imports"],
  ["/agents/device-codes", "device-codes"],
  ["/agents/approvals", "agent-approvals"],
  ["/auth/credentials", "credentials"],
  ["/auth/sessions", "sessions"],
  ["/webhook-deliveries", "deliveries"],
];

/** Names that the path does not give. */
const NAMES = {
  uploadCustomersCsv: "customer-imports create",
  approveAgentAction: "agent-approvals approve",
  rejectAgentAction: "agent-approvals reject",
  createAgentDeviceCode: "agents create-device-code",
  createKycLink: "customers create-kyc-link",
  lookupUmaReceiver: "receivers uma",
  lookupExternalAccountReceiver: "receivers external-account",
  getClock: "sandbox get-clock",
  advanceClock: "sandbox advance-clock",
  fundInternalAccount: "sandbox fund",
  sendSandboxFunds: "sandbox send",
  receiveUmaPayment: "sandbox receive-uma",
  testWebhook: "sandbox test-webhook",
  getIssuerKey: "wallet issuer-key",
  getWebhookPublicKey: "webhooks public-key",
  rotateWebhookKey: "webhooks rotate-public-key",
  // `events resend` makes one of these two calls.
  resendEvent: "events resend-one",
  resendEvents: "events resend-many",
  cancelEventResend: "event-resends cancel",
  agentMe: "me get",
  // `florin people` is the operator's.
  listPeople: "audit-entries people",
};

const VERBS = { get: "get", post: "create", patch: "update", put: "replace", delete: "delete" };
const OWN_FLAGS = new Set(["all", "data", "help", "idempotency-key", "json", "profile", "yes"]);
const HEADERS_OF_EVERY_CALL = new Set(["Idempotency-Key", "X-Request-Id"]);

const rows = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, operation]) => !isStream(operation))
    .map(([method, operation]) => rowOf(path, method, operation)),
);
const names = new Set();
for (const row of rows) {
  // The id is unique, so a second operation of one name is called by it.
  if (names.has(nameOfRow(row))) row.verb = kebab(row.id);
  names.add(nameOfRow(row));
}

await write("operations/operation-table.ts", [
  'import type { OperationRow } from "./operation-row.ts";\n',
  "export const operationTable: readonly OperationRow[] = [",
  ...rows.map((row) => `  ${JSON.stringify(row)},`),
  "];",
]);

await write("shell/reference-index.ts", [
  "/** What `florin docs` searches beside the operations: kind, name, meaning. */",
  "export const referenceIndex: readonly (readonly [kind: string, name: string, says: string])[] = [",
  ...[
    ...(await rowsOf("errors.md", ([name, status, says]) => ["error", name, `${status} ${says}`])),
    ...(await rowsOf("events.md", ([name, says]) => ["event", name, says])),
    ...(await rowsOf("settings.md", ([name, says]) => ["setting", name, says])),
    ...Object.keys(api.components.schemas).map((name) => ["schema", name, fieldsOf(name)]),
  ].map((row) => `  ${JSON.stringify(row)},`),
  "];",
]);

/** The rows of the first table of a page. */
async function rowsOf(page, toRow) {
  const text = await readFile(new URL(`docs/reference/${page}`, root), "utf8");
  const lines = text.split("\n").filter((line) => line.startsWith("| `"));
  const end = text.indexOf("\n## ");
  return lines
    .filter((line) => end < 0 || text.indexOf(line) < end)
    .map((line) =>
      toRow(
        line
          .slice(2)
          .split(/(?<!\\) \| /)
          .map((cell) => cell.replace(/`/g, "")),
      ),
    );
}

function fieldsOf(name) {
  return Object.keys(membersOf(api.components.schemas[name]).properties).join(", ");
}

async function write(name, lines) {
  const head = "// Written by `npm run generate` from docs/reference; not to be changed by hand.\n";
  const target = new URL(`packages/cli/src/${name}`, root);
  await writeFile(target, `${[head, ...lines].join("\n")}\n`);
}

function nameOfRow({ noun, verb }) {
  return `${noun} ${verb}`;
}

/** A stream has a command of its own, such as `listen`. */
function isStream({ responses }) {
  return Object.keys(responses["200"]?.content ?? {}).includes("text/event-stream");
}

function rowOf(path, method, operation) {
  const id = operation.operationId;
  const [noun, verb] = nameOf(path, method, operation);
  const parameters = (operation.parameters ?? []).map(resolve);
  const inPlace = (place) => parameters.filter((parameter) => parameter.in === place);
  const query = inPlace("query")
    .map((one) =>
      flagOf(one.name, { description: one.description, ...resolve(one.schema) }, one.required),
    )
    // A filter may have the name of an option of every command, such as the idempotency key.
    .map((one) => (OWN_FLAGS.has(one.flag) ? { ...one, flag: `filter-${one.flag}` } : one));
  const headers = inPlace("header")
    .filter(({ name }) => !HEADERS_OF_EVERY_CALL.has(name))
    .map((one) =>
      flagOf(one.name, { ...resolve(one.schema), description: one.description }, false),
    );
  const body = bodyOf(operation);
  refuseClash(id, [...query, ...headers, ...(body?.fields ?? [])]);
  return without({
    id,
    noun,
    verb,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    access: accessOf(operation),
    isPaged: query.some(({ name }) => name === "cursor") || undefined,
    takesKey: parameters.some(({ name }) => name === "Idempotency-Key") || undefined,
    query: query.length > 0 ? query : undefined,
    headers: headers.length > 0 ? headers : undefined,
    body,
  });
}

function nameOf(path, method, { operationId, responses }) {
  const given = NAMES[operationId];
  if (given !== undefined) return given.split(" ");
  if (path.startsWith("/agents/me/")) return ["me", kebab(operationId.replace(/^agent/, ""))];
  const prefix = NOUNS.find(([start]) => path === start || path.startsWith(`${start}/`));
  const parts = path.slice(1).split("/");
  const noun = prefix === undefined ? parts[0] : prefix[1];
  const rest = prefix === undefined ? parts.slice(1) : path.slice(prefix[0].length + 1).split("/");
  const fixed = rest.filter((part) => part !== "" && !part.startsWith("{"));
  if (fixed.length === 0)
    return [noun, method === "get" && isList(path, responses) ? "list" : VERBS[method]];
  const word = fixed.join("-");
  if (method === "post") return [noun, word];
  if (method !== "get") return [noun, `${VERBS[method]}-${word}`];
  if (path.endsWith("}")) return [noun, `get-${word}`];
  return [noun, isList(path, responses) && !path.includes("{") ? `list-${word}` : word];
}

function isList(path, responses) {
  if (path.endsWith("}")) return false;
  const schema = resolve(responses["200"]?.content?.["application/json"]?.schema ?? {});
  return schema.properties?.data?.type === "array";
}

function accessOf({ security = [] }) {
  if (security.some((one) => "basicAuth" in one)) return "platform";
  return security.some((one) => "bearerAuth" in one) ? "agent" : "open";
}

function bodyOf({ requestBody }) {
  if (requestBody === undefined) return undefined;
  const [[type, { schema }]] = Object.entries(requestBody.content);
  const kind = type === "multipart/form-data" ? "form" : "json";
  const { properties, required } = membersOf(resolve(schema));
  const fields = Object.entries(properties).map(([name, field]) =>
    flagOf(name, resolve(field), required.has(name)),
  );
  return without({ kind, isRequired: requestBody.required === true || undefined, fields });
}

/** The members of all variants; one is required when it is in each. */
function membersOf(schema) {
  const variants = (schema.oneOf ?? schema.anyOf ?? []).map(resolve);
  const properties = {};
  for (const variant of [schema, ...variants]) {
    for (const [name, field] of Object.entries(variant.properties ?? {})) {
      properties[name] = mergeConst(properties[name], resolve(field));
    }
  }
  return { properties, required: new Set(schema.required ?? []) };
}

/** The tag of a union has one value in each variant. */
function mergeConst(before, field) {
  if (before?.const === undefined && before?.enum === undefined) return before ?? field;
  const values = [...(before.enum ?? [before.const]), ...(field.enum ?? [field.const])];
  return { ...field, const: undefined, enum: [...new Set(values)] };
}

function flagOf(name, schema, isRequired) {
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== "null") : schema.type;
  const items = resolve(schema.items ?? {});
  const values = schema.enum ?? (schema.const === undefined ? items.enum : [schema.const]);
  return without({
    name,
    flag: kebab(name),
    type: typeOf(type, schema, items),
    isRequired: isRequired === true || undefined,
    values: values?.filter((value) => value !== null),
    says: sentenceOf(schema.description),
  });
}

function typeOf(type, schema, items) {
  if (schema.format === "binary") return "file";
  if (type === "array") return items.type === "string" ? "texts" : "json";
  if (type === "integer" || type === "number") return "number";
  return type === "string" || type === "boolean" ? type : "json";
}

/** The first sentence. */
function sentenceOf(text) {
  const [first] = (text ?? "").split(/(?<=\.)\s/);
  return first === "" ? undefined : first;
}

function refuseClash(id, flags) {
  const known = new Set(OWN_FLAGS);
  for (const { flag } of flags) {
    if (known.has(flag)) throw new Error(`${id} has --${flag} twice`);
    known.add(flag);
  }
}

function kebab(name) {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/^[-_]+/, "")
    .toLowerCase();
}

function resolve(value) {
  const { $ref, ...beside } = value;
  if ($ref === undefined) return value;
  const found = $ref
    .slice(2)
    .split("/")
    .reduce((part, name) => part[name], api);
  return { ...resolve(found), ...beside };
}

function without(members) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

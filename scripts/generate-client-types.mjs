// `npm run generate`: writes the client's types from docs/reference/openapi.json. The same document always gives the same
// text; biome formats it afterwards. A schema without a type and two schemas of one name are errors.
import { readFile, writeFile } from "node:fs/promises";

const root = new URL("../", import.meta.url);
const target = new URL("packages/client/src/api-types.ts", root);
const api = JSON.parse(await readFile(new URL("docs/reference/openapi.json", root), "utf8"));
const { schemas, parameters, responses } = api.components;

const WIDTH = 110;
/** Component names that would hide a global of TypeScript's. */
const RENAMED = { Error: "RefusalBody" };

/** The code of each type by its name, and the schema that it was made from. */
const written = new Map();
const sources = new Map();
/** Components that a type refers to and that have no code yet. `side` is "request" or "answer". */
const waiting = [];

/** Answers that are not JSON have no type; the client has no functions for them. */
const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .map(([method, operation]) => ({ method, path, ...operation }))
    .filter(({ responses: answers }) => !isText(answers["200"])),
);
const lists = Object.keys(schemas).filter((name) => "enum" in schemas[name]);

const common = commonRefusals();
const page = pageOf(operations);
const operationTypes = operations.map(operationType);
const events = Object.entries(api.webhooks).map(([type, { post }]) => {
  const { properties } = post.requestBody.content["application/json"].schema;
  return `${comment(post.description)}readonly ${JSON.stringify(type)}: ${typeOf(properties.data, "answer")};\n`;
});
for (const name of ["Error", ...lists]) nameOf(name, "answer");
while (waiting.length > 0) writeComponent(waiting.shift());

const named = [...written].sort(([left], [right]) => (left < right ? -1 : 1));
const text = [
  "// Written by `npm run generate` from docs/reference/openapi.json; not to be changed by hand.\n",
  'import type { AnyOf, Either, Open, Unlisted } from "./open-types.ts";\n',
  'import type { SecretPart } from "./request.ts";\n',
  `/** One page of a list. */\nexport interface Page<Item> ${page}\n`,
  ...named.map(([, code]) => code),
  `/** What every operation can refuse a call with. */\nexport type CommonRefusal = ${union(common)};\n`,
  `/** By operation: the call, its answer, and the codes that it can be refused with. */`,
  `export interface Operations {\n${operationTypes.join("")}}\n`,
  `/** What an event carries under \`data\`, by the event's type. */`,
  `export interface WebhookData {\n${events.join("")}}\n`,
].join("\n");
await writeFile(target, text);

/** The name of a component's type. Its code is written later, when this is the first use of the name. */
function nameOf(component, side) {
  if (schemas[component] === undefined) throw new Error(`the document has no schema ${component}`);
  const base = RENAMED[component] ?? pascal(component);
  const isNew = side === "request" && isOneSided(schemas[component]);
  const name = isNew ? `New${base}` : base;
  if (!sources.has(name)) waiting.push({ component, side, name });
  claim(name, isNew ? `the request's ${component}` : component);
  return name;
}

function claim(name, source) {
  const before = sources.get(name) ?? source;
  if (before !== source) throw new Error(`${name} would be the type of ${before} and of ${source}`);
  sources.set(name, source);
}

function writeComponent({ component, side, name }) {
  const schema = schemas[component];
  const added = side === "answer" ? readOnlyMembers(schema) : [];
  if (added.length === 0) return write(name, schema, typeOf(schema, side));
  const base = nameOf(component, "request");
  const members = membersOf(schema, side, added);
  if (isInterface(schema)) write(name, schema, `extends ${base} ${members}`);
  else write(name, schema, `${base} & ${members}`);
}

function write(name, schema, code) {
  const declared = isInterface(schema)
    ? `export interface ${name} ${code}`
    : `export type ${name} = ${code};`;
  written.set(name, `${comment(schema.description)}${declared}\n`);
}

/** An interface where it can be one: the compiler's messages then say its name. */
function isInterface(schema) {
  const names = Object.keys(schema.properties ?? {});
  return schema.type === "object" && names.length > 0 && choicesOf(schema).length === 0;
}

/** A schema as a type. Enumerations and tagged unions are open: the document says that more values may come. */
function typeOf(schema, side) {
  const { $ref, enum: values, const: only, allOf, properties, items } = schema;
  if ($ref !== undefined) return nameOf($ref.split("/").at(-1), side);
  if (schema["x-values"] !== undefined) return nameOf(schema["x-values"], side);
  if (only !== undefined) return JSON.stringify(only);
  if (values !== undefined) return `Open<${union(values)}>`;
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeOf({ ...schema, type }, side)).join(" | ");
  }
  if (allOf?.length === 1 && properties === undefined) return typeOf(allOf[0], side);
  if (allOf !== undefined) throw noType(schema);
  const variants = properties === undefined ? (schema.oneOf ?? schema.anyOf) : undefined;
  if (variants !== undefined) return variantsType(schema, variants, side);
  switch (schema.type) {
    case "null":
      return "null";
    case "boolean":
      return "boolean";
    case "integer":
    case "number":
      return "number";
    case "string":
      return schema.format === "binary" ? "Blob" : "string";
    case "array":
      return `readonly (${items === undefined ? "unknown" : typeOf(items, side)})[]`;
    case "object":
      return objectType(schema, side);
    default:
      // A value of any type, such as a logged body.
      if (Object.keys(schema).every((name) => ["description", "x-sensitive"].includes(name)))
        return "unknown";
      throw noType(schema);
  }
}

function noType(schema) {
  return new Error(`no type for ${JSON.stringify(schema).slice(0, 200)}`);
}

function variantsType({ discriminator }, variants, side) {
  const types = variants.map((variant) => typeOf(variant, side));
  const tag = discriminator?.propertyName;
  if (tag !== undefined) types.push(`{ readonly ${tag}: Unlisted }`);
  return types.join(" | ");
}

function objectType(schema, side) {
  const { patternProperties = {}, additionalProperties } = schema;
  const [values = additionalProperties] = Object.values(patternProperties);
  const names = Object.keys(schema.properties ?? {});
  if (names.length === 0 && typeof values === "object") {
    return `Readonly<Record<string, ${typeOf(values, side)}>>`;
  }
  if (names.length === 0) return "Readonly<Record<string, unknown>>";
  const isHidden = (name) => side === "request" && schema.properties[name].readOnly === true;
  const members = membersOf(
    schema,
    side,
    names.filter((name) => !isHidden(name)),
  );
  const choices = choicesOf(schema);
  return choices.length === 0 ? members : `AnyOf<${members}, ${tuples(choices)}>`;
}

/** Beside members of its own, a schema's parts say which of them must be there: one of several sets. */
function choicesOf(schema) {
  const { properties, oneOf, anyOf } = schema;
  const sets = properties === undefined ? [] : (oneOf ?? anyOf ?? []);
  if (sets.some(({ required }) => required === undefined)) throw noType(schema);
  return sets.map(({ required }) => required);
}

function membersOf({ properties, required = [] }, side, names) {
  const lines = names.map((name) => {
    const mark = required.includes(name) ? "" : "?";
    const member = properties[name];
    return `${comment(member.description)}readonly ${key(name)}${mark}: ${typeOf(member, side)};\n`;
  });
  return `{\n${lines.join("")}}`;
}

function readOnlyMembers({ properties = {} }) {
  return Object.keys(properties).filter((name) => properties[name].readOnly === true);
}

/** Whether a request has other members than an answer. */
function isOneSided(node, seen = new Set()) {
  if (typeof node !== "object" || node === null || seen.has(node)) return false;
  seen.add(node);
  if (node.readOnly === true) return true;
  const [kind, , from, name] = typeof node.$ref === "string" ? node.$ref.split("/") : [];
  if (kind === "#" && from === "schemas") return isOneSided(schemas[name], seen);
  const { examples: _, example: __, ...rest } = node;
  return Object.values(rest).some((value) => isOneSided(value, seen));
}

function isText(answer) {
  return answer?.content !== undefined && answer.content["application/json"] === undefined;
}

/** The envelope of every list, which must be the same for all. */
function pageOf(all) {
  const envelopes = all.flatMap((operation) => {
    const schema = contentOf(operation.responses["200"])?.schema;
    return isPage(schema) ? [{ ...schema, properties: { ...schema.properties, data: {} } }] : [];
  });
  const [first] = envelopes;
  const same = envelopes.every((one) => JSON.stringify(one) === JSON.stringify(first));
  if (!same) throw new Error("the lists have different envelopes");
  const rest = Object.keys(first.properties).filter((name) => name !== "data");
  return membersOf(first, "answer", rest).replace("{\n", "{\nreadonly data: readonly Item[];\n");
}

function isPage(schema) {
  return schema?.properties?.data !== undefined && schema.properties.hasMore !== undefined;
}

function contentOf(message) {
  return Object.values(message?.content ?? {})[0];
}

function operationType(operation) {
  const { operationId, summary } = operation;
  const own = refusalsOf(operation).filter((code) => !common.includes(code));
  const refusal = ["CommonRefusal", ...own.map((code) => JSON.stringify(code))].join(" | ");
  return (
    `${comment(summary)}readonly ${operationId}: {\nreadonly call: ${callType(operation)};\n` +
    `readonly answer: ${answerType(operation)};\n${dryRunMember(operation)}readonly refusal: ${refusal};\n};\n`
  );
}

function callType(operation) {
  const { method, path, operationId, requestBody } = operation;
  const all = operation.parameters.map(({ $ref, ...own }) =>
    $ref === undefined ? own : parameters[$ref.split("/").at(-1)],
  );
  const parts = path.split("/").slice(1);
  const tuple = parts.map((part) =>
    part.startsWith("{") ? "string | SecretPart" : JSON.stringify(part),
  );
  const members = [
    `readonly method: "${method.toUpperCase()}"`,
    `readonly path: readonly [${tuple.join(", ")}]`,
  ];
  if (contentOf(operation.responses["200"])?.schema.properties?.data !== undefined) {
    members.push("readonly isList?: true");
  }
  const query = all.filter(({ in: place, name }) => place === "query" && name !== "dryRun");
  if (query.length > 0) {
    const name = `${pascal(operationId)}Query`;
    claim(name, `the query of ${operationId}`);
    written.set(name, `export interface ${name} ${queryType(query)}\n`);
    const isNeeded = query.some(({ required }) => required);
    members.push(`readonly query${isNeeded ? "" : "?"}: ${name}${isNeeded ? "" : " | undefined"}`);
  }
  if (requestBody !== undefined) {
    const { schema } = contentOf(requestBody);
    members.push(
      `readonly body${requestBody.required ? "" : "?"}: ${bodyType(operationId, schema)}`,
    );
  }
  const headers = all.filter((one) => one.in === "header" && one.name !== "X-Request-Id");
  const names = headers.map(({ name }) => name).filter((name) => name !== "Idempotency-Key");
  if (names.length > 0) {
    const record = `Partial<Record<${union(names.map((name) => name.toLowerCase()))}, string>>`;
    members.push(`readonly headers?: Readonly<${record}> | undefined`);
  }
  return `{ ${members.join("; ")} }`;
}

/** A form is sent as `FormData`, which is made from the members of its type. */
function bodyType(operationId, schema) {
  if (schema.$ref !== undefined) return typeOf(schema, "request");
  const name = `${pascal(operationId)}Body`;
  claim(name, `the body of ${operationId}`);
  write(name, schema, typeOf(schema, "request"));
  return schema.properties?.file === undefined ? name : "FormData";
}

/** One value may stand for a list of one. */
function queryType(query) {
  const lines = query.map(({ name, required, description, schema }) => {
    const list = typeOf(schema, "request");
    const type = schema.type === "array" ? `${typeOf(schema.items, "request")} | ${list}` : list;
    return `${comment(description)}readonly ${key(name)}${required ? "" : "?"}: ${type};\n`;
  });
  return `{\n${lines.join("")}}`;
}

/** The answers of successful calls, without that of a dry run. */
function answersOf({ responses: answers }) {
  return Object.keys(answers)
    .filter((status) => status.startsWith("2"))
    .flatMap((status) => {
      const schema = contentOf(answers[status])?.schema;
      const either = schema?.anyOf?.find((one) => !isDryRun(one));
      return isDryRun(schema) ? [] : [either ?? schema];
    });
}

function isDryRun(schema) {
  return schema?.$ref?.endsWith("DryRun") === true;
}

/** The answer of a call with `dryRun=true`, which is a type of its own. */
function dryRunMember({ responses: answers }) {
  const schema = contentOf(answers["200"])?.schema;
  const found = [schema, ...(schema?.anyOf ?? [])].find(isDryRun);
  return found === undefined ? "" : `readonly dryRun: ${typeOf(found, "answer")};\n`;
}

function answerType(operation) {
  const good = answersOf(operation);
  const types = good
    .filter((schema) => schema !== undefined)
    .map((schema) =>
      isPage(schema)
        ? `Page<${typeOf(schema.properties.data.items, "answer")}>`
        : typeOf(schema, "answer"),
    );
  if (types.length === 0) return "undefined";
  const answer = types.length === 1 ? types[0] : `Either<${types.join(", ")}>`;
  return types.length < good.length ? `${answer} | undefined` : answer;
}

function refusalsOf({ responses: answers }) {
  const codes = Object.values(answers).flatMap(({ $ref }) =>
    $ref === undefined ? [] : Object.keys(contentOf(responses[$ref.split("/").at(-1)]).examples),
  );
  return [...new Set(codes)].sort();
}

function commonRefusals() {
  const [first, ...others] = operations.map(refusalsOf);
  return first.filter((code) => others.every((codes) => codes.includes(code)));
}

function union(values) {
  return values.map((value) => JSON.stringify(value)).join(" | ");
}

/** `readonly ["a", "b"] | readonly ["c"]` */
function tuples(lists) {
  return lists.map((names) => `readonly ${JSON.stringify(names)}`).join(" | ");
}

function key(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** `USD_ACCOUNT` and `createToken` as `UsdAccount` and `CreateToken`. */
function pascal(name) {
  if (!/^[A-Z0-9_]+$/.test(name)) return name[0].toUpperCase() + name.slice(1);
  return name.replaceAll(
    /([A-Z0-9])([A-Z0-9]*)_?/g,
    (_, first, rest) => first + rest.toLowerCase(),
  );
}

function comment(description) {
  if (description === undefined) return "";
  const lines = [""];
  for (const word of description.replaceAll("*/", "*\\/").split(/\s+/)) {
    const line = lines.at(-1);
    if (line !== "" && line.length + word.length >= WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}\n`).join("")} */\n`;
}

/** The section of one operation on the page of its noun. */
import {
  type ApiDocument,
  follow,
  isNode,
  type NumberedAnswer,
  type Operation,
  type Parameter,
  refOf,
  type Schema,
} from "../api/document.ts";
import { errorCauses } from "../api/error-causes.ts";
import { type FieldReader, fieldGroups, limitsOf, typeText } from "../api/fields.ts";
import type { ObjectHomes } from "../api/objects.ts";
import type { Block, Field, Section } from "../blocks/blocks.ts";
import { samplesOf } from "../samples/samples.ts";
import { eventHref } from "./events-page.ts";

export function operationSection(
  document: ApiDocument,
  operation: Operation,
  homes: ObjectHomes,
): Section {
  const { id, title, method, path, description, parameters, body, answers } = operation;
  const reader = { document, homes: homes.hrefs };
  const main: Block[] = [{ kind: "endpoint", method, path }];
  if (description !== undefined) main.push({ kind: "prose", markdown: description });
  main.push({ kind: "facts", rows: factsOf(operation) });
  for (const [place, label] of PLACES) {
    main.push(
      ...parameterBlocks(
        document,
        parameters.filter((one) => one.in === place),
        label,
      ),
    );
  }
  if (body !== undefined) {
    const form = body.type === "application/json" ? "" : `, \`${body.type}\``;
    const groups = fieldGroups({ ...reader, side: "REQUEST" }, body.content.schema);
    const optional = body.isRequired ? "" : ", optional";
    main.push({ kind: "fields", title: `Body${form}${optional}`, groups });
  }
  for (const answer of answers) main.push(...answerBlocks({ ...reader, side: "ANSWER" }, answer));
  for (const block of parameterBlocks(
    document,
    parameters.filter((one) => one.in === "header"),
    "Headers",
  )) {
    main.push({ ...block, isFolded: true });
  }
  main.push(refusalTable(operation));
  return { id, title, main, aside: asideOf(operation) };
}

const PLACES = [
  ["path", "Path"],
  ["query", "Query"],
] as const;

function parameterBlocks(
  document: ApiDocument,
  parameters: readonly Parameter[],
  title: string,
): readonly Extract<Block, { kind: "fields" }>[] {
  if (parameters.length === 0) return [];
  const fields = parameters.map((one) => parameterField(document, one));
  return [{ kind: "fields", title, groups: [{ title: undefined, fields }] }];
}

function parameterField(document: ApiDocument, parameter: Parameter): Field {
  const { name, schema, required, description } = parameter;
  return {
    name,
    type: typeText(document, schema),
    isRequired: required,
    says: description ?? "",
    notes: limitsOf(document, follow(document, schema)),
    groups: [],
  };
}

function factsOf(operation: Operation): readonly (readonly [string, string])[] {
  const { events } = operation;
  const rows: (readonly [string, string])[] = [["Permission", permissionText(operation)]];
  if (operation.method !== "GET") rows.push(["Idempotency", idempotencyText(operation)]);
  if (events.length > 0) {
    rows.push(["Events", events.map((type) => `[\`${type}\`](${eventHref(type)})`).join(", ")]);
  }
  return rows;
}

function permissionText({ caller, permission, isSandboxOnly }: Operation): string {
  const where = isSandboxOnly ? " Sandbox tokens only." : "";
  if (caller === "ANYONE") return `None: no credentials are needed.${where}`;
  if (caller === "AGENT") {
    return permission === undefined
      ? "The access token of an agent."
      : `The access token of an agent whose policy has \`${permission}\`.`;
  }
  return `A token with \`${permission}\`.${where}`;
}

function idempotencyText({ method, parameters }: Operation): string {
  if (parameters.some(({ name }) => name === "Idempotency-Key")) {
    return "Send an `Idempotency-Key`: the same key and body give the first answer again, for 30 days. See [Idempotency](/docs/conventions#idempotency).";
  }
  if (method === "POST") return "A key has no effect: the call changes nothing that is kept.";
  return "Takes no key. Sending it twice has the same effect as sending it once.";
}

function answerBlocks(reader: FieldReader, answer: NumberedAnswer): readonly Block[] {
  const { status, description, content } = answer;
  const title = `Answer ${status}`;
  const schema = content?.["application/json"]?.schema;
  const says = [description, ...otherTypes(answer)];
  const named = schema === undefined ? undefined : objectOf(reader, schema);
  if (named !== undefined) says.push(named);
  const groups =
    schema === undefined || refOf(schema) !== undefined ? [] : fieldGroups(reader, schema);
  const blocks: Block[] = [{ kind: "prose", markdown: `**${title}.** ${says.join(" ")}` }];
  if (groups.length > 0) blocks.push({ kind: "fields", title: "", groups });
  return blocks;
}

function otherTypes({ content = {} }: NumberedAnswer): readonly string[] {
  const others = Object.keys(content).filter((type) => type !== "application/json");
  return others.map((type) => `As \`${type}\`.`);
}

function objectOf({ homes }: FieldReader, schema: Schema): string | undefined {
  const name = refOf(schema);
  const href = name === undefined ? undefined : homes.get(name);
  return href === undefined ? undefined : `The body is a [${name}](${href}).`;
}

function refusalTable({ refusals }: Operation): Block {
  const rows = refusals
    // A 408 (the body did not arrive in time) has the code of a 400, so it is not listed twice.
    .filter(({ status }) => status !== 408)
    .map(({ code, status }) => {
      const known = errorCauses[code];
      return [
        String(status),
        `[\`${code}\`](/docs/errors/${code})`,
        known?.cause ?? "",
        known?.cure ?? "",
      ];
    });
  return {
    kind: "table",
    title: `Refusals (${rows.length})`,
    head: ["Status", "Code", "Cause", "Cure"],
    rows,
    isFolded: true,
  };
}

function asideOf(operation: Operation): readonly Block[] {
  const blocks: Block[] = [{ kind: "samples", samples: samplesOf(operation) }];
  for (const { status, content = {} } of operation.answers) {
    if (Object.keys(content).length === 0) {
      blocks.push({ kind: "code", title: `Answer ${status}`, language: "text", text: "No body." });
    }
    for (const [type, { example }] of Object.entries(content)) {
      if (example !== undefined) blocks.push(exampleBlock(status, type, example));
    }
  }
  return blocks;
}

export function exampleBlock(status: string, type: string, example: unknown): Block {
  const isJson = type === "application/json" || isNode(example) || Array.isArray(example);
  return {
    kind: "code",
    title: isJson ? `Answer ${status}` : `Answer ${status}, ${type}`,
    language: isJson ? "json" : "text",
    text: isJson ? JSON.stringify(example, null, 2) : String(example),
  };
}

import Type from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Shell, shellOperations, startShell } from "../../../test/kit/http-shell.ts";
import { eventTypes } from "../../domain/event-catalogue.ts";
import { isNode, valuesKeyword } from "../../validation/schema.ts";
import { valueListSchemas } from "../../wire/value-lists.ts";
import { operations } from "../operations/routes.ts";
import { stalled } from "../server/errors.ts";
import { unmetExpectation } from "../server/unrouted.ts";
import { buildOpenApi } from "./openapi.ts";
import { isRef, type OpenApiDocument } from "./openapi-document.ts";
import { createSchemaCollector } from "./openapi-schemas.ts";
import { referenceNotes } from "./reference-notes.ts";
import { exampleOf } from "./schema-example.ts";

const options = { ...referenceNotes, publicUrl: "https://florin.example", version: "1.2.3" };
const document = buildOpenApi(shellOperations, options);

function everyNode(value: unknown, visit: (node: Record<string, unknown>) => void): void {
  if (Array.isArray(value)) for (const item of value) everyNode(item, visit);
  if (!isNode(value)) return;
  visit(value);
  for (const member of Object.values(value)) everyNode(member, visit);
}

function resolve(root: OpenApiDocument, ref: string): unknown {
  return ref
    .slice(2)
    .split("/")
    .reduce<unknown>((node, part) => (isNode(node) ? node[part] : undefined), root);
}

function operationsOf({ paths }: OpenApiDocument) {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

describe("the OpenAPI document", () => {
  it("has every operation once, under its path and method", () => {
    const ids = operationsOf(document).map(({ operationId }) => operationId);
    expect(ids.sort()).toEqual(shellOperations.map(({ id }) => id).sort());
    expect(document.paths["/things/{thingId}"]?.get?.operationId).toBe("getThing");
    expect(document.servers[0]?.url).toBe("https://florin.example/2025-10-13");
    expect(document.tags).toEqual([{ name: "Things" }, { name: "Money" }, { name: "Codes" }]);
  });

  it("has no dangling reference, and no name left on an inner schema", () => {
    let refs = 0;
    everyNode(document, (node) => {
      expect(node.$id).toBeUndefined();
      if (typeof node.$ref !== "string") return;
      refs += 1;
      expect(node.$ref).toMatch(/^#\/components\//);
      expect(resolve(document, node.$ref), node.$ref).toBeDefined();
    });
    expect(refs).toBeGreaterThan(50);
  });

  it("has every list of values that a field names", () => {
    const product = buildOpenApi(operations, options);
    const named = new Set<unknown>();
    everyNode(product, (node) => {
      if (valuesKeyword in node) named.add(node[valuesKeyword]);
    });
    expect([...named].toSorted()).toEqual(Object.keys(valueListSchemas).toSorted());
    for (const name of named) {
      expect(product.components.schemas[String(name)]?.enum, String(name)).toContainEqual(
        expect.any(String),
      );
    }
  });

  it("shows an example of every request, every answer with a body, and every error", () => {
    for (const operation of operationsOf(document)) {
      const request = operation.requestBody?.content["application/json"];
      if (request !== undefined) expect(request.example, operation.operationId).toBeDefined();
      for (const [status, found] of Object.entries(operation.responses)) {
        const answer = isRef(found) ? resolve(document, found.$ref) : found;
        const content = (answer as { content?: Record<string, unknown> }).content?.[
          "application/json"
        ] as { example?: unknown; examples?: Record<string, { value: { status: number } }> };
        if (Number(status) < 400) {
          if (content !== undefined) expect(content.example).toBeDefined();
          continue;
        }
        const values = Object.values(content.examples ?? {});
        expect(values.length).toBeGreaterThan(0);
        for (const { value } of values) expect(String(value.status)).toBe(status);
      }
    }
  });

  it("shows a refusal for a field as it is answered: all of them in a list, the first beside it", () => {
    const shown: unknown[] = [];
    everyNode(document.components.responses, ({ value }) => {
      if (!isNode(value) || !isNode(value.details) || !("errors" in value.details)) return;
      const { field, reason, errors } = value.details;
      expect(errors).toMatchObject([{ field, message: reason }]);
      expect(value.message).toBe(`${field}: ${reason}`);
      shown.push(value.code);
    });
    expect(shown).toContain("INVALID_INPUT");
  });

  it("documents every parameter of the path, and none that is not in it", () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const operation of Object.values(methods)) {
        const names = operation.parameters.flatMap((parameter) =>
          !isRef(parameter) && parameter.in === "path" ? [`{${parameter.name}}`] : [],
        );
        expect(path.match(/\{[^}]+\}/g) ?? []).toEqual(names);
      }
    }
  });

  it("lists the refusals of each operation", () => {
    const statuses = (path: string, method: string) =>
      Object.keys(document.paths[path]?.[method]?.responses ?? {});
    expect(statuses("/things", "post")).toEqual([
      "201",
      "400",
      "401",
      "403",
      "408",
      "409",
      "413",
      "415",
      "422",
      "429",
      "500",
      "503",
    ]);
    expect(statuses("/things/{thingId}", "get")).toContain("404");
    expect(statuses("/things/{thingId}", "get")).not.toContain("408");
    expect(statuses("/codes/{code}/redeem", "post")).not.toContain("401");
    expect(document.paths["/codes/{code}/redeem"]?.post?.security).toEqual([]);
    expect(document.paths["/things"]?.get?.security).toEqual([{ basicAuth: [] }]);
  });

  it("lists the answers that any request can get, for every operation", () => {
    const anywhere = [stalled.status, unmetExpectation.status, 431]
      .join(", ")
      .replace(/, 431$/, " or 431");
    expect(document.info.description).toContain(`answered with ${anywhere},`);
  });

  it("offers the idempotency key on POST only", () => {
    for (const methods of Object.values(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const refs = operation.parameters.flatMap((parameter) =>
          isRef(parameter) ? [parameter.$ref] : [],
        );
        const offered = refs.includes("#/components/parameters/IdempotencyKey");
        expect(offered).toBe(method === "post");
      }
    }
  });

  it("offers no key, and nothing that goes with it, where one means nothing", () => {
    const product = operationsOf(buildOpenApi(operations, options));
    const test = product.find(({ operationId }) => operationId === "testWebhook");
    expect(test?.parameters).toEqual([{ $ref: "#/components/parameters/RequestId" }]);
    expect(Object.keys(test?.responses ?? {})).not.toContain("422");
    expect(JSON.stringify(test?.responses["200"])).not.toContain("Replayed");
  });

  it("marks a parameter with a default as optional", () => {
    const parameters = document.paths["/things"]?.get?.parameters ?? [];
    const limit = parameters.find((one) => !isRef(one) && one.name === "limit");
    expect(limit).toMatchObject({ required: false, example: 20, schema: { maximum: 100 } });
  });
});

describe("the document of the product", () => {
  const product = buildOpenApi(operations, options);

  it("says of every group of operations what it is, and of none that is not there", () => {
    const described = product.tags.filter(({ description }) => description !== undefined);
    expect(described.map(({ name }) => name)).toEqual(product.tags.map(({ name }) => name));
    expect(Object.keys(referenceNotes.tags).sort()).toEqual(
      product.tags.map(({ name }) => name).sort(),
    );
  });

  it("has an example of every parameter, body and answer, and none is made up of filler", () => {
    for (const { operationId, parameters, requestBody, responses } of operationsOf(product)) {
      const answers = Object.values(responses).flatMap((one) => (isRef(one) ? [] : [one]));
      const contents = [requestBody, ...answers].flatMap((one) =>
        Object.values(one?.content ?? {}),
      );
      const examples: unknown[] = contents.map(({ example }) => example);
      for (const one of parameters)
        if (!isRef(one) && one.name !== "cursor") examples.push(one.example);
      expect(examples, operationId).not.toContain(undefined);
      expect(JSON.stringify(examples), operationId).not.toMatch(/[:,[]"text"(?!:)/);
    }
  });

  it("says for generators of clients that amounts are wide, and that a list of values is of texts", () => {
    const amount = product.components.schemas.CurrencyAmount;
    expect(amount).toMatchObject({ properties: { amount: { type: "integer", format: "int64" } } });
    const texts: unknown[] = [];
    everyNode(product, (node) => {
      const values = node.enum;
      if (Array.isArray(values) && values.every((value) => typeof value === "string")) {
        texts.push(node.type);
      }
    });
    expect(texts.length).toBeGreaterThan(50);
    expect(new Set(texts)).toEqual(new Set(["string"]));
  });

  it("has every event with its headers, its body and the answers that a platform can give", () => {
    const events = Object.entries(product.webhooks);
    expect(events.map(([type]) => type)).toEqual(eventTypes);
    for (const [type, { post }] of events) {
      const content = post.requestBody.content["application/json"];
      expect(content?.example).toMatchObject({ type });
      expect(content?.schema).toMatchObject({ properties: { type: { const: type } } });
      expect(post.parameters.map(({ $ref }) => resolve(product, $ref))).toMatchObject([
        { name: "X-Service-Signature" },
        { name: "X-Event-Sequence" },
        { name: "X-Redelivery" },
        { name: "X-Service-Key-Id" },
        { name: "X-Service-Signature-Next" },
      ]);
      expect(Object.keys(post.responses)).toEqual(
        expect.arrayContaining(["2XX", "409", "410", "default"]),
      );
    }
    const question = product.webhooks["INCOMING_PAYMENT.PENDING"]?.post;
    expect(Object.keys(question?.responses ?? {})).toEqual(
      expect.arrayContaining(["200", "202", "403", "422"]),
    );
  });
});

describe("shared schemas", () => {
  it("stand once under their name, nested ones too", () => {
    const Coin = Type.Object({ code: Type.String() }, { $id: "Coin" });
    const Money = Type.Object({ coin: Coin, spare: Type.Optional(Coin) }, { $id: "Money" });
    const schemas = createSchemaCollector();
    expect(schemas.place(Type.Array(Money))).toMatchObject({
      items: { $ref: "#/components/schemas/Money" },
    });
    expect(schemas.components).toMatchObject({
      Coin: { properties: { code: { type: "string" } } },
      Money: { properties: { coin: { $ref: "#/components/schemas/Coin" } } },
    });
  });

  it("are given a name before they say a kilobyte twice", () => {
    const seen = new Set<string>();
    const repeated: string[] = [];
    const product = buildOpenApi(operations, options);
    const contents: unknown[] = [product.components.schemas];
    everyNode(product.paths, (node) => contents.push(node.schema));
    everyNode(contents, ({ example, examples, ...node }) => {
      if (node.type !== "object" && node.oneOf === undefined) return;
      const text = JSON.stringify(node);
      if (text.length < 1024) return;
      if (seen.has(text)) repeated.push(text.slice(0, 80));
      seen.add(text);
    });
    expect(seen.size).toBeGreaterThan(10);
    expect(repeated).toEqual([]);
  });

  it("of one name and two meanings are a bug", () => {
    const schemas = createSchemaCollector();
    schemas.place(Type.String({ $id: "Code" }));
    expect(() => schemas.place(Type.Integer({ $id: "Code" }))).toThrow("Code");
  });

  it("may have fields that are called like keywords", () => {
    const schema = Type.Object({
      enum: Type.String(),
      $id: Type.String(),
      properties: Type.Object({ default: Type.String({ $id: "Named" }) }),
    });
    const placed = createSchemaCollector().place(schema);
    expect(Object.keys(placed.properties as object)).toEqual(["enum", "$id", "properties"]);
    expect(JSON.stringify(placed)).toContain("#/components/schemas/Named");
  });
});

describe("an example", () => {
  it.each([
    [Type.String({ examples: ["x", "y"] }), "x"],
    [Type.Integer({ default: 20, minimum: 1 }), 20],
    [Type.Integer({ minimum: 5 }), 5],
    [Type.Enum(["A", "B"]), "A"],
    [Type.Union([Type.Null(), Type.Literal("x")]), "x"],
    [Type.Array(Type.Boolean()), [true]],
    [Type.Object({ a: Type.String({ format: "date" }) }), { a: "1990-05-17" }],
    [Type.Record(Type.String(), Type.String()), {}],
  ])("of %j is the plainest value", (schema, expected) => {
    expect(exampleOf(schema)).toEqual(expected);
  });
});

describe("served", () => {
  let shell: Shell;

  beforeAll(async () => {
    shell = await startShell();
  });

  afterAll(() => shell.server.close(0));

  it.each(["", "/2025-10-13"])("at the root and below the version: %s", async (prefix) => {
    const openApi = await fetch(`${shell.origin}${prefix}/openapi.json`);
    expect(((await openApi.json()) as { openapi: string }).openapi).toBe("3.1.0");
  });

  it("counts the bytes that were answered", async () => {
    shell.metrics.gauge("florin_queued_commands", "Commands that wait.", () => 42);
    await shell.call("/things/first");
    await shell.call("/nothing");
    const text = await shell.metrics.text();
    expect(text).toContain(
      'florin_http_requests_total{operation="getFirstThing",status="2xx"} 1\n',
    );
    expect(text).toMatch(/florin_http_requests_total\{operation="unrouted",status="4xx"\} 1\n/);
    expect(text).toContain(
      'florin_http_request_duration_seconds_bucket{operation="getFirstThing",le="+Inf"} 1\n',
    );
    expect(text).toContain("florin_queued_commands 42");
    expect(text).toContain("process_cpu_seconds_total");
    expect((await fetch(`${shell.origin}/metrics`)).status).toBe(404);
  });
});

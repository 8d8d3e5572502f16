/** The examples of query parameters in the served document: the server refuses none of them. */
import { beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/http/operations/routes.ts";
import { present } from "../../src/std/assert.ts";
import { propertiesOf } from "../../src/validation/schema.ts";
import { optionsOf } from "../kit/made-objects.ts";
import { sampleOf } from "../kit/sample.ts";
import { sharedServer } from "../kit/shared-server.ts";
import { openStory, type Story } from "../kit/story.ts";
import { validCall } from "../kit/valid-calls.ts";

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
}

interface ServedDocument {
  readonly paths: Record<string, Record<string, { readonly parameters?: readonly Parameter[] }>>;
}

const server = await sharedServer();
let story: Story;
let document: ServedDocument;
beforeAll(async () => {
  story = await openStory(server);
  // The example of the filter by metadata.
  await story.call("PATCH", "/config", { searchableMetadata: ["orderId"] });
  document = (await (await fetch(`${server.baseUrl}/openapi.json`)).json()) as ServedDocument;
});

/** Streams have no end, and a public path takes no token. */
const asked = operations.filter(
  ({ id, method, query, access }) =>
    method === "GET" && query !== undefined && access !== "PUBLIC" && !id.startsWith("stream"),
);

const textOf = (value: unknown) => (Array.isArray(value) ? value.join(",") : String(value));

/** A parameter with members is given with a key for each. */
const isMembers = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

describe.each(sampleOf(asked))("$id", ({ id, path }) => {
  it("takes the example of each of its query parameters", async () => {
    const shown = present(document.paths[path]?.get?.parameters, "the parameters of an operation");
    const inQuery = shown.filter((one) => one.$ref === undefined && one.in === "query");
    const call = await validCall(story, id);
    const [base = "", given = ""] = call.path.split("?");
    expect(inQuery.length).toBeGreaterThan(0);
    for (const { name, example } of inQuery) {
      if (name === "cursor") {
        expect(example).toBeUndefined();
        continue;
      }
      const query = new URLSearchParams(given);
      if (isMembers(example)) {
        for (const [key, value] of Object.entries(example))
          query.set(`${name}[${key}]`, textOf(value));
      } else query.set(name, textOf(example));
      const { status, text } = await story.call(
        "GET",
        `${base}?${query}`,
        undefined,
        optionsOf(call),
      );
      expect([name, status, status === 400 ? text : ""]).toEqual([name, status, ""]);
    }
  });
});

it("every list has a cursor, and no example of it", () => {
  const paged = operations.filter(
    ({ query }) => query !== undefined && "cursor" in propertiesOf(query),
  );
  expect(paged.length).toBeGreaterThan(30);
  for (const { path, method } of paged) {
    const shown = document.paths[path]?.[method.toLowerCase()]?.parameters ?? [];
    const cursor = present(
      shown.find(({ name }) => name === "cursor"),
      `the cursor of ${path}`,
    );
    expect(cursor).not.toHaveProperty("example");
  }
});

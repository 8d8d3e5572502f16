/** What the reference shows of each operation: whoever sends an example gets no 400 for its form, and answers look like theirs. */
import { beforeAll, describe, expect, it } from "vitest";
import { sampleOf } from "../../../test/kit/sample.ts";
import { createWalletCrypto } from "../../outside/wallets/wallet-crypto.ts";
import { createIgnoredFinder } from "../../validation/ignored-fields.ts";
import { propertiesOf, withoutIds } from "../../validation/schema.ts";
import { type CompileSchema, createSchemaCompiler } from "../../validation/validation.ts";
import { clientPublicKeyExample } from "../../wire/wallets/wallet.ts";
import { operations } from "../operations/routes.ts";
import { exampleOf } from "../reference/schema-example.ts";

let compile: CompileSchema;
beforeAll(async () => {
  compile = await createSchemaCompiler();
});

function faultsOf(schema: unknown, example: unknown): unknown {
  const check = compile(withoutIds(schema));
  // A copy: defaults are filled in.
  const fits = check(structuredClone(example));
  return fits === true
    ? []
    : (check.errors ?? []).map(({ instancePath, message }) => [instancePath, message]);
}

const requests = operations.flatMap(({ id, body, shownBody, requestExample }) =>
  [body, shownBody].flatMap((schema) =>
    schema === undefined ? [] : [{ id, schema, example: requestExample ?? exampleOf(schema) }],
  ),
);

const answers = operations.flatMap(({ id, answers: notes }) =>
  Object.entries(notes).flatMap(([status, { schema, example }]) =>
    schema === undefined ? [] : [{ id, status, schema, example: example ?? exampleOf(schema) }],
  ),
);

const queries = operations.flatMap(({ id, query }) =>
  query === undefined ? [] : [{ id, query, example: exampleOf({ ...query }) }],
);

describe("the example", () => {
  it.each(requests)("of a request of $id fits its schema", ({ schema, example }) => {
    expect(faultsOf(schema, example)).toEqual([]);
  });

  it.each(requests)("of a request of $id has no field that is ignored", ({ schema, example }) => {
    const finder = createIgnoredFinder(schema);
    expect(finder.find(example)).toEqual([]);
    expect(finder.without(example)).toEqual(example);
    const more = { ...(example as object), notAField: 1 };
    expect(finder.without(more)).toEqual(example);
    expect(finder.find(more)).toMatchObject([{ path: "notAField" }]);
  });

  it.each(sampleOf(answers))(
    "of an answer $status of $id fits its schema",
    ({ schema, example }) => {
      expect(faultsOf(schema, example)).toEqual([]);
    },
  );

  it.each(queries)("of the query of $id fits its schema", ({ query, example }) => {
    expect(faultsOf(query, example)).toEqual([]);
  });

  it("of each path parameter is there, with a description", () => {
    const inPaths = operations.flatMap(({ id, params }) =>
      Object.entries(params === undefined ? {} : propertiesOf(params)).map(([name, schema]) => ({
        id,
        name,
        schema: schema as { readonly description?: string; readonly examples?: readonly unknown[] },
      })),
    );
    expect(inPaths.length).toBeGreaterThan(40);
    const bare = inPaths.filter(
      ({ schema: { description, examples } }) => !(description && examples),
    );
    expect(bare.map(({ id, name }) => [id, name])).toEqual([]);
  });

  it("of a client key is a key", () => {
    expect(createWalletCrypto().parseClientPublicKey(clientPublicKeyExample)).toBeDefined();
  });

  it("is there for many operations", () => {
    expect([requests.length > 30, answers.length > 80]).toEqual([true, true]);
  });
});

/** Schemas are compiled with their first request, so a schema that does not compile shows here and not at the start. */
import { beforeAll, expect, it } from "vitest";
import {
  type CompileSchema,
  createSchemaCompiler,
  createValidator,
} from "../../validation/validation.ts";
import { consoleOperations } from "../console/console-routes.ts";
import { operations } from "../operations/routes.ts";
import type { Operation } from "../request/operation.ts";
import type { Services } from "../request/services.ts";

let compile: CompileSchema;
beforeAll(async () => {
  compile = await createSchemaCompiler();
});

const schemas = ([...operations, ...consoleOperations] as readonly Operation<Services>[]).flatMap(
  ({ id, query, body, form }) =>
    [query, body, form?.fields].flatMap((schema) => (schema === undefined ? [] : [{ id, schema }])),
);

it("compiles the schemas of every operation", () => {
  expect(schemas.length).toBeGreaterThan(100);
  for (const { id, schema } of schemas)
    expect(() => createValidator(schema, compile).compile(), id).not.toThrow();
});

it("does not compile a schema before its first value", () => {
  let count = 0;
  const counting: CompileSchema = (schema) => {
    count++;
    return compile(schema);
  };
  const [first] = schemas.filter(({ id }) => id === "createCustomer");
  const validator = createValidator({ ...(first?.schema as object) } as never, counting);
  expect(count).toBe(0);
  validator.faultsOf({});
  validator.faultsOf({});
  validator.compile();
  expect(count).toBe(1);
});

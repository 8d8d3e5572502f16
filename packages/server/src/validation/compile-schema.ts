import fastify from "fastify";
import { present } from "../std/assert.ts";
import { type Check, type CompileSchema, validatorOptions } from "./validation.ts";

/** Compiles a schema with the validator of requests, for data that does not arrive as a request body. */
export async function createSchemaCompiler(): Promise<CompileSchema> {
  // Fastify creates its validator only for a route with a schema; this instance never listens.
  const app = fastify({ logger: false, ajv: validatorOptions });
  app.route({
    method: "GET",
    url: "/",
    schema: { querystring: { type: "object" } },
    handler: async () => "",
  });
  await app.ready();
  const compile = present(app.validatorCompiler, "the validator");
  return (schema) => compile({ schema, method: "", url: "", httpPart: "" }) as Check;
}

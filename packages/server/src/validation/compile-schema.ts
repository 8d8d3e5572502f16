import fastify from "fastify";
import { present } from "../std/assert.ts";
import { type Check, type CompileSchema, validatorOptions } from "./validation.ts";

/** The validator of requests, for what is to be held to the same rules and arrives another way. */
export async function createSchemaCompiler(): Promise<CompileSchema> {
  // Fastify sets its validator up for a route that has a schema; this one is never listened to.
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

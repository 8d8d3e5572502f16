/**
 * The client has a function for every operation of the document. Each function names its operation, and the compiler holds its
 * method, path, query, body and answer to the document; so the names, and the options for the headers, are what is left.
 */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface Parameter {
  readonly $ref?: string;
  readonly in?: string;
  readonly name?: string;
}

interface ApiDocument {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId: string;
            readonly parameters: readonly Parameter[];
            readonly responses: Readonly<Record<string, { readonly content?: object }>>;
          }
        >
      >
    >
  >;
}

const JSON_CONTENT = { "application/json": {} };

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const { paths } = JSON.parse(read("../../../docs/reference/openapi.json")) as ApiDocument;
/** The client answers values, no files. Of `getEventRaw`, `events.get` has the bytes. */
const FILES: ReadonlySet<string> = new Set([
  "getEventRaw",
  "getStatementFile",
  "getExportFile",
  "getPaymentBatchTemplate",
  "getPaymentBatchItemsFile",
]);

/** Connectors call it, with a signature. */
const OF_OTHERS: ReadonlySet<string> = new Set(["takeRailCallback"]);

const operations = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .filter(({ operationId }) => !FILES.has(operationId) && !OF_OTHERS.has(operationId))
  .filter(({ responses }) => "application/json" in (responses["200"]?.content ?? JSON_CONTENT));

interface ClientFunction {
  readonly operation: string;
  /** Its text up to the call, with the types of its options. */
  readonly text: string;
}

const sources = readdirSync(new URL("../src", import.meta.url))
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => read(`../src/${name}`));
const functions = sources.flatMap(functionsIn);

function functionsIn(source: string): readonly ClientFunction[] {
  const code = source.slice(Math.max(0, source.search(/^export function/m)));
  let start = 0;
  return [...code.matchAll(/\b(?:send|list)<"(\w+)">/g)].map(
    ({ 0: call, 1: operation = "", index }) => {
      const text = code.slice(start, index);
      start = index + call.length;
      return { operation, text };
    },
  );
}

/** The options that stand for the headers of an operation. */
function optionsFor(operationId: string, parameters: readonly Parameter[]): readonly string[] {
  const headers = parameters.map(({ $ref, name }) => name ?? $ref?.split("/").at(-1));
  const isSigned = headers.includes("Service-Wallet-Signature");
  const hasRequest = headers.includes("Request-Id");
  if (isSigned && !hasRequest) return ["ExecuteOptions"];
  // Lists and the search take it in their query.
  const isOne = operationId.startsWith("get");
  const reading = headers.includes("expand") && isOne ? "ExpandOptions" : "ReadOptions";
  const options = headers.includes("IdempotencyKey") ? "RequestOptions" : reading;
  if (isSigned) return [options, "SignedOptions"];
  return hasRequest ? [options, "requestId"] : [options];
}

describe("the client", () => {
  it("has a function for every operation, and no other", () => {
    expect(functions.map(({ operation }) => operation).toSorted()).toEqual(
      operations.map(({ operationId }) => operationId).toSorted(),
    );
  });

  it.each(operations.map(({ operationId, parameters }) => [operationId, parameters] as const))(
    "takes the options of %s",
    (operationId, parameters) => {
      const { text = "" } = functions.find(({ operation }) => operation === operationId) ?? {};
      const found = text.match(
        /\b(?:Request|Read|Expand|Execute|Signed)Options\b|\brequestId(?=\?:)/g,
      );
      expect([...new Set(found)].toSorted()).toEqual(
        optionsFor(operationId, parameters).toSorted(),
      );
    },
  );
});

/** The client's types and the API's document say the same: every call, both ways. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createAgentClient, createClient, redeemDeviceCode } from "../src/client.ts";
import { type ApiDocument, type Operation, operationsOf } from "./schema-shapes.ts";
import { differences, type Shape } from "./shapes.ts";
import { type ClientCall, readClientTypes } from "./type-shapes.ts";

const reference = new URL("../../../docs/reference/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, reference), "utf8");
const operations = operationsOf(JSON.parse(read("openapi.json")) as ApiDocument);
const { calls, errorCode } = readClientTypes();

/** Differences that are meant, each with its reason. Those that are gone have to go from here. */
const MEANT: Readonly<Record<string, string>> = {
  "answer Quote.destination.destinationType: is any text": "its description names the two",
  "answer Quote.source.sourceType: is any text": "its description names the two",
  "answer Token.clientSecret: is missing": "only the answer that creates a token has it",
  "answer Token.clientSecret: is optional": "the answer that creates a token always has it",
  "request documents.replace.fileName: does not exist": "it goes along as the name of the file",
  "request documents.upload.fileName: does not exist": "it goes along as the name of the file",
};

const has = (member: string, { shape }: { readonly shape: Shape }) =>
  shape.kind === "object" && member in shape.members;
const isOptions = (one: { readonly shape: Shape }) => has("timeoutMs", one);
const isSettings = (one: { readonly shape: Shape }) => has("baseUrl", one);

/** The body or the query, beside ids, options and how to reach the API. */
const inputIn = ({ parameters }: ClientCall) =>
  parameters.find((one) => one.shape.kind !== "text" && !isOptions(one) && !isSettings(one));

/** What the call sends, with a tilde for every id. */
async function requestOf({ name, parameters }: ClientCall): Promise<string> {
  let request = "";
  const fetch = (url: string, init: RequestInit) => {
    request = `${init.method} ${new URL(url).pathname}`;
    return Promise.resolve(Response.json({ data: [] }));
  };
  const settings = { baseUrl: "http://127.0.0.1/", fetch };
  const given = parameters.map(({ shape, ...rest }) => {
    if (shape.kind === "text") return "~";
    if (shape.kind === "file") return new Blob();
    if (isOptions({ shape, ...rest })) return {};
    return name.startsWith("documents.") ? { file: new Blob(), fileName: "a" } : {};
  });
  const [group = "", function_ = ""] = name.split(".");
  const everything = {
    ...createClient({ ...settings, clientId: "a", clientSecret: "b" }),
    agent: createAgentClient({ ...settings, accessToken: "a" }),
  } as unknown as Record<string, Record<string, (...given: unknown[]) => Promise<unknown>>>;
  if (name === "redeemDeviceCode") await redeemDeviceCode(settings, "~");
  else await everything[group]?.[function_]?.(...given);
  return request;
}

const pairs = await Promise.all(
  calls.map(async (call) => {
    const request = await requestOf(call);
    return { call, operation: operations.find((one) => one.request === request) };
  }),
);
const matched = pairs.flatMap(({ call, operation }) =>
  operation === undefined ? [] : [{ call, operation }],
);

/** As the one object of a body or query. */
function inputOf(call: ClientCall): Shape {
  const input = inputIn(call);
  if (input === undefined) return { kind: "object", members: {}, isOpen: false };
  const { shape } = input;
  if (shape.kind !== "file") return shape;
  return { kind: "object", members: { file: { isRequired: true, shape } }, isOpen: false };
}

function differencesOf(call: ClientCall, operation: Operation): readonly string[] {
  const of = (side: string) => `${side} ${call.name}`;
  const contents = operation.answers.filter((answer) => answer.kind !== "nothing");
  const [only] = contents;
  const answer: Shape =
    contents.length > 1 ? { kind: "choice", variants: contents } : (only ?? { kind: "nothing" });
  const isEmpty = contents.length < operation.answers.length;
  return [
    ...differences(inputOf(call), operation.body ?? operation.query, of("request")),
    ...differences(call.answer, answer, of("answer")),
    ...(call.canBeNothing === isEmpty
      ? []
      : [`${of("answer")}: can${isEmpty ? "" : "not"} be empty`]),
  ];
}

/** The options that stand for the headers of an operation. */
function optionsFor({ headers }: Operation): readonly string[] {
  const isSigned = headers.includes("Service-Wallet-Signature");
  const signed = headers.includes("Request-Id") ? "signature" : "walletSignature";
  return [
    "signal",
    "timeoutMs",
    ...(headers.includes("Idempotency-Key") ? ["idempotencyKey"] : []),
    ...(isSigned ? [signed] : headers.includes("Request-Id") ? ["requestId"] : []),
  ];
}

describe("the client", () => {
  it("has a function for every operation, and no other", () => {
    const lost = pairs.filter(({ operation }) => operation === undefined);
    expect(lost.map(({ call }) => call.name)).toEqual([]);
    const called = matched.map(({ operation }) => operation.id);
    expect(called.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
  });

  it("has the inputs and answers of the document, but for what is meant", () => {
    const found = new Set(matched.flatMap(({ call, operation }) => differencesOf(call, operation)));
    expect([...found].toSorted()).toEqual(Object.keys(MEANT).toSorted());
  });

  it("asks for what has to be there", () => {
    const wrong = matched.filter(({ call, operation }) => {
      const input = inputIn(call);
      const wanted = operation.body ?? operation.query;
      const members = wanted.kind === "object" ? Object.values(wanted.members) : undefined;
      const isNeeded = members === undefined || members.some((member) => member.isRequired);
      return isNeeded && input?.isRequired !== true;
    });
    expect(wrong.map(({ call }) => call.name)).toEqual([]);
  });

  it("has the options that the headers of the document stand for", () => {
    const wrong = matched.flatMap(({ call, operation }) => {
      const { shape } = call.parameters.find(isOptions) ?? {};
      const given = shape?.kind === "object" ? Object.keys(shape.members) : [];
      const wanted = optionsFor(operation);
      const isSame = given.toSorted().join() === wanted.toSorted().join();
      return isSame ? [] : [`${call.name}: ${given.join()}, not ${wanted.join()}`];
    });
    expect(wrong).toEqual([]);
  });

  it("knows every error code of the reference, and one of its own", () => {
    const codes = [...read("errors.md").matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
    expect(codes.length).toBeGreaterThan(40);
    const words = errorCode.kind === "text" ? errorCode.words : [];
    expect(words.toSorted()).toEqual([...codes, "UNEXPECTED_ANSWER"].toSorted());
  });
});

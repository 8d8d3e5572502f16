/** The request that an operation's samples send, independent of the language. */
import type { Operation, Parameter } from "../api/document.ts";
import { isNode } from "../api/document.ts";

/** The likely address of a reader's own server. The page's script replaces it by the page's origin. */
export const SAMPLE_ORIGIN = "http://localhost:8080";
export const SAMPLE_BASE = `${SAMPLE_ORIGIN}/2025-10-13`;

export interface SampleCall {
  readonly operation: Operation;
  /** The example values of the parameters in the path, in order. */
  readonly pathValues: readonly string[];
  readonly query: readonly (readonly [name: string, value: unknown])[];
  readonly url: string;
  readonly json: unknown;
  readonly form: Readonly<Record<string, string>> | undefined;
  readonly takesKey: boolean;
  readonly isText: boolean;
}

/** How many optional parameters a sample shows. */
const OPTIONAL_SHOWN = 2;
/** Parameters that a first call does not need. */
const RARE =
  /^(cursor|limit|dryRun|format|sortOrder|since|until|startDate|endDate|after|before|.*(After|Before))$/;

export function sampleCallOf(operation: Operation): SampleCall {
  const { parameters, path, body, answers } = operation;
  const inPath = parameters.filter((one) => one.in === "path");
  const pathValues = inPath.map(({ example }) => String(example));
  const query = shownQuery(parameters.filter((one) => one.in === "query"));
  const filled = inPath.reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encode(String(example))),
    path,
  );
  const search = query.map(([name, value]) => `${name}=${encode(String(value))}`).join("&");
  const isForm = body?.type === "multipart/form-data";
  const [first] = answers;
  return {
    operation,
    pathValues,
    query,
    url: `${SAMPLE_BASE}${filled}${search === "" ? "" : `?${search}`}`,
    json: isForm ? undefined : body?.content.example,
    form: isForm ? formFields(body.content.example) : undefined,
    takesKey: parameters.some(({ name }) => name === "Idempotency-Key"),
    isText: first?.content !== undefined && !("application/json" in first.content),
  };
}

function shownQuery(parameters: readonly Parameter[]): SampleCall["query"] {
  const required = parameters.filter((one) => one.required);
  const common = parameters.filter((one) => !one.required && !RARE.test(one.name));
  const shown = new Set([...required, ...common.slice(0, OPTIONAL_SHOWN)]);
  return parameters
    .filter((one) => shown.has(one))
    .map(({ name, example }) => [name, Array.isArray(example) ? example[0] : example]);
}

/** Leaves colons unencoded, which paths and queries allow, because ids are easier to read with them. */
function encode(value: string): string {
  return encodeURIComponent(value).replaceAll("%3A", ":");
}

/** The form's fields without its file. */
function formFields(example: unknown): Readonly<Record<string, string>> {
  const fields = Object.entries(isNode(example) ? example : {});
  return Object.fromEntries(
    fields.filter(([name]) => name !== "file").map(([name, value]) => [name, String(value)]),
  );
}

const FILE_NAMES: Readonly<Record<string, string>> = {
  uploadCustomersCsv: "customers.csv",
  uploadRates: "eurofxref-daily.xml",
};

/** The name of the file that a sample sends. */
export function fileNameOf({ operation }: SampleCall): string {
  return FILE_NAMES[operation.id] ?? "passport.pdf";
}

/** Validates responses and events against the served OpenAPI document. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

export interface DocumentCheck {
  /** Throws when the response is not documented for this operation. */
  check(answer: {
    readonly method: string;
    readonly path: string;
    readonly status: number;
    readonly json: unknown;
    /** Without its parameters; JSON when absent. */
    readonly contentType?: string;
  }): void;
  /** Throws when the event is not documented for its type. */
  checkEvent(event: { readonly type: string; readonly json: unknown }): void;
}

interface OpenApiDocument {
  readonly paths: Record<
    string,
    Record<string, { responses: Record<string, unknown> } | undefined>
  >;
  readonly webhooks: Record<string, unknown>;
  readonly components: { readonly schemas: Record<string, unknown> };
}

const checks = new Map<string, Promise<DocumentCheck>>();

/**
 * Cached per process and path, because compiling the schemas takes a second. All servers of a process serve the same documents except for
 * their address. A failed load is not cached.
 */
export function documentCheckOf(baseUrl: string): Promise<DocumentCheck> {
  const { pathname } = new URL(baseUrl);
  const known = checks.get(pathname);
  if (known !== undefined) return known;
  const check = loadCheck(baseUrl).catch((error: unknown) => {
    checks.delete(pathname);
    throw error;
  });
  checks.set(pathname, check);
  return check;
}

interface ErrorBody {
  readonly code?: unknown;
  readonly details?: {
    readonly field?: unknown;
    readonly reason?: unknown;
    readonly errors?: readonly { readonly field: unknown; readonly message: unknown }[];
  };
}

/** INVALID_INPUT lists all invalid fields and repeats the first one beside the list. */
function checkFieldErrors(json: unknown): void {
  const { code, details: { field, reason, errors = [] } = {} } = (json ?? {}) as ErrorBody;
  if (code !== "INVALID_INPUT") return;
  const [first] = errors;
  if (first === undefined || first.field !== field || first.message !== reason) {
    throw new Error(`does not list its bad fields: ${JSON.stringify(json)}`);
  }
}

async function loadCheck(baseUrl: string): Promise<DocumentCheck> {
  const response = await fetch(`${baseUrl}/openapi.json`);
  const document = (await response.json()) as OpenApiDocument;
  // Optimising the generated code for the union of all account types takes seconds and saves milliseconds.
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  ajv.addSchema({ $id: "florin", ...document });
  const templates = Object.keys(document.paths).map((template) => ({
    template,
    shape: new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`),
  }));
  const literalFirst = templates.sort(
    (left, right) => braces(left.template) - braces(right.template),
  );
  const compiled = new Map<string, ValidateFunction>();
  const validatorOf = (pointer: string) => {
    const known = compiled.get(pointer);
    if (known !== undefined) return known;
    const schema = { $ref: `florin#/${pointer}/content/application~1json/schema` };
    const validate = ajv.compile(schema);
    compiled.set(pointer, validate);
    return validate;
  };
  return {
    check({ method, path, status, json, contentType = "application/json" }) {
      checkFieldErrors(json);
      const [plainPath = ""] = path.split("?");
      const match = literalFirst.find(({ shape }) => shape.test(plainPath));
      const operation = match && document.paths[match.template]?.[method.toLowerCase()];
      if (match === undefined || operation === undefined) return;
      const answer = operation.responses[String(status)];
      if (answer === undefined) {
        throw new Error(
          `${method} ${match.template} answered ${status}, which its document does not list: ${JSON.stringify(json)}`,
        );
      }
      const pointer = toPointer([
        "paths",
        match.template,
        method.toLowerCase(),
        "responses",
        String(status),
      ]);
      const content = (answer as { content?: Record<string, unknown>; $ref?: string }).content;
      if (content === undefined) {
        if (json !== undefined && status === 204)
          throw new Error(`${method} ${match.template} has a body`);
        return;
      }
      if (!(contentType in content)) {
        throw new Error(`${method} ${match.template} answered ${contentType}, which is not listed`);
      }
      if (contentType !== "application/json") return;
      const validate = validatorOf(pointer);
      if (!validate(json)) {
        throw new Error(
          `${method} ${match.template} ${status} is not as documented: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(json)}`,
        );
      }
    },
    checkEvent({ type, json }) {
      if (document.webhooks[type] === undefined) throw new Error(`${type} is not documented`);
      const validate = validatorOf(toPointer(["webhooks", type, "post", "requestBody"]));
      if (validate(json)) return;
      throw new Error(
        `${type} is not as documented: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(json)}`,
      );
    },
  };
}

function toPointer(parts: readonly string[]): string {
  return parts
    .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
    .join("/");
}

function braces(template: string): number {
  return template.split("{").length;
}

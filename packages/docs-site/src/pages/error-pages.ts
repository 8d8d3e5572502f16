import type { ApiDocument, Operation } from "../api/document.ts";
import { errorCauses } from "../api/error-causes.ts";
import { nounHref, slugOf } from "../api/nouns.ts";
import type { Block, Page } from "../blocks/blocks.ts";

export const ERRORS_PATH = "/docs/errors";

export interface ErrorRow {
  readonly code: string;
  readonly status: number;
  readonly says: string;
}

/** The rows of the table in docs/reference/errors.md. */
export function readErrorRows(markdown: string): readonly ErrorRow[] {
  const rows = markdown.matchAll(/^\| `([A-Z_]+)` \| (\d+) \| (.*?) \| /gm);
  return [...rows].map(([, code = "", status, says = ""]) => ({
    code,
    status: Number(status),
    says,
  }));
}

/** Makes a page that lists all codes, and a page for each code. */
export function errorPages(
  document: ApiDocument,
  rows: readonly ErrorRow[],
  operations: readonly Operation[],
): readonly Page[] {
  const examples = exampleBodies(document);
  return [listPage(rows), ...rows.map((row) => errorPage(row, operations, examples.get(row.code)))];
}

/** The example bodies in the document, by code. */
function exampleBodies({ components }: ApiDocument): ReadonlyMap<string, unknown> {
  const answers = Object.values(components.responses);
  return new Map(
    answers.flatMap(({ content }) =>
      Object.entries(content?.["application/json"]?.examples ?? {}).map(
        ([code, { value }]) => [code, value] as const,
      ),
    ),
  );
}

function listPage(rows: readonly ErrorRow[]): Page {
  return {
    path: ERRORS_PATH,
    title: "Errors",
    description: "The body of every refusal, and all codes with their meaning.",
    intro: [
      {
        kind: "prose",
        markdown:
          "Every refusal has the body `{status, code, message, details?}`. Decide by `code`: the list may grow, and `message` is for people " +
          "and may be more exact than the sentence here. `X-Should-Retry` says whether the same request may succeed later.",
      },
      {
        kind: "code",
        title: "A refusal",
        language: "json",
        text: JSON.stringify(REFUSAL, null, 2),
      },
      {
        kind: "table",
        title: "",
        head: ["Code", "Status", "Meaning"],
        rows: rows.map(({ code, status, says }) => [
          `[\`${code}\`](${ERRORS_PATH}/${code})`,
          String(status),
          says,
        ]),
        isFolded: false,
      },
    ],
    sections: [],
  };
}

const REFUSAL = {
  status: 400,
  code: "INSUFFICIENT_BALANCE",
  message:
    "InternalAccount:019a4f00-0000-7000-8000-000000000002 has 100 available and 2500 are needed, in the smallest unit of USD.",
  details: {
    accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000002",
    currency: "USD",
    available: 100,
    needed: 2500,
  },
};

function errorPage(
  { code, status, says }: ErrorRow,
  operations: readonly Operation[],
  example: unknown,
): Page {
  const { cause = "", cure = "" } = errorCauses[code] ?? {};
  const own = operations.filter(({ refusals }) => refusals.some((one) => one.code === code));
  const isEverywhere = own.length > operations.length / 2;
  const calls = own.map(
    ({ id, title, tag }) => `[${title}](${nounHref({ slug: slugOf(tag) })}#${id})`,
  );
  const where =
    calls.length === 0
      ? "A path or a method that no operation has."
      : isEverywhere
        ? `${own.length} of ${operations.length} operations.`
        : calls.join(", ");
  const intro: Block[] = [
    { kind: "prose", markdown: says },
    {
      kind: "facts",
      rows: [
        ["Status", String(status)],
        ["Cause", cause],
        ["Cure", cure],
        ["Retry", retryText(status)],
        ["Refused by", where],
      ],
    },
  ];
  const body = example ?? { status, code, message: says };
  intro.push({
    kind: "code",
    title: "Example",
    language: "json",
    text: JSON.stringify(body, null, 2),
  });
  return {
    path: `${ERRORS_PATH}/${code}`,
    title: code,
    description: says,
    intro,
    sections: [],
  };
}

/** The text for a status, consistent with the server's `X-Should-Retry`. */
export function retryText(status: number): string {
  if (status === 429 || status === 503) {
    return "Yes, the same request under the same idempotency key, after `Retry-After` seconds (`X-Should-Retry: true`).";
  }
  if (status === 500) {
    return "Yes, under the same idempotency key. Without a key, first read whether the call took effect.";
  }
  return "No: the same request gets the same answer until the cause is gone (`X-Should-Retry: false`).";
}

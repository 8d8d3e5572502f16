import type { IncomingMessage } from "node:http";
import { messageOf } from "../../std/errors.ts";
import { once } from "../../std/load-once.ts";
import type { Log } from "../../std/log.ts";
import { type Operation, versionPath } from "../request/operation.ts";
import { type ErrorAnswer, toErrorBody } from "../server/errors.ts";
import { pathOf } from "../server/paths.ts";
import { closedPolicy, jsonContentType, type Page, type SentPage } from "../server/send.ts";
import type { BuiltSite } from "./built-site.ts";
import { buildOpenApi, type ReferenceNotes } from "./openapi.ts";
import { answerFile, storeFile } from "./stored-file.ts";

/** A page that is served without credentials. */
export interface PageRoute {
  /** The path in OpenAPI style. */
  readonly path: string;
  /** The size of the answer, which the caller's limit is charged for before the page is made. */
  bytes(raw: IncomingMessage): number;
  /** The page, or an error answer. */
  show(raw: IncomingMessage, requestId: string): Promise<SentPage | ErrorAnswer>;
}

/** A page whose answer is already in memory. */
function ready(path: string, answer: (raw: IncomingMessage) => SentPage | ErrorAnswer): PageRoute {
  return {
    path,
    bytes: (raw) => Buffer.byteLength(answer(raw).body),
    show: async (raw) => answer(raw),
  };
}

export function createPages<C>(options: {
  readonly operations: readonly Operation<C>[];
  /** The console; absent when it is switched off. */
  readonly console?: { readonly operations: readonly Operation<C>[] } | undefined;
  readonly reference: ReferenceNotes;
  /** The documentation; absent when it was not built. */
  readonly docs?: BuiltSite | undefined;
  readonly publicUrl: () => string;
  readonly version: string;
  readonly checkReady: () => Promise<void>;
  readonly isClosing: () => boolean;
  readonly log: Log;
}): readonly PageRoute[] {
  const { publicUrl, version, reference, console: own } = options;
  // Made at the first request, so that it does not delay the start.
  const documentOf = (operations: readonly Operation<C>[], isConsole: boolean) =>
    once(() => {
      const notes = isConsole ? consoleNotes : reference;
      const facts = { ...notes, publicUrl: publicUrl(), version, isConsole };
      const type = { contentType: jsonContentType, contentPolicy: closedPolicy };
      return storeFile(Buffer.from(JSON.stringify(buildOpenApi(operations, facts))), type);
    });
  const openApi = documentOf(options.operations, false);
  const ofConsole = own && documentOf(own.operations, true);
  const health = fixed(jsonContentType, '{"status":"ok"}');
  return [
    ready("/healthz", () => health),
    { path: "/readyz", bytes: () => 0, show: (_, requestId) => showReadiness(options, requestId) },
    ...["", versionPath].map((prefix) =>
      ready(`${prefix}/openapi.json`, (raw) => answerFile(openApi(), raw)),
    ),
    ...(ofConsole === undefined
      ? []
      : [ready(CONSOLE_DOCUMENT, (raw) => answerFile(ofConsole(), raw))]),
    ...DOCS_PATHS.map((path) => ready(path, (raw) => showDocs(options.docs, raw))),
    ...MOVED_PATHS.map((path) => ready(path, () => moved)),
  ];
}

export const CONSOLE_DOCUMENT = "/console/openapi.json";

const consoleNotes: ReferenceNotes = {
  tags: {
    "Sign-in": "The three ways to a first passkey, sign-in, and the session.",
    Oneself: "What a person may see and change of themselves.",
    People: "Who may do what in the workspace.",
    Workspace: "What is set for the workspace as a whole.",
    "Audit log": "Who did what.",
  },
  webhooks: [],
};

/** Other spellings of the first page, and the beginnings of paths below it, which have no page of their own. */
const MOVED_PATHS = ["/docs/", `${versionPath}/docs`, "/docs/guides", "/docs/reference"];
const DOCS_PATHS = ["/docs", "/docs/{group}", "/docs/{group}/{page}"];

/** The documentation has one address; a browser keeps the fragment. */
const moved: SentPage = {
  ...fixed("text/plain; charset=utf-8", "Moved to /docs.\n"),
  status: 301,
  headers: ["Location", "/docs"],
};

const notBuilt: ErrorAnswer = {
  status: 503,
  body: toErrorBody(
    "SERVICE_UNAVAILABLE",
    "This server has no documentation: run `npm run build` and start it again.",
  ),
};

function showDocs(docs: BuiltSite | undefined, raw: IncomingMessage): SentPage | ErrorAnswer {
  if (docs === undefined) return notBuilt;
  const found = docs.find(pathOf(raw.url ?? ""));
  if (found !== undefined) return answerFile(found, raw);
  return { status: 404, body: toErrorBody("NOT_FOUND", NO_PAGE) };
}

const NO_PAGE = "The documentation has no page at this path. It begins at /docs.";

interface Readiness {
  /** Rejects when a dependency of the server is unavailable. */
  readonly checkReady: () => Promise<void>;
  readonly isClosing: () => boolean;
  readonly log: Log;
}

async function showReadiness(options: Readiness, requestId: string): Promise<Page | ErrorAnswer> {
  if (!options.isClosing() && (await isReady(options))) {
    return fixed(jsonContentType, '{"status":"ready"}');
  }
  const body = toErrorBody("SERVICE_UNAVAILABLE", undefined, { requestId });
  return { status: 503, body, retryAfterSeconds: 1 };
}

async function isReady({ checkReady, log }: Readiness): Promise<boolean> {
  try {
    await checkReady();
    return true;
  } catch (thrown) {
    log.warn({ reason: messageOf(thrown) }, "the readiness check failed");
    return false;
  }
}

function fixed(contentType: string, body: Buffer | string): Page {
  return { contentType, contentPolicy: closedPolicy, body };
}

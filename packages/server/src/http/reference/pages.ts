import { messageOf } from "../../std/errors.ts";
import type { Log } from "../../std/log.ts";
import { once } from "../../std/once.ts";
import { type Operation, versionPath } from "../request/operation.ts";
import type { ErrorAnswer } from "../server/errors.ts";
import { toErrorBody } from "../server/errors.ts";
import { closedPolicy, jsonContentType, type Page } from "../server/send.ts";
import { buildOpenApi, type ReferenceNotes } from "./openapi.ts";
import type { OpenApiDocument } from "./openapi-document.ts";
import { renderReference } from "./reference-page.ts";

/** A page that is served without credentials. */
export interface PageRoute {
  readonly path: string;
  /** The size of the page, if known before it is rendered. */
  readonly bytes: () => number;
  /** The page, or an error answer. */
  show(requestId: string): Promise<Page | ErrorAnswer>;
}

export function createPages<C>(options: {
  readonly operations: readonly Operation<C>[];
  readonly reference: ReferenceNotes;
  readonly publicUrl: () => string;
  readonly version: string;
  readonly checkReady: () => Promise<void>;
  readonly isClosing: () => boolean;
  readonly log: Log;
}): readonly PageRoute[] {
  // Rendered at the first request, so that they do not delay the start.
  const document = once(() =>
    buildOpenApi(options.operations, {
      ...options.reference,
      publicUrl: options.publicUrl(),
      version: options.version,
    }),
  );
  const openApi = once(() => fixed(jsonContentType, Buffer.from(JSON.stringify(document()))));
  const docs = once(() => referencePage(document()));
  const health = fixed(jsonContentType, '{"status":"ok"}');
  const small = () => 0;
  return [
    { path: "/healthz", bytes: small, show: async () => health },
    { path: "/readyz", bytes: small, show: (requestId) => showReadiness(options, requestId) },
    ...["", versionPath].flatMap((prefix) => [
      {
        path: `${prefix}/openapi.json`,
        bytes: () => openApi().body.length,
        show: async () => openApi(),
      },
      { path: `${prefix}/docs`, bytes: () => docs().body.length, show: async () => docs() },
    ]),
  ];
}

function referencePage(document: OpenApiDocument): Page {
  const { contentPolicy, html } = renderReference(document);
  return { contentType: "text/html; charset=utf-8", contentPolicy, body: Buffer.from(html) };
}

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

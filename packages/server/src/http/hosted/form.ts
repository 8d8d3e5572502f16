/** Forms of hosted pages: renders them and parses what they post. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { invalidFields, Refusal } from "../../engine/refusal.ts";
import { badText, isBadText } from "../../validation/json-body.ts";
import { html, type Markup } from "./markup.ts";

/** Larger than any of our forms, in which a character takes up to twelve bytes. */
export const FORM_BYTES = 32 * 1024;
const MOST_FIELDS = 400;
export const TOKEN_FIELD = "form-token";

/** A form that posts to its own page. */
export function postForm(formToken: string, content: Markup): Markup {
  return html`<form method="post" novalidate>
${tokenField(formToken)}
${content}</form>`;
}

/** A form with a file field that posts to its own page. */
export function uploadForm(formToken: string, content: Markup): Markup {
  return html`<form method="post" enctype="multipart/form-data" novalidate>
${tokenField(formToken)}
${content}</form>`;
}

function tokenField(formToken: string): Markup {
  return html`<input type="hidden" name="${TOKEN_FIELD}" value="${formToken}">`;
}

export function tokenIn(fields: ReadonlyMap<string, string>): string {
  return fields.get(TOKEN_FIELD) ?? "";
}

/** Refuses a body of another content type and a cross-site request. */
export function refuseForeignForm(headers: IncomingMessage["headers"]): void {
  if (!FORM_TYPE.test(headers["content-type"] ?? "")) throw new Refusal("UNSUPPORTED_MEDIA_TYPE");
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") throw new Refusal("UNSUPPORTED_MEDIA_TYPE");
  refuseForeignSite(headers);
}

/** Refuses a cross-site request. */
export function refuseForeignSite(headers: IncomingMessage["headers"]): void {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") {
    throw new Refusal("FORBIDDEN");
  }
}

const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;[ \t]*charset=utf-8)?$/i;

/** Parses the fields of a posted form; refuses a repeated field. */
export function readForm(bytes: Buffer): ReadonlyMap<string, string> {
  if (!isUtf8(bytes)) throw new Refusal("INVALID_REQUEST_FORMAT");
  const fields = new Map<string, string>();
  for (const pair of bytes.toString("utf8").split("&", MOST_FIELDS + 1)) {
    const equals = pair.indexOf("=");
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = decode(equals === -1 ? "" : pair.slice(equals + 1));
    if (fields.has(name) || fields.size === MOST_FIELDS) {
      throw new Refusal("INVALID_REQUEST_FORMAT");
    }
    if (isBadText(name) || isBadText(value)) throw invalidFields([badText(name)]);
    fields.set(name, value);
  }
  return fields;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new Refusal("INVALID_REQUEST_FORMAT");
  }
}

/** The frame that every hosted page stands in. */
import { createHash } from "node:crypto";
import { html } from "../markup.ts";
import type { Sheet } from "./hosted-page.ts";
import { hostedStyle } from "./hosted-style.ts";

export function renderSheet({ status, title, content }: Sheet): string {
  const shown = status >= 400 ? `Error: ${title}` : title;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">
<title>${shown} · Florin</title><style>${{ html: hostedStyle }}</style></head>
<body><header>Florin</header>
<main><h1>${title}</h1>
${content}</main>
<footer><p>This page never asks for a password, a PIN or a card number.</p></footer></body></html>
`.html;
}

const styleDigest = createHash("sha256").update(hostedStyle).digest("base64");

/** The page's own style and a form that posts to ourselves; no script, no picture, no frame around it. */
export const hostedPolicy =
  `default-src 'none'; style-src 'sha256-${styleDigest}'; base-uri 'none'; form-action 'self'; ` +
  "frame-ancestors 'none'";

/** The layout of every hosted page. */

import type { Sheet } from "./hosted-page.ts";
import { hostedStyle } from "./hosted-style.ts";
import { html } from "./markup.ts";
import { pagePolicy } from "./page-policy.ts";

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

export const hostedPolicy = pagePolicy(hostedStyle, "'self'");

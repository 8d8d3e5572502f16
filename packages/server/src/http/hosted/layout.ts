/** The layout of every hosted page, and its content security policy. */
import type { Brand } from "./brand/brand.ts";
import { brandStyle } from "./brand/brand-style.ts";
import { copyScript } from "./copy-script.ts";
import type { Sheet } from "./hosted-page.ts";
import { hostedStyle } from "./hosted-style.ts";
import type { Catalogue } from "./language/catalogue.ts";
import type { Language } from "./language/language.ts";
import { html, type Markup, nothing } from "./markup.ts";
import { pagePolicy } from "./page-policy.ts";

export interface Frame {
  readonly brand: Brand | undefined;
  readonly language: Language;
  readonly catalogues: readonly Catalogue[];
}

export interface Layout {
  readonly body: string;
  readonly contentPolicy: string;
}

const PRODUCT = "Florin";

export function layOut(sheet: Sheet, frame: Frame): Layout {
  const { status, title, lead = nothing, content, copies = false } = sheet;
  const { brand, language } = frame;
  const shown = status >= 400 ? language.text("errorTitle", { title }) : title;
  const color = brand?.color ?? null;
  const styles = color === null ? [hostedStyle] : [hostedStyle, brandStyle(color)];
  const body = html`<!doctype html>
<html lang="${language.tag}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">
<title>${shown} · ${brand?.name ?? PRODUCT}</title>${styles.map((style) => html`<style>${raw(style)}</style>`)}</head>
<body><header>${head(brand)}</header>
<main>${lead}<h1>${title}</h1>
${content}</main>
<footer><p>${language.text("promise")}</p>${languageLinks(frame)}</footer>${copies ? html`<script>${raw(copyScript)}</script>` : nothing}</body></html>
`.html;
  const contentPolicy = pagePolicy({
    styles,
    script: copies ? copyScript : undefined,
    hasImages: (brand?.logo ?? null) !== null,
    formAction: "'self'",
  });
  return { body, contentPolicy };
}

/** Inserts our own style sheet or script without escaping it. */
function raw(text: string): Markup {
  return { html: text };
}

function head(brand: Brand | undefined): Markup {
  if (brand === undefined) return html`${PRODUCT}`;
  const { name, logo } = brand;
  const image =
    logo === null
      ? nothing
      : html`<span class="logo"><img src="${logo.path}" alt="" width="${logo.width}" height="${logo.height}"></span>`;
  return html`${image}<bdi>${name}</bdi>`;
}

/** The other languages, at the same path. */
function languageLinks({ language, catalogues }: Frame): Markup {
  const links = catalogues.map(({ tag, name }) =>
    tag === language.tag
      ? html`<li aria-current="true" lang="${tag}">${name}</li>`
      : html`<li><a href="?lang=${tag}" lang="${tag}" hreflang="${tag}">${name}</a></li>`,
  );
  return html`<nav aria-label="${language.text("chooseLanguage")}"><ul class="languages">${links}</ul></nav>`;
}

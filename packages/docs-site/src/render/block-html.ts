/** Renders blocks as HTML. */
import type { Block, Field, FieldGroup, Sample } from "../blocks/blocks.ts";
import type { Highlight } from "./highlight.ts";
import { html, type Markup, nothing } from "./markup.ts";
import type { Prose } from "./prose.ts";

export interface BlockTools {
  readonly prose: Prose;
  readonly highlight: Highlight;
  /** The heading level of block titles, one below the heading above them. */
  readonly titleLevel: 2 | 3;
}

export function blockHtml(tools: BlockTools, block: Block): Markup {
  const { prose, highlight } = tools;
  switch (block.kind) {
    case "prose":
      return prose.block(block.markdown);
    case "endpoint":
      return html`<p class="endpoint">${methodBadge(block.method)}<code>${pathMarkup(block.path)}</code></p>`;
    case "endpoints":
      return html`<ul class="endpoints">${block.links.map(({ method, path, title, href }) => html`<li><a href="${href}">${methodBadge(method)}<strong>${title}</strong><code>${pathMarkup(path)}</code></a></li>`)}</ul>`;
    case "facts":
      return html`<dl class="facts">${block.rows.map(([name, says]) => html`<dt>${name}</dt><dd>${prose.inline(says)}</dd>`)}</dl>`;
    case "fields":
      return fieldsHtml(tools, block);
    case "code":
      return html`<div class="example">${captionMarkup(block.title)}${highlight(block.text, block.language)}</div>`;
    case "samples":
      return samplesHtml(tools, block.samples);
    case "table":
      return tableHtml(tools, block);
    case "cards":
      return html`<ul class="cards">${block.links.map(({ title, href, says }) => html`<li><a href="${href}"><strong>${title}</strong><span>${says}</span></a></li>`)}</ul>`;
  }
}

export function methodBadge(method: string): Markup {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** Allows a line break in a path only after a slash. */
function pathMarkup(path: string): Markup {
  return { html: html`${path}`.html.replaceAll(/\/(?=[^/]+\/)/g, "/<wbr>") };
}

function titleMarkup({ titleLevel }: BlockTools, title: string): Markup {
  if (title === "") return nothing;
  const text = { html: code(title) };
  return titleLevel === 2
    ? html`<h2 class="label">${text}</h2>`
    : html`<h3 class="label">${text}</h3>`;
}

function fieldsHtml(
  tools: BlockTools,
  { title, groups, isFolded }: Extract<Block, { kind: "fields" }>,
): Markup {
  const lists = groups.map((group) => groupHtml(tools, group));
  if (isFolded) return html`<details class="fold"><summary>${title}</summary>${lists}</details>`;
  return html`${titleMarkup(tools, title)}${lists}`;
}

function captionMarkup(title: string): Markup {
  return title === "" ? nothing : html`<p class="caption">${title}</p>`;
}

/** Renders a title, with text in backticks as code. */
function code(title: string): string {
  return html`${title}`.html.replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

function groupHtml(tools: BlockTools, { title, fields }: FieldGroup): Markup {
  const heading =
    title === undefined ? nothing : html`<p class="form">${{ html: code(title) }}</p>`;
  return html`${heading}<ul class="fields">${fields.map((field) => fieldHtml(tools, field))}</ul>`;
}

function fieldHtml(tools: BlockTools, field: Field): Markup {
  const { name, type, isRequired, says, notes, groups } = field;
  const required = isRequired ? html` <span class="required">required</span>` : nothing;
  const meaning = says === "" ? nothing : tools.prose.block(says);
  const limits =
    notes.length === 0
      ? nothing
      : html`<p class="notes">${tools.prose.inline(notes.join(" "))}</p>`;
  const children =
    groups.length === 0
      ? nothing
      : html`<details><summary>Fields of <code>${name}</code></summary>${groups.map((group) => groupHtml(tools, group))}</details>`;
  return html`<li><p class="name"><code>${name}</code> <span class="type">${type}</span>${required}</p>${meaning}${limits}${children}</li>`;
}

function samplesHtml({ highlight }: BlockTools, samples: readonly Sample[]): Markup {
  const tabs = samples.map(
    ({ language, label }) =>
      html`<button type="button" data-language="${language}">${label}</button>`,
  );
  const texts = samples.map(
    ({ language, label, text }) =>
      html`<div class="sample" data-language="${language}"><p class="caption">${label}</p>${highlight(text, language)}</div>`,
  );
  return html`<div class="samples"><div class="tabs" role="group" aria-label="Language of the samples">${tabs}</div>${texts}</div>`;
}

function tableHtml(
  tools: BlockTools,
  { title, head, rows, isFolded }: Extract<Block, { kind: "table" }>,
): Markup {
  const { prose } = tools;
  const cells = (row: readonly string[]) =>
    row.map((cell, index) =>
      index === 0
        ? html`<th scope="row" data-head="${head[index]}">${prose.inline(cell)}</th>`
        : html`<td data-head="${head[index]}">${prose.inline(cell)}</td>`,
    );
  const table = html`<table class="rows"><thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody></table>`;
  if (isFolded) return html`<details class="fold"><summary>${title}</summary>${table}</details>`;
  return html`${titleMarkup(tools, title)}${table}`;
}

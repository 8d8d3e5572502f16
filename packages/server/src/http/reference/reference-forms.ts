import { isNode, type SchemaNode } from "../../validation/schema.ts";
import { html, type Markup, nothing, prose } from "../hosted/markup.ts";
import type { OpenApiDocument } from "./openapi-document.ts";
import { fieldTable, follow, formAnchor, namedUnions, variantsOf } from "./reference-fields.ts";

/** The shared unions, once each, with their variants collapsed. */
export function formsSection(document: OpenApiDocument): Markup {
  const names = namedUnions(document);
  if (names.length === 0) return nothing;
  return html`<section aria-labelledby="forms"><h2 id="forms">Forms</h2>
${names.map((name) => unionPart(document, name))}</section>`;
}

/** The shared unions in the navigation. */
export function formsNav(document: OpenApiDocument): Markup {
  const names = namedUnions(document);
  if (names.length === 0) return nothing;
  const items = names.map((name) => html`<li><a href="#${formAnchor(name)}">${name}</a></li>`);
  return html`<h2><a href="#forms">Forms</a></h2><ul>${items}</ul>`;
}

export function example(title: string, value: unknown): Markup {
  return html`<h4>${title}</h4><pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}

/** Of a body that is not JSON. */
export function textExample(title: string, text: unknown): Markup {
  return html`<h4>${title}</h4><pre tabindex="0"><code>${String(text)}</code></pre>`;
}

function unionPart(document: OpenApiDocument, name: string): Markup {
  const union = document.components.schemas[name] ?? {};
  const forms = variantsOf(union).map((form) => follow(document, form));
  const { discriminator, description } = union;
  const tag = isNode(discriminator) ? String(discriminator.propertyName) : undefined;
  return html`<article aria-labelledby="${formAnchor(name)}"><h3 id="${formAnchor(name)}">${name}</h3>
${typeof description === "string" ? prose(description) : nothing}
${tag === undefined ? nothing : html`<p>Told apart by <code>${tag}</code>.</p>`}
${forms.map((form, index) => formPart(document, form, tag ?? String(index + 1)))}</article>
`;
}

function formPart(document: OpenApiDocument, form: SchemaNode, tag: string): Markup {
  const { description, examples } = form;
  const shown = Array.isArray(examples) && examples.length > 0 ? examples[0] : undefined;
  return html`<details><summary><code>${nameOf(form, tag)}</code></summary>
${typeof description === "string" ? prose(description) : nothing}
${fieldTable(document, form, { withVariants: true })}
${shown === undefined ? nothing : example("Example", shown)}</details>`;
}

/** The discriminator value of this variant. */
function nameOf({ properties, title }: SchemaNode, tag: string): string {
  const literal = isNode(properties) ? properties[tag] : undefined;
  if (isNode(literal) && typeof literal.const === "string") return literal.const;
  return typeof title === "string" ? title : `Form ${tag}`;
}

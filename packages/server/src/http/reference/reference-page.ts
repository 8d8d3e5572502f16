import { html, type Markup, nothing, prose } from "../hosted/markup.ts";
import { pagePolicy } from "../hosted/page-policy.ts";
import {
  type DocumentedAnswer,
  type DocumentedOperation,
  type DocumentedParameter,
  isRef,
  type OpenApiDocument,
  type Ref,
} from "./openapi-document.ts";
import { eventsNav, eventsSection } from "./reference-events.ts";
import { fieldTable, limits, nameIn, REQUIRED, typeText } from "./reference-fields.ts";
import { example, formsNav, formsSection, textExample } from "./reference-forms.ts";
import { referenceStyle } from "./reference-style.ts";

export interface Reference {
  readonly html: string;
  /** Allows the page's own style by its hash, and nothing else. */
  readonly contentPolicy: string;
}

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
}

/** Renders the API reference as one page without scripts and external resources. */
export function renderReference(document: OpenApiDocument): Reference {
  const byTag = document.tags.map(({ name, description: about }) => ({
    tag: name,
    about,
    entries: entriesOf(document, name),
  }));
  const { title, version, description } = document.info;
  const [server] = document.servers;
  const nav = byTag.map(({ tag, entries }) => navSection(tag, entries));
  const sections = byTag.map(
    ({ tag, about, entries }) => html`<section aria-labelledby="${anchorOf(tag)}">
<h2 id="${anchorOf(tag)}">${tag}</h2>${about === undefined ? nothing : prose(about)}
${entries.map((entry) => operationSection(document, entry))}</section>`,
  );
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API reference</title><style>${{ html: referenceStyle }}</style></head>
<body><a class="skip" href="#content">Skip to content</a><div class="layout">
<nav aria-label="Operations" tabindex="0"><a href="#content"><strong>${title}</strong></a>${nav}${eventsNav(document)}${formsNav(document)}</nav>
<main id="content"><h1>${title} API reference</h1>
<p class="needs">Version ${version} · <a href="openapi.json">OpenAPI document</a></p>
${prose(description)}
<h4>Address</h4><pre tabindex="0"><code>${server?.url}</code></pre>
${sections}${eventsSection(document)}${formsSection(document)}</main></div></body></html>
`;
  return {
    html: page.html,
    contentPolicy: pagePolicy({ styles: [referenceStyle], formAction: "'none'" }),
  };
}

function entriesOf(document: OpenApiDocument, tag: string): readonly Entry[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

function anchorOf(name: string): string {
  return `tag-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
}

function navSection(tag: string, entries: readonly Entry[]): Markup {
  const items = entries.map(
    ({ method, operation }) =>
      html`<li><a href="#${operation.operationId}">${badge(method)}<span>${operation.summary}</span></a></li>`,
  );
  return html`<h2><a href="#${anchorOf(tag)}">${tag}</a></h2><ul>${items}</ul>`;
}

function badge(method: string): Markup {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`;
}

function operationSection(document: OpenApiDocument, { method, path, operation }: Entry): Markup {
  const { operationId, summary, description } = operation;
  return html`<article aria-labelledby="${operationId}"><h3 id="${operationId}">${summary}</h3>
<p class="where">${badge(method)}<code>${path}</code></p>
<p class="needs">${needs(operation)}</p>
${description === undefined ? nothing : prose(description)}
${parameterTable(document, operation)}${requestPart(document, operation)}
${answersPart(document, operation)}</article>
`;
}

function needs(operation: DocumentedOperation): Markup {
  const permission = operation["x-permission"];
  const agentPermission = operation["x-agent-permission"];
  const isForAgents = operation.security.some((scheme) => "bearerAuth" in scheme);
  const who = isForAgents
    ? html`For agents${agentPermission === undefined ? nothing : html` with <code>${agentPermission}</code>`}.`
    : permission === undefined
      ? html`No credentials needed.`
      : html`Needs a token with <code>${permission}</code>.`;
  const where = operation["x-sandbox-only"] === true ? html` Sandbox tokens only.` : nothing;
  return html`${who}${where}`;
}

function parameterTable(document: OpenApiDocument, operation: DocumentedOperation): Markup {
  const rows = operation.parameters.map((found) => {
    const parameter = isRef(found) ? parameterOf(document, found) : found;
    if (parameter === undefined) return nothing;
    const { name, description, schema, required } = parameter;
    return html`<tr><th scope="row"><code>${name}</code>${required ? REQUIRED : nothing}</th>
<td>${parameter.in}</td><td>${typeText(document, schema)}</td>
<td>${description === undefined ? nothing : prose(description)}${limits(schema)}</td></tr>`;
  });
  return html`<h4>Parameters</h4><div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function parameterOf(document: OpenApiDocument, ref: Ref): DocumentedParameter | undefined {
  return document.components.parameters[nameIn(ref.$ref)];
}

function requestPart(document: OpenApiDocument, { requestBody }: DocumentedOperation): Markup {
  const [[type = "", content] = []] = Object.entries(requestBody?.content ?? {});
  if (requestBody === undefined || content === undefined) return nothing;
  const kind = type === "application/json" ? nothing : html` <code>${type}</code>`;
  return html`<h4>Request body${kind}${requestBody.required ? REQUIRED : nothing}</h4>
${fieldTable(document, content.schema, { withVariants: true })}${example("Request example", content.example)}`;
}

function answersPart(document: OpenApiDocument, operation: DocumentedOperation): Markup {
  const answers = Object.entries(operation.responses).map(([status, found]) => ({
    status,
    answer: isRef(found) ? document.components.responses[nameIn(found.$ref)] : found,
  }));
  const good = answers.filter(({ status }) => Number(status) < 400);
  const bad = answers.filter(({ status }) => Number(status) >= 400);
  return html`${good.map(({ status, answer }) => goodAnswer(document, status, answer))}
<details><summary>Errors</summary><div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th></tr></thead>
<tbody>${bad.map(({ status, answer }) => badAnswer(status, answer))}</tbody></table></div></details>`;
}

function goodAnswer(
  document: OpenApiDocument,
  status: string,
  answer: DocumentedAnswer | undefined,
): Markup {
  if (answer === undefined) return nothing;
  const [[type = "", content] = []] = Object.entries(answer.content ?? {});
  const isJson = type === "application/json";
  const kind = isJson || type === "" ? nothing : html` <code>${type}</code>`;
  const title = html`<h4>Answer ${status}${kind}</h4>${prose(answer.description)}`;
  if (content === undefined) return title;
  if (!isJson) return html`${title}${textExample("Answer example", content.example)}`;
  return html`${title}${example("Answer example", content.example)}
<details><summary>Fields of the answer</summary>${fieldTable(document, content.schema)}</details>`;
}

function badAnswer(status: string, answer: DocumentedAnswer | undefined): Markup {
  const examples = Object.values(answer?.content?.["application/json"]?.examples ?? {});
  return html`<tr><th scope="row">${status}</th><td>${prose(answer?.description ?? "")}
${examples.map(({ value }) => html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`)}</td></tr>`;
}

import { html, type Markup, nothing, prose } from "../hosted/markup.ts";
import { type DocumentedWebhook, isRef, type OpenApiDocument } from "./openapi-document.ts";
import { fieldTable, nameIn } from "./reference-fields.ts";
import { example } from "./reference-forms.ts";

/** The section of the events that the server sends to a platform's endpoint. */
export function eventsSection(document: OpenApiDocument): Markup {
  const events = Object.values(document.webhooks);
  if (events.length === 0) return nothing;
  return html`<section aria-labelledby="events"><h2 id="events">Events</h2>
${events.map(({ post }) => eventPart(document, post))}</section>`;
}

/** The events in the navigation. */
export function eventsNav({ webhooks }: OpenApiDocument): Markup {
  const types = Object.keys(webhooks);
  if (types.length === 0) return nothing;
  const items = types.map((type) => html`<li><a href="#${anchorOf(type)}">${type}</a></li>`);
  return html`<h2><a href="#events">Events</a></h2><ul>${items}</ul>`;
}

const anchorOf = (type: string) => `event-${type.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;

function eventPart(document: OpenApiDocument, webhook: DocumentedWebhook): Markup {
  const { summary, description, requestBody } = webhook;
  const content = requestBody.content["application/json"];
  return html`<article aria-labelledby="${anchorOf(summary)}"><h3 id="${anchorOf(summary)}">${summary}</h3>
${prose(description)}${headersPart(document, webhook)}
${content === undefined ? nothing : html`${example("Example", content.example)}<details><summary>Fields</summary>${fieldTable(document, content.schema)}</details>`}
${answersPart(document, webhook)}</article>
`;
}

function headersPart(document: OpenApiDocument, { parameters }: DocumentedWebhook): Markup {
  const rows = parameters.map(({ $ref }) => {
    const { name, description = "" } = document.components.parameters[nameIn($ref)] ?? {};
    return html`<tr><th scope="row"><code>${name}</code></th><td>${prose(description)}</td></tr>`;
  });
  return html`<details><summary>Headers</summary><div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table></div></details>`;
}

function answersPart(document: OpenApiDocument, { responses }: DocumentedWebhook): Markup {
  const rows = Object.entries(responses).map(([status, found]) => {
    const answer = isRef(found) ? document.components.responses[nameIn(found.$ref)] : found;
    const { description = "", content } = answer ?? {};
    const shown = content?.["application/json"]?.example;
    return html`<tr><th scope="row">${status}</th><td>${prose(description)}
${shown === undefined ? nothing : html`<pre tabindex="0"><code>${JSON.stringify(shown, null, 2)}</code></pre>`}</td></tr>`;
  });
  return html`<details><summary>Your answer</summary><div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table></div></details>`;
}

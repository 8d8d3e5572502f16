import { postForm, uploadForm } from "../form.ts";
import type { Sheet } from "../hosted-page.ts";
import { html, type Markup, nothing } from "../markup.ts";
import { type Filled, type FormField, faultList, renderFields } from "./form-fields.ts";
import type { OpenLink } from "./open-link.ts";

export interface FormSheet extends Filled {
  readonly title: string;
  readonly intro: string;
  readonly formToken: string;
  readonly fields: readonly FormField[];
  /** A message about the form as a whole. */
  readonly notice?: string | undefined;
  /** A file field below the other fields. */
  readonly file?: Markup;
}

const NO_FAULTS: ReadonlyMap<string, string> = new Map();
/** The initial state of a form, before any validation. */
export const pristine = { faults: NO_FAULTS, notice: undefined };

export function formSheet({ home }: OpenLink, form: FormSheet): Sheet {
  const { title, intro, formToken, fields, file } = form;
  const asked = [...fields, FILE_FIELD];
  const notice = form.notice ?? unlistedFieldFault(asked, form);
  const isFaulty = form.faults.size > 0 || notice !== undefined;
  const content = html`${renderFields(fields, form)}${file ?? nothing}
<p class="actions"><button type="submit">${file === undefined ? "Save" : "Upload"}</button></p>`;
  return {
    status: isFaulty ? 400 : 200,
    title,
    content: html`<p class="soft"><a href="${home}">Back to the overview</a></p><p>${intro}</p>
${faultList(asked, form)}${notice === undefined ? nothing : html`<p class="notice" role="alert">${notice}</p>`}
${file === undefined ? postForm(formToken, content) : uploadForm(formToken, content)}`,
  };
}

const FILE_FIELD: FormField = { name: "file", label: "File", kind: "text", longest: 0 };

/** The first fault of a field that the form does not have. */
function unlistedFieldFault(asked: readonly FormField[], { faults }: Filled): string | undefined {
  const names = new Set(asked.map(({ name }) => name));
  return [...faults].find(([name]) => !names.has(name))?.[1];
}

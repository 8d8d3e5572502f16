import { postForm, uploadForm } from "../form.ts";
import type { Sheet } from "../hosted-page.ts";
import { html, type Markup, nothing } from "../markup.ts";
import type { FormField } from "./form-fields.ts";
import type { OpenLink } from "./open-link.ts";
import { defaultButton, type Filled, faultList, renderFields } from "./render-fields.ts";
import { type StepId, stepLine } from "./steps.ts";

export interface FormSheet extends Filled {
  readonly title: string;
  readonly intro: string;
  /** The step that the form belongs to. */
  readonly step: StepId;
  readonly fields: readonly FormField[];
  /** A message about the form as a whole. */
  readonly notice?: string | undefined;
  /** A file field below the other fields. */
  readonly file?: Markup;
}

const NO_FAULTS: ReadonlyMap<string, string> = new Map();
/** The initial state of a form, before any validation. */
export const pristine = { faults: NO_FAULTS, notice: undefined };

export function formSheet(open: OpenLink, form: FormSheet): Sheet {
  const { formToken, language } = open.request;
  const { title, intro, fields, file } = form;
  const asked = [...fields, FILE_FIELD];
  const notice = form.notice ?? unlistedFieldFault(asked, form);
  const isFaulty = form.faults.size > 0 || notice !== undefined;
  const button = language.text(file === undefined ? "save" : "upload");
  const content = html`${defaultButton(fields, button)}${renderFields(fields, form, language)}${file ?? nothing}
<p class="actions"><button type="submit">${button}</button></p>`;
  return {
    status: isFaulty ? 400 : 200,
    title,
    lead: stepLine(open, form.step),
    content: html`<p>${intro}</p>
${faultList(asked, form, language)}${notice === undefined ? nothing : html`<p class="notice bad" role="alert">${notice}</p>`}
${file === undefined ? postForm(formToken, content) : uploadForm(formToken, content)}
<p class="back"><a href="${open.to()}">${language.text("backToOverview")}</a></p>`,
  };
}

const FILE_FIELD = { name: "file", label: "file", kind: "text" } as const;

/** The first fault of a field that this form does not show. */
function unlistedFieldFault(
  asked: readonly Pick<FormField, "name">[],
  { faults }: Filled,
): string | undefined {
  const names = new Set(asked.map(({ name }) => name));
  return [...faults].find(([name]) => !names.has(name))?.[1];
}

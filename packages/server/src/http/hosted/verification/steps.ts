/** The steps of a verification link, and what is missing for each. */
import type { VerificationError } from "../../../domain/customers/verification/verification.ts";
import type { TextKey } from "../language/catalogue.ts";
import type { Language } from "../language/language.ts";
import { html, type Markup } from "../markup.ts";
import type { OpenLink } from "./open-link.ts";

export type StepId = "details" | "people" | "documents" | "send";

export interface Step {
  readonly id: StepId;
  readonly name: TextKey;
  readonly missing: readonly VerificationError[];
  readonly isDone: boolean;
}

export function stepsOf({
  customer,
  missing,
}: Pick<OpenLink, "customer" | "missing">): readonly Step[] {
  const step = (id: StepId, name: TextKey): Step => {
    const own = missing.filter((error) => stepOf(error) === id);
    return { id, name, missing: own, isDone: own.length === 0 };
  };
  const isBusiness = customer.customerType === "BUSINESS";
  return [
    step("details", isBusiness ? "theBusiness" : "yourDetails"),
    ...(isBusiness ? [step("people", "people")] : []),
    step("documents", "documents"),
    { id: "send", name: "send", missing: [], isDone: false },
  ];
}

const ABOUT_PEOPLE: ReadonlySet<string> = new Set([
  "MISSING_CONTROL_PERSON",
  "MISSING_BENEFICIAL_OWNER",
]);
/** The shares of all owners together. */
const SHARES = "customer.beneficialOwners";

function stepOf({ type, field, resourceId }: VerificationError): StepId {
  if (ABOUT_PEOPLE.has(type) || field === SHARES) return "people";
  if (field === undefined || resourceId.startsWith("Document:")) return "documents";
  return resourceId.startsWith("Customer:") ? "details" : "people";
}

/** `Step 2 of 4: Documents`, with a bar. */
export function stepLine(open: OpenLink, current: StepId): Markup {
  const { language } = open.request;
  const steps = stepsOf(open);
  const at = steps.findIndex(({ id }) => id === current);
  const name = language.text(steps[at]?.name ?? "send");
  const values = { step: at + 1, count: steps.length, name };
  return line(language.text("stepOf", values), { filled: at + 1, count: steps.length });
}

/** How many steps are complete, with a bar. The last one, to send it, is never complete on a page that shows it. */
export function progress(steps: readonly Step[], language: Language): Markup {
  const done = steps.filter(({ isDone }) => isDone).length;
  const count = steps.length;
  return line(language.text("stepsDone", { done, count }), { filled: done, count });
}

function line(words: string, bar: { readonly filled: number; readonly count: number }): Markup {
  const marks = Array.from({ length: bar.count }, (_, at) =>
    at < bar.filled ? html`<li class="filled"></li>` : html`<li></li>`,
  );
  return html`<p class="step">${words}</p><ol class="bar" aria-hidden="true">${marks}</ol>`;
}

/**
 * The first page of a verification link: its steps, what is missing for each, and a button that submits it when nothing is
 * missing.
 */
import {
  type BeneficialOwner,
  toBeneficialOwnerId,
} from "../../../domain/customers/beneficial-owners/beneficial-owner.ts";
import { toDocumentId } from "../../../domain/customers/verification/document-rules.ts";
import { submitThroughLink } from "../../../domain/customers/verification/through-link.ts";
import type {
  Verification,
  VerificationError,
} from "../../../domain/customers/verification/verification.ts";
import type { Services } from "../../request/services.ts";
import { linkPath } from "../../request/verification-links.ts";
import { postForm } from "../form.ts";
import type { HostedPage, Sheet } from "../hosted-page.ts";
import type { Language } from "../language/language.ts";
import { html, type Markup, nothing } from "../markup.ts";
import { plainName } from "../plain-name.ts";
import { THE_CUSTOMER } from "./document-page.ts";
import { sentencesOf } from "./error-sentences.ts";
import {
  formIdempotency,
  linkBrand,
  type OpenLink,
  openLink,
  outcomeOf,
  redirectLink,
  runThroughLink,
} from "./open-link.ts";
import { NEW_OWNER, nameOf } from "./owner-page.ts";
import { progress, type Step, stepsOf } from "./steps.ts";

export const overviewPage: HostedPage<Services> = {
  id: "verificationPage",
  path: linkPath,
  brandOf: linkBrand,
  async show(request, services) {
    const open = await openLink(request, services);
    return "status" in open ? open : overviewSheet(open, []);
  },
  async submit(submission, services) {
    const open = await openLink(submission, services);
    if ("status" in open) return open;
    if (open.missing.length > 0) return overviewSheet(open, open.missing);
    const answer = await runThroughLink(open, services, {
      command: submitThroughLink,
      input: { customerId: open.customer.id },
      idempotency: formIdempotency(open, "send", Object.fromEntries(submission.fields)),
      toBody: ({ status, errors }) => JSON.stringify({ status, errors }),
      isFinal: ({ status }) => status !== "RESOLVE_ERRORS",
    });
    const outcome = outcomeOf(answer, submission.language);
    if (outcome.kind !== "done") return { seeOther: open.to() };
    const { errors } = JSON.parse(outcome.body) as Pick<Verification, "status" | "errors">;
    return errors.length > 0 ? overviewSheet(open, errors) : sentSheet(open);
  },
};

function sentSheet(open: OpenLink): Sheet {
  const { redirectUri } = open.link;
  const { language } = open.request;
  return {
    status: 200,
    title: language.text("sent"),
    content: html`<p>${language.text("sentWhat")}</p>${redirectLink(open, language)}`,
    ...(redirectUri === null ? {} : { redirectTo: redirectUri }),
  };
}

/** `problems` are the reasons why the last submission was refused. */
function overviewSheet(open: OpenLink, problems: readonly VerificationError[]): Sheet {
  const { customer, environment, missing, request } = open;
  const { language } = request;
  const steps = stepsOf(open);
  const next = steps.find(({ isDone }) => !isDone);
  const test =
    environment === "SANDBOX" ? html`<p class="notice">${language.text("testCheck")}</p>` : nothing;
  return {
    status: problems.length > 0 ? 400 : 200,
    title: language.text(customer.customerType === "BUSINESS" ? "verifyBusiness" : "verifyYou"),
    lead: progress(steps, language),
    content: html`${test}
${problems.length > 0 ? refused(problems, language) : nothing}
<p>${language.text(missing.length > 0 ? "completeParts" : "lookOver")}</p>
<ol class="steps">${steps.map((step) => stepPart(open, step, step === next))}</ol>`,
  };
}

function refused(problems: readonly VerificationError[], language: Language): Markup {
  return html`<div class="notice bad" role="alert"><p><strong>${language.text("notAccepted")}</strong></p>
${bullets(sentencesOf(problems, language))}</div>`;
}

function bullets(sentences: readonly string[]): Markup {
  return html`<ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`;
}

/** The link of the step that comes next is the button of the page. */
function stepPart(open: OpenLink, step: Step, isNext: boolean): Markup {
  const { language } = open.request;
  const pill = step.id === "send" ? nothing : state(step.isDone, language);
  return html`<li><div class="step-head"><h2>${language.text(step.name)}</h2>${pill}</div>
${contentOf(open, step, isNext)}</li>`;
}

function state(isDone: boolean, language: Language): Markup {
  return isDone
    ? html`<span class="pill done">${language.text("complete")}</span>`
    : html`<span class="pill todo">${language.text("missing")}</span>`;
}

function contentOf(open: OpenLink, step: Step, isNext: boolean): Markup {
  switch (step.id) {
    case "details":
      return detailsPart(open, step, isNext);
    case "people":
      return peoplePart(open, step, isNext);
    case "documents":
      return documentsPart(open, step, isNext);
    case "send":
      return sendPart(open);
  }
}

function linkLine(href: string, words: string, isButton = false): Markup {
  return html`<p><a${isButton ? html` class="button"` : nothing} href="${href}">${words}</a></p>`;
}

function detailsPart(
  { to, customer, request: { language } }: OpenLink,
  { missing }: Step,
  isNext: boolean,
): Markup {
  const isBusiness = customer.customerType === "BUSINESS";
  const name = isBusiness ? customer.businessInfo?.legalName : customer.fullName;
  const link = language.text(isBusiness ? "editBusiness" : "editDetails");
  return html`${typeof name === "string" ? html`<p><bdi>${plainName(name)}</bdi></p>` : nothing}
${listOf(missing, language)}${linkLine(to("/details"), link, isNext)}`;
}

/** A list of what is missing; no markup when nothing is missing. */
function listOf(errors: readonly VerificationError[], language: Language): Markup {
  return errors.length === 0 ? nothing : bullets(sentencesOf(errors, language));
}

function peoplePart(open: OpenLink, { missing }: Step, isNext: boolean): Markup {
  const { to, owners, request } = open;
  const { language } = request;
  const ofNone = missing.filter(({ resourceId }) => isCustomers(resourceId));
  return html`<p class="soft">${language.text("whichPeople")}</p>
${listOf(ofNone, language)}${owners.map((owner) => ownerItem(open, owner, missing))}
${linkLine(to(`/people/${NEW_OWNER}`), language.text("addPerson"), isNext)}`;
}

function isCustomers(resourceId: string): boolean {
  return resourceId.startsWith("Customer:");
}

function ownerItem(
  { to, request: { language } }: OpenLink,
  owner: BeneficialOwner,
  missing: readonly VerificationError[],
): Markup {
  const resourceId = toBeneficialOwnerId(owner.id);
  const own = missing.filter((error) => error.resourceId === resourceId);
  const name = nameOf(owner);
  return html`<h3><bdi>${name}</bdi></h3>${listOf(own, language)}
${linkLine(to(`/people/${owner.id}`), language.text("editPerson", { name }))}`;
}

/** The documents of the customer and of each owner: uploaded, missing, and a link to upload one. */
function documentsPart(open: OpenLink, { missing }: Step, isNext: boolean): Markup {
  const { to, customer, owners, request } = open;
  const { language } = request;
  const isBusiness = customer.customerType === "BUSINESS";
  const add = language.text(isBusiness ? "addDocumentOfBusiness" : "addDocument");
  const ofOwners = owners.map((owner) => {
    const name = nameOf(owner);
    const heading = language.markup("documentsOf", { name: html`<bdi>${name}</bdi>` });
    return html`<h3>${heading}</h3>${holderPart(open, owner.id, missing)}
${linkLine(to(`/documents/${owner.id}`), language.text("addDocumentOf", { name }))}`;
  });
  return html`${holderPart(open, customer.id, missing)}
${linkLine(to(`/documents/${THE_CUSTOMER}`), add, isNext)}${ofOwners}`;
}

function holderPart(
  { documents, owners, request: { language } }: OpenLink,
  holderId: string,
  missing: readonly VerificationError[],
): Markup {
  const held = documents.filter((document) => document.holderId === holderId);
  const isOwner = owners.some(({ id }) => id === holderId);
  const subjects = new Set<string>(held.map(toDocumentId));
  const errors = missing.filter(({ resourceId }) => {
    if (subjects.has(resourceId)) return true;
    return isOwner ? resourceId === toBeneficialOwnerId(holderId) : isCustomers(resourceId);
  });
  const items = held.map(({ documentType, side, fileName }) => {
    const kind = language.label(documentType);
    const document =
      side === null
        ? kind
        : language.text("documentSide", { document: kind, side: language.label(side) });
    const file = html`<bdi>${plainName(fileName)}</bdi>`;
    return html`<li>${language.markup("namedFile", { document, file })}</li>`;
  });
  const papers = items.length === 0 ? nothing : html`<ul class="papers">${items}</ul>`;
  return html`${papers}${listOf(errors, language)}`;
}

function sendPart({ missing, request: { formToken, language } }: OpenLink): Markup {
  if (missing.length > 0) return html`<p class="soft">${language.text("sendWhenComplete")}</p>`;
  return postForm(
    formToken,
    html`<p>${language.text("sendOnce")}</p>
<p class="actions"><button type="submit">${language.text("sendButton")}</button></p>`,
  );
}

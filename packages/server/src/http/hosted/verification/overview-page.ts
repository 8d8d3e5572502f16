/**
 * The first page of a verification link: what is complete, what is missing, and a button that submits it when nothing
 * is missing.
 */
import type { BeneficialOwner } from "../../../domain/beneficial-owners/beneficial-owner.ts";
import { toBeneficialOwnerId } from "../../../domain/beneficial-owners/beneficial-owner.ts";
import { toDocumentId } from "../../../domain/verification/document-rules.ts";
import { submitThroughLink } from "../../../domain/verification/through-link.ts";
import type { Verification, VerificationError } from "../../../domain/verification/verification.ts";
import { dayOf } from "../../../std/clock.ts";
import type { Services } from "../../request/services.ts";
import { linkPath } from "../../request/verification-links.ts";
import { postForm } from "../form.ts";
import type { HostedPage, Sheet } from "../hosted-page.ts";
import { html, type Markup, nothing } from "../markup.ts";
import { plainName } from "../plain-name.ts";
import { THE_CUSTOMER } from "./document-page.ts";
import { companyFields, documentFormFields, ownerFields, personFields } from "./field-sets.ts";
import { labelOf, nameOf } from "./labels.ts";
import {
  formIdempotency,
  type OpenLink,
  openLink,
  outcomeOf,
  redirectLink,
  runThroughLink,
} from "./open-link.ts";
import { NEW_OWNER } from "./owner-page.ts";

export const overviewPage: HostedPage<Services> = {
  id: "verificationPage",
  path: linkPath,
  async show({ params, formToken }, services) {
    const open = await openLink(params, services);
    return "status" in open ? open : overviewSheet(open, { formToken, problems: [] });
  },
  async submit({ params, formToken, fields }, services) {
    const open = await openLink(params, services);
    if ("status" in open) return open;
    if (open.missing.length > 0) return overviewSheet(open, { formToken, problems: open.missing });
    const outcome = outcomeOf(
      await runThroughLink(open, services, {
        command: submitThroughLink,
        input: { customerId: open.customer.id },
        idempotency: formIdempotency(open, "send", Object.fromEntries(fields)),
        toBody: ({ status, errors }) => JSON.stringify({ status, errors }),
        isFinal: ({ status }) => status !== "RESOLVE_ERRORS",
      }),
    );
    if (outcome.kind !== "done") return { seeOther: open.home };
    const { errors } = JSON.parse(outcome.body) as Pick<Verification, "status" | "errors">;
    return errors.length > 0
      ? overviewSheet(open, { formToken, problems: errors })
      : sentSheet(open);
  },
};

function sentSheet(open: OpenLink): Sheet {
  const { redirectUri } = open.link;
  return {
    status: 200,
    title: "Thank you, all is sent",
    content: html`<p>We check what you have sent. You need not do anything more.</p>${redirectLink(open)}`,
    ...(redirectUri === null ? {} : { redirectTo: redirectUri }),
  };
}

interface Overview {
  readonly formToken: string;
  /** The reasons why the last submission was refused. */
  readonly problems: readonly VerificationError[];
}

function overviewSheet(open: OpenLink, { formToken, problems }: Overview): Sheet {
  const { customer, environment, missing } = open;
  const isBusiness = customer.customerType === "BUSINESS";
  return {
    status: problems.length > 0 ? 400 : 200,
    title: isBusiness ? "Verify your business" : "Verify who you are",
    content: html`${environment === "SANDBOX" ? TEST_NOTICE : nothing}
${problems.length > 0 ? refused(problems) : nothing}
<p>${missing.length > 0 ? "Complete each part, then send it all. What you have saved stays here for as long as the link works." : "Nothing is missing. Look it over, then send it."}</p>
${detailsPart(open)}
${isBusiness ? peoplePart(open) : nothing}
${documentsPart(open)}
<h2>Send</h2>
${missing.length > 0 ? html`<p>You can send it when nothing is missing.</p>` : sendForm(formToken)}`,
  };
}

const TEST_NOTICE = html`<p class="notice">This is a test. No real check takes place.</p>`;

function sendForm(formToken: string): Markup {
  return postForm(
    formToken,
    html`<p>After that it cannot be changed, and this link is used.</p>
<p class="actions"><button type="submit">Send for verification</button></p>`,
  );
}

function refused(problems: readonly VerificationError[]): Markup {
  return html`<div class="notice" role="alert"><p><strong>This could not be accepted yet:</strong></p>
<ul>${problems.map((problem) => html`<li>${sentenceOf(problem)}</li>`)}</ul></div>`;
}

function detailsPart(open: OpenLink): Markup {
  const { home, missing, customer } = open;
  const own = missing.filter(
    ({ field, resourceId }) => field !== undefined && isCustomers(resourceId),
  );
  const isBusiness = customer.customerType === "BUSINESS";
  return html`<h2>${isBusiness ? "The business" : "Your details"}</h2>
${customer.businessInfo === null ? nothing : html`<p><bdi>${plainName(customer.businessInfo.legalName)}</bdi></p>`}
${state(own)}<p><a href="${home}/details">${isBusiness ? "Edit what we know of the business" : "Edit your details"}</a></p>`;
}

function isCustomers(resourceId: string): boolean {
  return resourceId.startsWith("Customer:");
}

function peoplePart({ home, owners, missing }: OpenLink): Markup {
  const absent = missing.filter(({ type }) => PEOPLE.has(type));
  return html`<h2>The people behind it</h2>
<p class="soft">Everybody who owns 25 % or more, and one person who controls the business.</p>
${owners.map((owner) => ownerItem(home, owner, missing))}
${absent.length > 0 || owners.length === 0 ? state(absent) : nothing}
<p><a href="${home}/people/${NEW_OWNER}">Add a person</a></p>`;
}

const PEOPLE: ReadonlySet<string> = new Set(["MISSING_CONTROL_PERSON", "MISSING_BENEFICIAL_OWNER"]);

function ownerItem(
  home: string,
  owner: BeneficialOwner,
  missing: readonly VerificationError[],
): Markup {
  const resourceId = toBeneficialOwnerId(owner.id);
  const own = missing.filter(
    (error) => error.resourceId === resourceId && error.field !== undefined,
  );
  const name = nameOf(owner);
  return html`<h3><bdi>${name}</bdi></h3>${state(own)}
<p><a href="${home}/people/${owner.id}">Edit what we know of ${name}</a></p>`;
}

/** The documents of the customer and of each owner: uploaded, missing, and a link to upload one. */
function documentsPart(open: OpenLink): Markup {
  const { home, customer, owners } = open;
  const isBusiness = customer.customerType === "BUSINESS";
  const own = isBusiness ? "Add a document of the business" : "Add a document";
  return html`<h2>Documents</h2>
${holderPart(open, customer.id)}<p><a href="${home}/documents/${THE_CUSTOMER}">${own}</a></p>
${owners.map((owner) => {
  const name = nameOf(owner);
  return html`<h3>Of <bdi>${name}</bdi></h3>${holderPart(open, owner.id)}
<p><a href="${home}/documents/${owner.id}">Add a document of ${name}</a></p>`;
})}`;
}

function holderPart({ documents, missing, owners }: OpenLink, holderId: string): Markup {
  const held = documents.filter((document) => document.holderId === holderId);
  const isOwner = owners.some(({ id }) => id === holderId);
  const subjects = new Set<string>(held.map(toDocumentId));
  const errors = missing.filter(({ resourceId, type, field }) => {
    if (subjects.has(resourceId)) return true;
    if (field !== undefined || PEOPLE.has(type)) return false;
    return isOwner ? resourceId === toBeneficialOwnerId(holderId) : isCustomers(resourceId);
  });
  const items = held.map(({ documentType, side, fileName }) => {
    const what =
      side === null ? labelOf(documentType) : `${labelOf(documentType)}, ${side.toLowerCase()}`;
    return html`<li>${what}: <bdi>${plainName(fileName)}</bdi></li>`;
  });
  return html`${items.length === 0 ? nothing : html`<ul>${items}</ul>`}${state(errors)}`;
}

/** The list of missing items, if there are any. */
function state(errors: readonly VerificationError[]): Markup {
  if (errors.length === 0) return html`<p class="done">Complete</p>`;
  return html`<p class="todo">Still missing:</p><ul>${errors.map((error) => html`<li>${sentenceOf(error)}</li>`)}</ul>`;
}

const EVERYWHERE = { today: dayOf(0), hasIdentifier: false };
const labels: ReadonlyMap<string, string> = new Map(
  [
    ...documentFormFields([]),
    ...personFields(EVERYWHERE),
    ...companyFields(EVERYWHERE),
    ...ownerFields(EVERYWHERE),
  ].map(({ name, label }) => [name, label]),
);

function sentenceOf({ type, field, reason, acceptedDocumentTypes }: VerificationError): string {
  const label = field === undefined ? undefined : labels.get(field.replace(/^customer\./, ""));
  if (label !== undefined) return type === "MISSING_FIELD" ? label : `${label}: ${reason}`;
  if (acceptedDocumentTypes === undefined) return reason;
  const kinds = acceptedDocumentTypes.map(labelOf).join(", ");
  return `${reason} Any of these will do: ${kinds}.`;
}

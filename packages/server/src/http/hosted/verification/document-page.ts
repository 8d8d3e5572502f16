/** The page on which documents of a customer or a beneficial owner are uploaded, one at a time. */

import { uploadDocument } from "../../../domain/customers/documents/document-commands.ts";
import type { DocumentHolder } from "../../../domain/customers/documents/document-holder.ts";
import {
  documentTypes,
  PLATFORM_LOGO,
} from "../../../domain/customers/documents/document-types.ts";
import { IDENTITY_DOCUMENTS } from "../../../domain/customers/verification/document-rules.ts";
import { throughLink } from "../../../domain/customers/verification/through-link.ts";
import { type FieldError, invalidFields, Refusal } from "../../../engine/refusal.ts";
import { contentOf, paperFile } from "../../operations/customers/document-form.ts";
import type { Services } from "../../request/services.ts";
import { linkPath } from "../../request/verification-links.ts";
import { BAD_FILE_NAME, type ReadForm } from "../../upload/form.ts";
import { keepFile } from "../../upload/keep-file.ts";
import type { HostedPage, HostedRequest, HostedUpload, Sheet, Shown } from "../hosted-page.ts";
import type { Language } from "../language/language.ts";
import { html, type Markup, nothing } from "../markup.ts";
import { documentFormFields } from "./field-sets.ts";
import { type Faults, type FormField, readFields, type Typed } from "./form-fields.ts";
import { formSheet, pristine } from "./form-sheet.ts";
import {
  faultsFrom,
  formIdempotency,
  linkBrand,
  type OpenLink,
  openLink,
  outcomeOf,
  runThroughLink,
} from "./open-link.ts";
import { nameOf } from "./owner-page.ts";
import type { Filled } from "./render-fields.ts";

const uploadThroughLink = throughLink(uploadDocument);

/** The path segment of the customer itself; a beneficial owner is named by id. */
export const THE_CUSTOMER = "customer";

const IDENTITY: ReadonlySet<string> = new Set(IDENTITY_DOCUMENTS);
const NOT_OF_BUSINESSES: ReadonlySet<string> = new Set([
  ...IDENTITY_DOCUMENTS,
  "SELFIE",
  PLATFORM_LOGO,
]);
const OF_BUSINESSES = documentTypes.filter((type) => !NOT_OF_BUSINESSES.has(type));

interface OpenHolder {
  readonly open: OpenLink;
  readonly holder: DocumentHolder;
  readonly types: readonly string[];
  readonly title: string;
}

export const documentPage: HostedPage<Services> = {
  id: "verificationDocumentPage",
  path: `${linkPath}/documents/{holderId}`,
  brandOf: linkBrand,
  async show(request, services) {
    const at = await openHolder(request, services);
    if ("status" in at) return at;
    return documentSheet(at, { typed: new Map(), ...pristine });
  },
  async upload(upload, services) {
    const at = await openHolder(upload, services);
    if ("status" in at) return at;
    return takeDocument(at, upload, services);
  },
};

/** Refuses a path that names neither this customer nor one of its beneficial owners. */
async function openHolder(request: HostedRequest, services: Services): Promise<OpenHolder | Sheet> {
  const { params, language } = request;
  const open = await openLink(request, services);
  if ("status" in open) return open;
  const { customer, owners } = open;
  if (params.holderId === THE_CUSTOMER) {
    const types = customer.customerType === "BUSINESS" ? OF_BUSINESSES : IDENTITY_DOCUMENTS;
    return {
      open,
      holder: { kind: "Customer", id: customer.id },
      types,
      title: language.text("uploadDocument"),
    };
  }
  const owner = owners.find(({ id }) => id === params.holderId);
  if (owner === undefined) throw new Refusal("NOT_FOUND");
  return {
    open,
    holder: { kind: "BeneficialOwner", id: owner.id },
    types: IDENTITY_DOCUMENTS,
    title: language.text("uploadDocumentOf", { name: nameOf(owner) }),
  };
}

async function takeDocument(
  at: OpenHolder,
  { language, open: openForm }: HostedUpload,
  services: Services,
): Promise<Shown> {
  const { open, holder } = at;
  const { platformId } = open;
  let typed: Typed = new Map();
  const form = openForm({
    platformId,
    file: paperFile,
    checkFields(fields) {
      typed = fields;
      const { faults } = readDocumentForm(at, fields);
      if (faults.size > 0) throw invalidFields(toErrors(faults));
    },
    toIdempotency: (content) => formIdempotency(open, `documents/${holder.id}`, content),
  });
  try {
    const answer = await keepFile(
      {
        platformId,
        form,
        submit: (read, fileId) =>
          runThroughLink(open, services, {
            command: uploadThroughLink,
            input: { holder, content: contentOf(documentFormOf(at, read), fileId) },
            idempotency: read.idempotency,
          }),
      },
      services.files,
    );
    const outcome = outcomeOf(answer, language);
    if (outcome.kind === "refused") return documentSheet(at, { typed, ...outcome });
    return { seeOther: open.to() };
  } catch (thrown) {
    const faults = faultsThrown(thrown, readDocumentForm(at, typed).faults, language);
    if (faults === undefined) throw thrown;
    return documentSheet(at, { typed, faults });
  }
}

/** Parses the fields of a document and collects their faults. */
function readDocumentForm({ open, holder, types }: OpenHolder, typed: Typed) {
  const { language } = open.request;
  const { values, faults: own } = readFields(documentFormFields(types), typed, language);
  const faults = new Map(own);
  const type = values.get("documentType");
  if (typeof type === "string" && IDENTITY.has(type)) {
    const images = open.documents.filter(
      ({ holderId, documentType }) => holderId === holder.id && documentType === type,
    );
    if (type !== "PASSPORT" && !values.has("side")) {
      faults.set("side", language.text("chooseSide"));
    }
    for (const [name, fault] of IDENTITY_NEEDS) {
      const isKnown = images.some((image) => image[name] !== null);
      if (!isKnown && !values.has(name) && !faults.has(name))
        faults.set(name, language.text(fault));
    }
  }
  return { values, faults };
}

const IDENTITY_NEEDS = [
  ["documentNumber", "enterDocumentNumber"],
  ["issuingAuthority", "enterIssuer"],
] as const;

/** The form in the shape that the API's document operations read. */
function documentFormOf(at: OpenHolder, form: ReadForm<unknown>): Parameters<typeof contentOf>[0] {
  const typed = new Map(Object.entries(form.fields as Record<string, string>));
  const fields = Object.fromEntries(readDocumentForm(at, typed).values);
  // Both use the same tables of document types and sides.
  return { ...form, fields: fields as Parameters<typeof contentOf>[0]["fields"] };
}

function toErrors(faults: Faults): readonly FieldError[] {
  return [...faults].map(([field, message]) => ({ field, message }));
}

/** The faults by field of a refused form; undefined when no field caused the refusal. */
function faultsThrown(thrown: unknown, own: Faults, language: Language): Faults | undefined {
  if (!(thrown instanceof Refusal) || thrown.code !== "INVALID_INPUT") return undefined;
  const errors = (thrown.details?.errors ?? []) as unknown as readonly FieldError[];
  const others = errors.filter(({ field, message }) => own.get(field) !== message);
  const ofFile = others.filter(({ field }) => field === "file");
  const isNamedBadly = ofFile.every(({ message }) => message === BAD_FILE_NAME);
  const fault = language.text(isNamedBadly ? "shorterFileName" : "chooseFile");
  const fileFault = ofFile.length > 0 ? [["file", fault] as const] : [];
  const rest = faultsFrom(
    others.filter(({ field }) => field !== "file"),
    language,
  );
  return new Map([...own, ...rest, ...fileFault]);
}

function documentSheet(
  at: OpenHolder,
  form: Filled & { readonly notice?: string | undefined },
): Sheet {
  const { language } = at.open.request;
  const fields: readonly FormField[] = documentFormFields(at.types);
  return formSheet(at.open, {
    ...form,
    title: at.title,
    intro: language.text("fileIsKept"),
    step: "documents",
    fields,
    file: fileField(form.faults, language),
  });
}

function fileField(faults: Faults, language: Language): Markup {
  const fault = faults.get("file");
  // A browser clears a file field whenever the page is rendered again.
  const hint = language.text(faults.size > 0 ? "fileAgain" : "fileHint");
  const error =
    fault === undefined ? nothing : html`<p class="error" id="f-file-error">${fault}</p>`;
  const state =
    fault === undefined
      ? html`aria-describedby="f-file-hint"`
      : html`aria-describedby="f-file-hint f-file-error" aria-invalid="true"`;
  return html`<div class="field"><label for="f-file">${language.text("file")}</label>
<p class="hint" id="f-file-hint">${hint}</p>
${error}<input type="file" id="f-file" name="file" accept="application/pdf,image/jpeg,image/png" required ${state}></div>`;
}

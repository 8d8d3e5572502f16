/** The page on which documents of a customer or a beneficial owner are uploaded, one at a time. */

import type { DocumentHolder } from "../../../domain/documents/document-holder.ts";
import { documentTypes } from "../../../domain/documents/document-types.ts";
import { uploadDocument } from "../../../domain/documents/upload-document.ts";
import { IDENTITY_DOCUMENTS } from "../../../domain/verification/document-rules.ts";
import { throughLink } from "../../../domain/verification/through-link.ts";
import { type FieldError, invalidFields, Refusal } from "../../../engine/refusal.ts";
import { contentOf, documentFile } from "../../operations/documents/document-form.ts";
import type { Services } from "../../request/services.ts";
import { linkPath } from "../../request/verification-links.ts";
import { BAD_FILE_NAME, type ReadForm } from "../../upload/form.ts";
import { keepFile } from "../../upload/keep-file.ts";
import type { HostedPage, HostedUpload, Sheet, Shown } from "../hosted-page.ts";
import { html, type Markup, nothing } from "../markup.ts";
import { documentFormFields } from "./field-sets.ts";
import { type Faults, type Filled, type FormField, readFields, type Typed } from "./form-fields.ts";
import { formSheet, pristine } from "./form-sheet.ts";
import { nameOf } from "./labels.ts";
import {
  faultsFrom,
  formIdempotency,
  type OpenLink,
  openLink,
  outcomeOf,
  runThroughLink,
} from "./open-link.ts";

const uploadThroughLink = throughLink(uploadDocument);

/** The path segment of the customer itself; a beneficial owner is named by id. */
export const THE_CUSTOMER = "customer";

const IDENTITY: ReadonlySet<string> = new Set(IDENTITY_DOCUMENTS);
const OF_BUSINESSES = documentTypes.filter((type) => !IDENTITY.has(type) && type !== "SELFIE");

const TITLE = "Upload a document";

interface OpenHolder {
  readonly open: OpenLink;
  readonly holder: DocumentHolder;
  readonly types: readonly string[];
  readonly title: string;
}

export const documentPage: HostedPage<Services> = {
  id: "verificationDocumentPage",
  path: `${linkPath}/documents/{holderId}`,
  async show({ params, formToken }, services) {
    const at = await openHolder(params, services);
    if ("status" in at) return at;
    return documentSheet(at, { formToken, typed: new Map(), ...pristine });
  },
  async upload(upload, services) {
    const at = await openHolder(upload.params, services);
    if ("status" in at) return at;
    return takeDocument(at, upload, services);
  },
};

/** Refuses a path that names neither this customer nor one of its beneficial owners. */
async function openHolder(
  params: Readonly<Record<string, string>>,
  services: Services,
): Promise<OpenHolder | Sheet> {
  const open = await openLink(params, services);
  if ("status" in open) return open;
  const { customer, owners } = open;
  if (params.holderId === THE_CUSTOMER) {
    const types = customer.customerType === "BUSINESS" ? OF_BUSINESSES : IDENTITY_DOCUMENTS;
    return { open, holder: { kind: "Customer", id: customer.id }, types, title: TITLE };
  }
  const owner = owners.find(({ id }) => id === params.holderId);
  if (owner === undefined) throw new Refusal("NOT_FOUND");
  return {
    open,
    holder: { kind: "BeneficialOwner", id: owner.id },
    types: IDENTITY_DOCUMENTS,
    title: `${TITLE} of ${nameOf(owner)}`,
  };
}

async function takeDocument(
  at: OpenHolder,
  { formToken, open: openForm }: HostedUpload,
  services: Services,
): Promise<Shown> {
  const { open, holder } = at;
  const { platformId } = open;
  let typed: Typed = new Map();
  const form = openForm({
    platformId,
    file: documentFile,
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
    const outcome = outcomeOf(answer, "documents");
    if (outcome.kind === "refused") return documentSheet(at, { formToken, typed, ...outcome });
    return { seeOther: open.home };
  } catch (thrown) {
    const faults = faultsThrown(thrown, readDocumentForm(at, typed).faults);
    if (faults === undefined) throw thrown;
    return documentSheet(at, { formToken, typed, faults });
  }
}

/** Parses the fields of a document and collects their faults. */
function readDocumentForm({ open, holder, types }: OpenHolder, typed: Typed) {
  const { values, faults: own } = readFields(documentFormFields(types), typed);
  const faults = new Map(own);
  const type = values.get("documentType");
  if (typeof type === "string" && IDENTITY.has(type)) {
    const images = open.documents.filter(
      ({ holderId, documentType }) => holderId === holder.id && documentType === type,
    );
    if (type !== "PASSPORT" && !values.has("side")) faults.set("side", "Choose front or back.");
    for (const [name, fault] of IDENTITY_NEEDS) {
      const isKnown = images.some((image) => image[name] !== null);
      if (!isKnown && !values.has(name) && !faults.has(name)) faults.set(name, fault);
    }
  }
  return { values, faults };
}

const IDENTITY_NEEDS = [
  ["documentNumber", "Enter the number of the document."],
  ["issuingAuthority", "Enter who issued the document."],
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
function faultsThrown(thrown: unknown, own: Faults): Faults | undefined {
  if (!(thrown instanceof Refusal) || thrown.code !== "INVALID_INPUT") return undefined;
  const errors = (thrown.details?.errors ?? []) as unknown as readonly FieldError[];
  const others = errors.filter(({ field, message }) => own.get(field) !== message);
  const ofFile = others.filter(({ field }) => field === "file");
  const isNamedBadly = ofFile.every(({ message }) => message === BAD_FILE_NAME);
  const fileFault =
    ofFile.length > 0 ? [["file", isNamedBadly ? NAME_FAULT : FILE_FAULT] as const] : [];
  const rest = faultsFrom(others.filter(({ field }) => field !== "file"));
  return new Map([...own, ...rest, ...fileFault]);
}

const NAME_FAULT = "Give the file a shorter name, of at most 255 ordinary characters.";
const FILE_FAULT = "Choose a PDF, JPEG or PNG file of at most 10 MB.";

function documentSheet(
  at: OpenHolder,
  form: Filled & { readonly formToken: string; readonly notice?: string | undefined },
): Sheet {
  const fields: readonly FormField[] = documentFormFields(at.types);
  return formSheet(at.open, {
    ...form,
    title: at.title,
    intro: "The file is kept encrypted and is shown only to those who check it.",
    fields,
    file: fileField(form.faults),
  });
}

function fileField(faults: Faults): Markup {
  const fault = faults.get("file");
  // A browser clears a file field whenever the page is rendered again.
  const again = faults.size > 0 ? " Choose it again." : "";
  const error =
    fault === undefined ? nothing : html`<p class="error" id="f-file-error">${fault}</p>`;
  const state =
    fault === undefined
      ? html`aria-describedby="f-file-hint"`
      : html`aria-describedby="f-file-error f-file-hint" aria-invalid="true"`;
  return html`<label for="f-file">File</label>
<p class="soft" id="f-file-hint">A PDF, JPEG or PNG of at most 10 MB.${again}</p>
${error}<input type="file" id="f-file" name="file" accept="application/pdf,image/jpeg,image/png" required ${state}>`;
}

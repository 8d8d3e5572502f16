/** What a verification misses, as sentences of the page's language. */
import type {
  VerificationError,
  VerificationErrorType,
} from "../../../domain/customers/verification/verification.ts";
import { dayOf } from "../../../std/clock.ts";
import type { TextKey } from "../language/catalogue.ts";
import type { Language } from "../language/language.ts";
import { companyFields, documentFormFields, ownerFields, personFields } from "./field-sets.ts";

const EVERYWHERE = { today: dayOf(0), hasIdentifier: false };

const labels: ReadonlyMap<string, TextKey> = new Map(
  [
    ...documentFormFields([]),
    ...personFields(EVERYWHERE),
    ...companyFields(EVERYWHERE),
    ...ownerFields(EVERYWHERE),
  ].map(({ name, label }) => [name, label]),
);

/** The sentence for an invalid field, by the last part of the field's path. */
const INVALID: Readonly<Record<string, TextKey>> = {
  fullName: "needsFullName",
  birthDate: "needsPast",
  incorporatedOn: "needsPast",
  identifier: "needsSsn",
  idType: "needsUsNumber",
  beneficialOwners: "needsSmallerShares",
};

/** Types without an entry are given only to verifications that a person decides, which these pages do not show. */
const SENTENCES: Readonly<Partial<Record<VerificationErrorType, TextKey>>> = {
  MISSING_CONTROL_PERSON: "needsControlPerson",
  MISSING_BENEFICIAL_OWNER: "needsOwners",
  MISSING_LEGAL_PRESENCE_DOCUMENT: "needsLegalPresence",
  MISSING_CONTROL_STRUCTURE_DOCUMENT: "needsControlStructure",
  MISSING_OWNERSHIP_STRUCTURE_DOCUMENT: "needsOwnershipStructure",
  MISSING_GOOD_STANDING_DOCUMENT: "needsGoodStanding",
  MISSING_PROOF_OF_ADDRESS_DOCUMENT: "needsProofOfAddress",
  MISSING_IDENTITY_DOCUMENT: "needsIdentity",
  EXPIRED_DOCUMENT: "documentTooOld",
  INCOMPLETE_DOCUMENT: "documentIncomplete",
  WRONG_DOCUMENT_TYPE: "documentOfWrongKind",
  POOR_QUALITY_DOCUMENT: "documentUnclear",
};

/** The sentences of the errors, without duplicates. */
export function sentencesOf(
  errors: readonly VerificationError[],
  language: Language,
): readonly string[] {
  return [...new Set(errors.map((error) => sentenceOf(error, language)))];
}

function sentenceOf(error: VerificationError, language: Language): string {
  const { type, field = "", acceptedDocumentTypes } = error;
  const path = field.replace(/^customer\./, "");
  const key = labels.get(path);
  const label = key === undefined ? undefined : language.text(key);
  if (type === "MISSING_FIELD" && label !== undefined) return label;
  if (type === "INVALID_FIELD") {
    const text = language.text(INVALID[path.split(".").at(-1) ?? ""] ?? "notTaken");
    return label === undefined ? text : language.text("labelled", { label, text });
  }
  const reason = language.text(SENTENCES[type] ?? "somethingElse");
  if (acceptedDocumentTypes === undefined) return reason;
  const documents = language.anyOf(acceptedDocumentTypes.map(language.label));
  return language.text("anyOfThese", { reason, documents });
}

/** The documents that a check requires, and the faults that are visible without opening them. */
import { type Customer, toCustomerId } from "../customer.ts";
import type { VerificationError, VerificationErrorType } from "./verification.ts";

/** The metadata of a document. */
export interface HeldDocument {
  readonly id: string;
  readonly type: string;
  /** The customer or owner that it belongs to. */
  readonly holderId: string;
  readonly side: "FRONT" | "BACK" | null;
  readonly documentNumber: string | null;
  readonly issuingAuthority: string | null;
  /** When it was uploaded, or last replaced. */
  readonly broughtAt: number;
}

export const IDENTITY_DOCUMENTS = ["PASSPORT", "DRIVERS_LICENSE", "NATIONAL_ID"] as const;

/** Types of documents for persons only, and for businesses only; all others fit both. */
const OF_PERSONS: readonly string[] = [...IDENTITY_DOCUMENTS, "SELFIE"];
const OF_BUSINESSES: readonly string[] = [
  "CERTIFICATE_OF_INCORPORATION",
  "ARTICLES_OF_INCORPORATION",
  "ARTICLES_OF_ASSOCIATION",
  "STATE_REGISTRY_EXCERPT",
  "GOOD_STANDING_CERTIFICATE",
  "INFORMATION_STATEMENT",
  "INCUMBENCY_CERTIFICATE",
  "BUSINESS_LICENSE",
  "SHAREHOLDER_REGISTER",
  "DIRECTOR_REGISTRY",
  "STATE_COMPANY_REGISTRY",
  "PARTNERSHIP_CONTROL_AGREEMENT",
  "PARTNERSHIP_AGREEMENT",
];

interface DocumentNeed {
  readonly error: VerificationErrorType;
  readonly what: string;
  readonly accepted: readonly string[];
}

const FORMATION_DOCUMENTS: readonly string[] = [
  "CERTIFICATE_OF_INCORPORATION",
  "ARTICLES_OF_INCORPORATION",
  "ARTICLES_OF_ASSOCIATION",
  "STATE_REGISTRY_EXCERPT",
];

const BUSINESS_NEEDS: readonly DocumentNeed[] = [
  {
    error: "MISSING_LEGAL_PRESENCE_DOCUMENT",
    what: "that the business exists",
    accepted: FORMATION_DOCUMENTS,
  },
  {
    error: "MISSING_CONTROL_STRUCTURE_DOCUMENT",
    what: "who controls the business",
    accepted: [
      "DIRECTOR_REGISTRY",
      "TRUST_AGREEMENT",
      "STATE_COMPANY_REGISTRY",
      "PARTNERSHIP_CONTROL_AGREEMENT",
    ],
  },
  {
    error: "MISSING_OWNERSHIP_STRUCTURE_DOCUMENT",
    what: "who owns the business",
    accepted: ["SHAREHOLDER_REGISTER", "TRUST_AGREEMENT", "PARTNERSHIP_AGREEMENT"],
  },
];

const DAY_MS = 24 * 60 * 60 * 1000;

const ADDRESS_PROOFS: readonly string[] = [
  "UTILITY_BILL",
  "RENT_OR_LEASE_AGREEMENT",
  "ELECTRICITY_BILL",
  "BANK_STATEMENT",
  "TAX_RETURN",
  "PROOF_OF_ADDRESS",
];
/** Three months since the upload. The document itself is at least that old. */
const OLDEST_ADDRESS_PROOF_MS = 92 * DAY_MS;
/** A year. A business that proved its existence earlier may have been dissolved since. */
const OLDEST_FORMATION_MS = 366 * DAY_MS;

export function businessDocumentErrors(
  customer: Customer,
  { documents, at }: { readonly documents: readonly HeldDocument[]; readonly at: number },
): readonly VerificationError[] {
  const resourceId = toCustomerId(customer.id);
  const own = documents.filter(({ holderId }) => holderId === customer.id);
  const errors = BUSINESS_NEEDS.flatMap(({ error, what, accepted }): VerificationError[] => {
    if (own.some(({ type }) => accepted.includes(type))) return [];
    const reason = `A document is needed that shows ${what}.`;
    return [{ resourceId, type: error, reason, acceptedDocumentTypes: accepted }];
  });
  const all = [
    ...errors,
    ...goodStandingErrors(resourceId, { own, at }),
    ...addressProofErrors(resourceId, { own, at }),
  ];
  return all.length === 0 ? [] : [...all, ...wrongTypes(own, OF_PERSONS)];
}

/** Documents of a type that proves nothing for this holder. They are reported only when a proof is missing. */
function wrongTypes(
  own: readonly HeldDocument[],
  strange: readonly string[],
): readonly VerificationError[] {
  return own
    .filter(({ type }) => strange.includes(type))
    .map((document) => ({
      resourceId: toDocumentId(document),
      type: "WRONG_DOCUMENT_TYPE",
      reason: "A document of this kind does not show what is needed here.",
    }));
}

/** Requires a proof of good standing when every proof of formation is older than `OLDEST_FORMATION_MS`. */
function goodStandingErrors(
  resourceId: string,
  { own, at }: { readonly own: readonly HeldDocument[]; readonly at: number },
): readonly VerificationError[] {
  const isFresh = ({ broughtAt }: HeldDocument) => at - broughtAt <= OLDEST_FORMATION_MS;
  const formation = own.filter(({ type }) => FORMATION_DOCUMENTS.includes(type));
  const standing = own.filter(({ type }) => type === GOOD_STANDING);
  if (formation.length === 0 || [...formation, ...standing].some(isFresh)) return [];
  return [
    {
      resourceId,
      type: "MISSING_GOOD_STANDING_DOCUMENT",
      reason: "A document is needed that shows that the business still exists.",
      acceptedDocumentTypes: [GOOD_STANDING],
    },
  ];
}

const GOOD_STANDING = "GOOD_STANDING_CERTIFICATE";

function addressProofErrors(
  resourceId: string,
  { own, at }: { readonly own: readonly HeldDocument[]; readonly at: number },
): readonly VerificationError[] {
  const proofs = own.filter(({ type }) => ADDRESS_PROOFS.includes(type));
  const [oldest] = proofs;
  if (oldest === undefined) {
    return [
      {
        resourceId,
        type: "MISSING_PROOF_OF_ADDRESS_DOCUMENT",
        reason: "A document is needed that shows where the business is.",
        acceptedDocumentTypes: ADDRESS_PROOFS,
      },
    ];
  }
  if (proofs.some(({ broughtAt }) => at - broughtAt <= OLDEST_ADDRESS_PROOF_MS)) return [];
  return [
    {
      resourceId: toDocumentId(oldest),
      type: "EXPIRED_DOCUMENT",
      reason: "A proof of address may be three months old at most.",
      acceptedDocumentTypes: ADDRESS_PROOFS,
    },
  ];
}

export interface Holder {
  /** Wire id. */
  readonly resourceId: string;
  readonly holderId: string;
}

/** The faults of a person's identity documents; empty when each group of types has a valid one. */
export function identityErrors(
  holder: Holder,
  documents: readonly HeldDocument[],
  groups: readonly (readonly string[])[] = [IDENTITY_DOCUMENTS],
): readonly VerificationError[] {
  const held = documents.filter(({ holderId }) => holderId === holder.holderId);
  const errors = groups.flatMap((accepted) => groupErrors(holder, held, accepted));
  return errors.length === 0 ? [] : [...errors, ...wrongTypes(held, OF_BUSINESSES)];
}

function groupErrors(
  { resourceId }: Holder,
  held: readonly HeldDocument[],
  accepted: readonly string[],
): readonly VerificationError[] {
  const own = held.filter(({ type }) => accepted.includes(type));
  const [first] = own;
  if (first === undefined) {
    return [
      {
        resourceId,
        type: "MISSING_IDENTITY_DOCUMENT",
        reason: "A document is needed that shows who the person is.",
        acceptedDocumentTypes: accepted,
      },
    ];
  }
  const kinds = accepted.filter((type) => own.some((one) => one.type === type));
  const faults = kinds.map((type) => faultsOf(own.filter((one) => one.type === type)));
  return faults.some((found) => found.length === 0) ? [] : (faults[0] ?? []);
}

/** The faults of the images of one document. */
function faultsOf(images: readonly HeldDocument[]): readonly VerificationError[] {
  const [first] = images;
  if (first === undefined) return [];
  const resourceId = toDocumentId(first);
  const errors: VerificationError[] = [];
  for (const side of ["FRONT", "BACK"] as const) {
    if (first.type === "PASSPORT" || images.some((image) => image.side === side)) continue;
    const reason = `The ${side.toLowerCase()} of the document is missing.`;
    errors.push({ resourceId, type: "INCOMPLETE_DOCUMENT", reason });
  }
  for (const field of ["documentNumber", "issuingAuthority"] as const) {
    if (images.some((image) => image[field] !== null)) continue;
    errors.push({ resourceId, type: "MISSING_FIELD", reason: `${field} is missing.`, field });
  }
  return errors;
}

export function toDocumentId({ id }: Pick<HeldDocument, "id">): string {
  return `Document:${id}`;
}

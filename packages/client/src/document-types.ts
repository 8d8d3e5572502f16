import type { Open, PageQuery, Timestamp } from "./types.ts";

export type DocumentType = Open<
  | "PASSPORT"
  | "DRIVERS_LICENSE"
  | "NATIONAL_ID"
  | "PROOF_OF_ADDRESS"
  | "BANK_STATEMENT"
  | "TAX_RETURN"
  | "CERTIFICATE_OF_INCORPORATION"
  | "ARTICLES_OF_INCORPORATION"
  | "ARTICLES_OF_ASSOCIATION"
  | "STATE_REGISTRY_EXCERPT"
  | "GOOD_STANDING_CERTIFICATE"
  | "INFORMATION_STATEMENT"
  | "INCUMBENCY_CERTIFICATE"
  | "BUSINESS_LICENSE"
  | "SHAREHOLDER_REGISTER"
  | "POWER_OF_ATTORNEY"
  | "UTILITY_BILL"
  | "ELECTRICITY_BILL"
  | "RENT_OR_LEASE_AGREEMENT"
  | "DIRECTOR_REGISTRY"
  | "TRUST_AGREEMENT"
  | "STATE_COMPANY_REGISTRY"
  | "PARTNERSHIP_CONTROL_AGREEMENT"
  | "PARTNERSHIP_AGREEMENT"
  | "SELFIE"
  | "OTHER"
>;

export interface DocumentFacts {
  readonly documentType: DocumentType;
  /** Who issued it: ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly side?: "FRONT" | "BACK";
  readonly documentNumber?: string;
  readonly issuingAuthority?: string;
}

/** A PDF, JPEG or PNG of at most 10 MB. */
export interface DocumentFile {
  readonly file: Blob;
  readonly fileName: string;
}

export interface NewDocument extends DocumentFacts, DocumentFile {
  /** Id of a customer or of an owner. */
  readonly documentHolder: string;
}

export interface DocumentReplacement extends DocumentFacts, DocumentFile {}

/** What is known of a document; its file is never given out. */
export interface Document extends DocumentFacts {
  readonly id: string;
  readonly documentHolder: string;
  readonly fileName: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

export interface DocumentQuery extends PageQuery {
  readonly documentHolder?: string;
}

export interface BulkUpload {
  readonly jobId: string;
  readonly status: BulkJobStatus;
}

export type BulkJobStatus = Open<"PENDING" | "PROCESSING" | "COMPLETED" | "FAILED">;

export interface BulkJob {
  readonly id: string;
  readonly status: BulkJobStatus;
  readonly progress: {
    /** Rows of the file; 0 until it was looked through. */
    readonly total: number;
    readonly processed: number;
    readonly successful: number;
    readonly failed: number;
  };
  /** The first refused rows, in the file's order. */
  readonly errors: readonly {
    /** The row's `platformCustomerId`, or its number, such as `row_1`. */
    readonly correlationId: string;
    readonly code: string;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
  }[];
  /** There when the job is over. */
  readonly completedAt?: Timestamp;
}

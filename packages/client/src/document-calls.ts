import type { ReplaceDocumentBody, UploadDocumentBody } from "./api-types.ts";
import type { DocumentQuery } from "./names.ts";
import type { Send } from "./operations.ts";
import { list } from "./pages.ts";
import type { ReadOptions, RequestOptions } from "./transport.ts";

interface FileName {
  readonly fileName: string;
}

export type NewDocument = UploadDocumentBody & FileName;
export type DocumentReplacement = ReplaceDocumentBody & FileName;

export function documentCalls(send: Send) {
  return {
    upload: (document: NewDocument, options?: RequestOptions) =>
      send<"uploadDocument">(
        { method: "POST", path: ["documents"], body: formOf(document) },
        options,
      ),
    list: (query?: DocumentQuery, options?: ReadOptions) =>
      list<"listDocuments">(send, { method: "GET", path: ["documents"], query }, options),
    get: (id: string, options?: ReadOptions) =>
      send<"getDocument">({ method: "GET", path: ["documents", id] }, options),
    replace: (id: string, document: DocumentReplacement, options?: ReadOptions) =>
      send<"replaceDocument">(
        { method: "PUT", path: ["documents", id], body: formOf(document) },
        options,
      ),
    delete: (id: string, options?: ReadOptions) =>
      send<"deleteDocument">({ method: "DELETE", path: ["documents", id] }, options),
  };
}

export function bulkCustomerCalls(send: Send) {
  return {
    /** Uploads a CSV file of customers; `job` returns the progress. */
    upload: (file: Blob, options?: RequestOptions) => {
      const body = formOf({ file, fileName: "customers.csv" });
      return send<"uploadCustomersCsv">(
        { method: "POST", path: ["customers", "bulk", "csv"], body },
        options,
      );
    },
    job: (id: string, options?: ReadOptions) =>
      send<"getBulkCustomerJob">(
        { method: "GET", path: ["customers", "bulk", "jobs", id] },
        options,
      ),
  };
}

/** A form with the fields that are defined, and the file. */
export function formOf({
  file,
  fileName,
  ...fields
}: FileName & { readonly file: Blob }): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, String(value));
  }
  form.append("file", file, fileName);
  return form;
}

import { list } from "./calls.ts";
import type {
  BulkJob,
  BulkUpload,
  Document,
  DocumentFile,
  DocumentQuery,
  DocumentReplacement,
  NewDocument,
} from "./document-types.ts";
import type { ReadOptions, RequestOptions, Send } from "./transport.ts";

export function documentCalls(send: Send) {
  return {
    upload: (document: NewDocument, options?: RequestOptions): Promise<Document> =>
      send({ method: "POST", path: ["documents"], body: formOf(document) }, options),
    list: (query?: DocumentQuery, options?: ReadOptions) =>
      list<Document>(send, { path: ["documents"], query, options }),
    get: (id: string, options?: ReadOptions): Promise<Document> =>
      send({ method: "GET", path: ["documents", id] }, options),
    replace: (
      id: string,
      document: DocumentReplacement,
      options?: ReadOptions,
    ): Promise<Document> =>
      send({ method: "PUT", path: ["documents", id], body: formOf(document) }, options),
    delete: (id: string, options?: ReadOptions): Promise<void> =>
      send({ method: "DELETE", path: ["documents", id] }, options),
  };
}

export function bulkCustomerCalls(send: Send) {
  const path = ["customers", "bulk"];
  return {
    /** Takes in a CSV file; `job` tells how it goes on. */
    upload: (file: Blob, options?: RequestOptions): Promise<BulkUpload> => {
      const body = formOf({ file, fileName: "customers.csv" });
      return send({ method: "POST", path: [...path, "csv"], body }, options);
    },
    job: (id: string, options?: ReadOptions): Promise<BulkJob> =>
      send({ method: "GET", path: [...path, "jobs", id] }, options),
  };
}

/** The fields that are there, and the file under its name. */
function formOf({ file, fileName, ...fields }: DocumentFile): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, String(value));
  }
  form.append("file", file, fileName);
  return form;
}

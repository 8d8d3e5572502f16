/** The documents of a customer, and of the owners of a business. */
import type { Document } from "@florin/client";
import { useQuery } from "@tanstack/react-query";
import type { CaseRoot } from "../../../api/own-operations.ts";
import { useMay, usePlatform } from "../../../api/platform.ts";
import { OWN_BASE } from "../../../api/platform-send.ts";
import { sessionFetch } from "../../../api/session-fetch.ts";
import { wordOf } from "../../../text/messages.ts";

/** Each owner costs one call, so documents of owners beyond this number are not loaded together. */
const MOST_OWNERS = 20;

export interface DocumentsOf {
  readonly customerId: string;
  /** The case through which operators read documents of another platform. */
  readonly root?: CaseRoot;
}

export function useMayReadDocuments({ root }: DocumentsOf): boolean {
  return useMay(root === undefined ? "documents.read" : "system.verifications");
}

export function useDocuments(of: DocumentsOf) {
  const { id, send } = usePlatform();
  const isOff = !useMayReadDocuments(of);
  const { customerId, root } = of;
  return useQuery({
    queryKey: [id, "documents", "of", customerId],
    enabled: !isOff,
    queryFn: async ({ signal }): Promise<readonly Document[]> => {
      if (root !== undefined) {
        const path = [...root, "documents"] as const;
        const { data } = await send<"listCaseDocuments">({ method: "GET", path }, { signal });
        return data;
      }
      const owners = await send<"listBeneficialOwners">(
        {
          method: "GET",
          path: ["beneficial-owners"],
          query: { customerId, limit: MOST_OWNERS },
        },
        { signal },
      );
      const holders = [customerId, ...owners.data.map((owner) => owner.id)];
      const pages = await Promise.all(
        holders.map((documentHolder) =>
          send<"listDocuments">(
            { method: "GET", path: ["documents"], query: { documentHolder, limit: 100 } },
            { signal },
          ),
        ),
      );
      return pages.flatMap(({ data }) => data);
    },
  });
}

export function documentName({ documentType, side }: Document): string {
  const type = wordOf("documentType", documentType);
  return side === undefined ? type : `${type}, ${wordOf("documentSide", side).toLowerCase()}`;
}

export type DocumentFile =
  | { readonly kind: "image"; readonly image: ImageBitmap }
  | { readonly kind: "pdf"; readonly bytes: ArrayBuffer; readonly url: string }
  | { readonly kind: "file"; readonly url: string };

const PDF_BEGINS = "%PDF-";

/** Loads the file: an image's pixels, a PDF's bytes, or a download of any other type. */
export function useDocumentFile({ root }: DocumentsOf, documentId: string) {
  const { id } = usePlatform();
  return useQuery({
    queryKey: [id, "documents", documentId, "content"],
    // The server writes an audit entry for each read, so a file is read once.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<DocumentFile> => {
      const below = root === undefined ? `p/${id}` : root.join("/");
      const url = `${OWN_BASE}/${below}/documents/${documentId}/content`;
      const response = await sessionFetch(url, { signal });
      if (!response.ok) throw new Error(await messageOf(response));
      const bytes = await response.blob();
      const beginning = await bytes.slice(0, PDF_BEGINS.length).text();
      if (beginning === PDF_BEGINS) return { kind: "pdf", bytes: await bytes.arrayBuffer(), url };
      try {
        return { kind: "image", image: await createImageBitmap(bytes) };
      } catch {
        return { kind: "file", url };
      }
    },
  });
}

async function messageOf(response: Response): Promise<string> {
  const body: { readonly message?: unknown } = await response.json().catch(() => ({}));
  return typeof body.message === "string" ? body.message : String(response.status);
}

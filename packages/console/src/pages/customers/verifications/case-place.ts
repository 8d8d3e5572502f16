/** Where the cases of a queue are: at the platform that is open, or, for operators, at all that leave their verifications to them. */
import { createContext, useContext } from "react";
import type { Call } from "../../../api/operations.ts";
import type { CaseRoot, VerificationCase } from "../../../api/own-operations.ts";
import type { DocumentsOf } from "../documents/documents.ts";

export interface CasePlace {
  /** Of the list, below the open platform. */
  readonly list: string;
  readonly queue: Call<"listVerificationCases">["path"];
  /** What a person needs to decide. */
  readonly capability: string;
  /** The cases are of other platforms: beside them and their documents nothing can be read. */
  readonly isForeign: boolean;
  readonly rootOf: (found: Pick<VerificationCase, "id" | "platform">) => CaseRoot;
  readonly pageOf: (found: Pick<VerificationCase, "id" | "platform">) => string;
}

export const ownCases: CasePlace = {
  list: "verifications",
  queue: ["verifications", "queue"],
  capability: "verifications.decide",
  isForeign: false,
  rootOf: ({ id }) => ["verifications", id],
  pageOf: ({ id }) => `verifications/${id}`,
};

export const operatorsCases: CasePlace = {
  list: "system-verifications",
  queue: ["system", "verifications"],
  capability: "system.verifications",
  isForeign: true,
  rootOf: ({ id, platform }) => ["system", "platforms", platform?.id ?? "", "verifications", id],
  pageOf: ({ id, platform }) => `system-verifications/${platform?.id}/${id}`,
};

export const CasePlaceContext = createContext(ownCases);

export function useCasePlace(): CasePlace {
  return useContext(CasePlaceContext);
}

export function useDocumentsOf(found: VerificationCase): DocumentsOf {
  const { isForeign, rootOf } = useCasePlace();
  const { customerId } = found;
  return isForeign ? { customerId, root: rootOf(found) } : { customerId };
}

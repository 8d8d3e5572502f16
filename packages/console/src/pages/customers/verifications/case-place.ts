/** The paths of a queue's cases: of the open platform or, for operators, of all platforms that delegate verifications to them. */
import { createContext, useContext } from "react";
import type { Call } from "../../../api/operations.ts";
import type { CaseRoot, VerificationCase } from "../../../api/own-operations.ts";
import type { DocumentsOf } from "../documents/documents.ts";

export interface CasePlace {
  /** The path of the list, below the open platform. */
  readonly list: string;
  readonly queue: Call<"listVerificationCases">["path"];
  /** The capability that a decision requires. */
  readonly capability: string;
  /** The cases belong to other platforms, so only the case and its documents can be read. */
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

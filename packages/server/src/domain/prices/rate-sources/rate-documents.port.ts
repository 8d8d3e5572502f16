/** Reading the document of a source, which is outside. */
import type { ObservedValue } from "./observed-rates.ts";
import type { RateSource } from "./rate-source.ts";

/** What was read of a document. */
export type ReadDocument =
  | {
      readonly kind: "values";
      /** The moment that the document says it is of; null when it says none: then it is the moment of reading. */
      readonly asOf: number | null;
      readonly digest: string;
      readonly values: readonly ObservedValue[];
    }
  | { readonly kind: "failed"; readonly code: string; readonly message: string };

export interface RateDocuments {
  /** Never throws. */
  fetch(platformId: string, source: RateSource): Promise<ReadDocument>;
}

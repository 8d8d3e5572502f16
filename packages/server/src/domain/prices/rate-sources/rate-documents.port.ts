/** Reads the document of a source from its server. */
import type { ObservedValue } from "./observed-rates.ts";
import type { RateSource } from "./rate-source.ts";

/** The result of reading a document. */
export type ReadDocument =
  | {
      readonly kind: "values";
      /** The time that the document states; null when it states none: then the time of reading counts. */
      readonly asOf: number | null;
      readonly digest: string;
      readonly values: readonly ObservedValue[];
    }
  | { readonly kind: "failed"; readonly code: string; readonly message: string };

export interface RateDocuments {
  /** Never throws. */
  fetch(platformId: string, source: RateSource): Promise<ReadDocument>;
}

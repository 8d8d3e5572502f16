import type { JsonObject } from "../../std/json.ts";

/** What a lookup said about the holder of a UMA address, as far as a quote needs it. */
export interface UmaReceiver {
  readonly umaAddress: string;
  /** Data about the sender that the receiving side wants. */
  readonly requiredPayerFields: readonly {
    readonly name: string;
    readonly mandatory: boolean;
  }[];
  /** What the receiving side tells about its customer. */
  readonly counterpartyInformation: JsonObject;
  /** Receivable amounts in the chosen currency. */
  readonly minReceivingMinor: bigint;
  readonly maxReceivingMinor: bigint;
}

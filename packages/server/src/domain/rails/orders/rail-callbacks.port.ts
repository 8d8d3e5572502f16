/** What the operation that takes callbacks needs from the protocol of connectors. */
import type { FieldError } from "../../../engine/refusal.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { ToldEntry } from "../entries/rail-entry.ts";
import type { RailReport } from "./rail-report.ts";

export interface SignedCallback {
  /** Undefined when the path names no uuid. */
  readonly connectionId: string | undefined;
  readonly header: string | undefined;
  readonly path: string;
  readonly body: Buffer;
}

export type ToldByCallback =
  | { readonly kind: "payment"; readonly paymentId: string; readonly report: RailReport }
  | { readonly kind: "entry"; readonly entry: ToldEntry };

export type ReadCallback =
  | {
      readonly ok: true;
      readonly eventId: string;
      readonly told: ToldByCallback;
    }
  | { readonly ok: false; readonly error: FieldError };

export interface RailCallbacks {
  /** The sender of the callback; undefined unless a live connection signed it recently and it is not a replay. */
  verify(
    callback: SignedCallback,
  ): Promise<{ readonly platformId: string; readonly connectionId: string } | undefined>;
  /** The rate limit: 0, or the seconds until the connection may send again. */
  limit(connectionId: string): number;
  read(body: JsonObject | undefined): ReadCallback;
}

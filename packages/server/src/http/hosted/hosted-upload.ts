/** A hosted form with a file: checked like any other form of ours, read like any other upload. */
import type { IncomingMessage } from "node:http";
import { Refusal } from "../../engine/refusal.ts";
import type { Clock } from "../../std/clock.ts";
import { createIncomingForm, type FormLimits } from "../upload/form.ts";
import type { FormSlots } from "../upload/form-slots.ts";
import { boundaryOf } from "../upload/part-head.ts";
import { refuseForeignSite, tokenIn } from "./form.ts";
import type { FormTokens } from "./form-token.ts";
import type { HostedRequest, HostedUpload } from "./hosted-page.ts";

export interface UploadTools {
  readonly raw: IncomingMessage;
  /** Of the page: its token is good there alone. */
  readonly path: string;
  readonly formTokens: FormTokens;
  readonly formLimits: FormLimits;
  readonly formSlots: FormSlots;
  readonly clock: Clock;
}

/** `release` gives back the place that the form took, if it took one. */
export function createUpload(
  request: HostedRequest,
  { raw, path, formTokens, formLimits: limits, formSlots, clock }: UploadTools,
): { readonly form: HostedUpload; release(): void } {
  refuseForeignSite(raw.headers);
  const boundary = boundaryOf(raw.headers);
  let release = (): void => undefined;
  return {
    release: () => release(),
    form: {
      ...request,
      open({ platformId, file, checkFields, toIdempotency }) {
        const slot = formSlots.take(platformId);
        release = slot.release;
        return createIncomingForm({
          request: raw,
          boundary,
          note: { file },
          clock,
          limits,
          checkFields(sent) {
            const fields = new Map(Object.entries(sent as Record<string, string>));
            if (!formTokens.isSound(path, tokenIn(fields))) throw new Refusal("FORBIDDEN");
            checkFields(fields);
          },
          holdSlot: slot.hold,
          toIdempotency,
        });
      },
    },
  };
}

/** Uploads of hosted pages: checked like any hosted form, read like any upload of the API. */
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
  /** The path of the page, to which the form token is bound. */
  readonly path: string;
  readonly formTokens: FormTokens;
  readonly formLimits: FormLimits;
  readonly formSlots: FormSlots;
  readonly clock: Clock;
}

/** `release` frees the form slot, if the upload took one. */
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

/**
 * Serves one hosted page: applies the rate limit, then renders the page, or reads the form, checks its origin and
 * submits it. Every error becomes a page here.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Refusal } from "../../engine/refusal.ts";
import type { Clock } from "../../std/clock.ts";
import { addressKey } from "../auth/address-key.ts";
import type { CallLog } from "../server/call-log.ts";
import type { CallerAddress } from "../server/caller-address.ts";
import { rateLimited, toAnswerOfThrown } from "../server/errors.ts";
import type { FailureLog } from "../server/failure-log.ts";
import type { GuestLimiter } from "../server/guest-limiter.ts";
import type { Metrics } from "../server/metrics.ts";
import type { RateLimiter } from "../server/rate-limit.ts";
import type { Sender, SentPage } from "../server/send.ts";
import { type BodyLimits, bodyOf, shouldCloseConnection } from "../upload/body.ts";
import type { FormLimits } from "../upload/form.ts";
import type { FormSlots } from "../upload/form-slots.ts";
import { FORM_BYTES, readForm, refuseForeignForm, tokenIn } from "./form.ts";
import type { FormTokens } from "./form-token.ts";
import type { HostedPage, HostedRequest, HostedSubmission, Sheet, Shown } from "./hosted-page.ts";
import { createUpload } from "./hosted-upload.ts";
import { hostedPolicy, renderSheet } from "./layout.ts";
import { html } from "./markup.ts";
import { refusedSheet } from "./refused-sheet.ts";

export interface HostedTools<C> {
  readonly context: C;
  readonly formTokens: FormTokens;
  /** Per address. */
  readonly limiter: RateLimiter;
  readonly guests: GuestLimiter;
  readonly addressOf: CallerAddress;
  readonly sender: Sender;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly failureLog: FailureLog;
  readonly callLog: CallLog;
  readonly bodyLimits: BodyLimits;
  /** Limits of forms with files. */
  readonly formLimits: FormLimits;
  readonly formSlots: FormSlots;
}

export interface HostedArrival {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
}

export interface HostedRoute {
  show(arrival: HostedArrival): void;
  /** Undefined for a page without a form. */
  readonly submit: ((arrival: HostedArrival) => void) | undefined;
}

export function createHostedRoute<C>(page: HostedPage<C>, tools: HostedTools<C>): HostedRoute {
  const { context, sender, clock, callLog } = tools;
  const figures = tools.metrics.requests(page.id);

  async function answer(arrival: HostedArrival, make: () => Promise<Shown>): Promise<void> {
    const { response, requestId } = arrival;
    const startedAt = clock.now();
    const { sheet, headers, closeConnection, refusal } = await sheetFor(page, tools, {
      arrival,
      make,
    });
    sender.page(response, requestId, {
      status: sheet.status,
      closeConnection,
      headers: ["X-Robots-Tag", "noindex, nofollow", ...headers],
      contentType: "text/html; charset=utf-8",
      contentPolicy: hostedPolicy,
      body: renderSheet(sheet),
    });
    const { status } = sheet;
    const durationMs = clock.now() - startedAt;
    figures.record(status, durationMs);
    callLog.record({ requestId, operationId: page.id, status, durationMs, body: refusal });
  }

  return {
    show: (arrival) =>
      void answer(arrival, async () => page.show(requestOf(tools, arrival), context)),
    submit: submitter(page, tools, answer),
  };
}

function submitter<C>(
  { submit, upload }: HostedPage<C>,
  tools: HostedTools<C>,
  answer: (arrival: HostedArrival, make: () => Promise<Shown>) => Promise<void>,
): HostedRoute["submit"] {
  const { context } = tools;
  if (submit !== undefined) {
    return (arrival) =>
      void answer(arrival, async () => submit(await submissionOf(tools, arrival), context));
  }
  if (upload === undefined) return undefined;
  return (arrival) =>
    void answer(arrival, async () => {
      const { form, release } = createUpload(requestOf(tools, arrival), {
        ...tools,
        raw: arrival.raw,
        path: pathOf(arrival.raw),
      });
      return upload(form, context).finally(release);
    });
}

interface Attempt {
  readonly arrival: HostedArrival;
  readonly make: () => Promise<Shown>;
}

interface Prepared extends Required<Pick<SentPage, "closeConnection">> {
  readonly sheet: Sheet;
  readonly headers: readonly string[];
  /** What a call of the API would have been refused with. */
  readonly refusal?: string;
}

/** The page and its headers, or a page that explains the error. */
async function sheetFor<C>(
  { id: operationId, upload }: HostedPage<C>,
  { limiter, guests, addressOf, failureLog }: HostedTools<C>,
  { arrival, make }: Attempt,
): Promise<Prepared> {
  const { raw, requestId } = arrival;
  try {
    const seconds = limiter.take(addressKey(addressOf(raw)));
    if (seconds > 0) throw rateLimited(seconds);
    const { sheet, headers } = toSheet(await make());
    return { sheet, headers, closeConnection: leavesBodyUnread(raw, upload !== undefined) };
  } catch (thrown) {
    const answer = toAnswerOfThrown(thrown, { requestId, operationId, failureLog });
    const { status, retryAfterSeconds } = answer;
    const isOverLimit = status === 429 && guests.charge(raw);
    const retry = retryAfterSeconds === undefined ? [] : ["Retry-After", String(retryAfterSeconds)];
    const mayBeUnread = status === 413 || upload !== undefined;
    const closeConnection =
      answer.closeConnection === true || isOverLimit || leavesBodyUnread(raw, mayBeUnread);
    const sheet = refusedSheet(status, requestId);
    return { sheet, headers: retry, closeConnection, refusal: answer.body };
  }
}

/** True when the rest of the body is not read, so the connection must be closed. */
function leavesBodyUnread(raw: IncomingMessage, mayBeUnread: boolean): boolean {
  const isUnread = mayBeUnread && raw.method === "POST" && !raw.complete;
  return isUnread && shouldCloseConnection(raw.headers);
}

function toSheet(shown: Shown): { readonly sheet: Sheet; readonly headers: readonly string[] } {
  if ("seeOther" in shown) {
    const content = html`<p><a href="${shown.seeOther}">Go on</a></p>`;
    return {
      sheet: { status: 303, title: "Saved", content },
      headers: ["Location", shown.seeOther],
    };
  }
  const { redirectTo } = shown;
  return {
    sheet: shown,
    headers: redirectTo === undefined ? [] : ["Refresh", `0; url=${redirectTo}`],
  };
}

function requestOf<C>(
  { formTokens }: HostedTools<C>,
  { raw, params }: HostedArrival,
): HostedRequest {
  return { params, formToken: formTokens.issue(pathOf(raw)) };
}

/** The key under which the forms of all hosted pages share body memory. */
const HOSTED = "hosted";

async function submissionOf<C>(
  tools: HostedTools<C>,
  arrival: HostedArrival,
): Promise<HostedSubmission> {
  refuseForeignForm(arrival.raw.headers);
  const limits = { ...tools.bodyLimits, bytes: FORM_BYTES };
  const fields = readForm(await bodyOf(arrival.raw, limits, HOSTED));
  if (!tools.formTokens.isSound(pathOf(arrival.raw), tokenIn(fields)))
    throw new Refusal("FORBIDDEN");
  return { ...requestOf(tools, arrival), fields };
}

/** The path of the request, as a form token is bound to it. */
function pathOf({ url = "" }: IncomingMessage): string {
  const mark = url.indexOf("?");
  return mark === -1 ? url : url.slice(0, mark);
}

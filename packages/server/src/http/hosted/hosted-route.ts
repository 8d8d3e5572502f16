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
import { createIncomingForm, type FormLimits } from "../upload/form.ts";
import type { FormSlots } from "../upload/form-slots.ts";
import { boundaryOf } from "../upload/multipart.ts";
import type { Brand } from "./brand/brand.ts";
import { copyBox } from "./copy-script.ts";
import { FORM_BYTES, readForm, refuseForeignForm, refuseForeignSite, tokenIn } from "./form.ts";
import type { FormTokens } from "./form-token.ts";
import type {
  HostedFile,
  HostedPage,
  HostedRequest,
  HostedSubmission,
  HostedUpload,
  Sheet,
  Shown,
} from "./hosted-page.ts";
import type { Catalogues, TextKey } from "./language/catalogue.ts";
import { type Chosen, chooseLanguage } from "./language/choose-language.ts";
import type { Language } from "./language/language.ts";
import { layOut } from "./layout.ts";
import { html } from "./markup.ts";

export interface HostedTools<C> {
  readonly context: C;
  readonly formTokens: FormTokens;
  readonly catalogues: Catalogues;
  /** Limits the requests of each address. */
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

  async function answer(arrival: HostedArrival, make: Make): Promise<void> {
    const { response, requestId } = arrival;
    const startedAt = clock.now();
    const visit = { arrival, chosen: choiceOf(arrival.raw, tools) };
    const prepared = await prepare(page, tools, { visit, make });
    const { status, headers, closeConnection, refusal } = prepared;
    sender.page(response, requestId, {
      status,
      closeConnection,
      headers: [...COMMON_HEADERS, ...headers],
      ...contentOf(prepared, { ...visit.chosen, ...tools }),
    });
    const durationMs = clock.now() - startedAt;
    figures.record(status, durationMs);
    callLog.record({ requestId, operationId: page.id, status, durationMs, body: refusal });
  }

  return {
    show: (arrival) =>
      void answer(arrival, async (visit) => page.show(requestOf(tools, visit), context)),
    submit: submitter(page, tools, answer),
  };
}

/** A request and the language that its answer has, be it a page or a refusal. */
interface Visit {
  readonly arrival: HostedArrival;
  readonly chosen: Chosen;
}

type Make = (visit: Visit) => Promise<Shown>;

function choiceOf(
  { url = "", headers }: IncomingMessage,
  tools: Pick<HostedTools<never>, "catalogues">,
) {
  const mark = url.indexOf("?");
  const query = new URLSearchParams(mark === -1 ? "" : url.slice(mark));
  const acceptLanguage = headers["accept-language"] ?? "";
  return chooseLanguage(tools.catalogues, { lang: query.get("lang"), acceptLanguage });
}

function submitter<C>(
  { submit, upload }: HostedPage<C>,
  tools: HostedTools<C>,
  answer: (arrival: HostedArrival, make: Make) => Promise<void>,
): HostedRoute["submit"] {
  const { context } = tools;
  if (submit !== undefined) {
    return (arrival) =>
      void answer(arrival, async (visit) => submit(await submissionOf(tools, visit), context));
  }
  if (upload === undefined) return undefined;
  return (arrival) =>
    void answer(arrival, async (visit) => {
      const { form, release } = createUpload(requestOf(tools, visit), {
        ...tools,
        raw: arrival.raw,
        path: pathOf(arrival.raw),
      });
      return upload(form, context).finally(release);
    });
}

interface Prepared extends Required<Pick<SentPage, "closeConnection" | "status">> {
  readonly content: Sheet | HostedFile;
  /** The brand of the platform whose link it is, if that is known. */
  readonly brand: Brand | undefined;
  readonly headers: readonly string[];
  /** The code with which the API would refuse such a call. */
  readonly refusal?: string;
}

/** The page or the file, or a page that explains the error. */
async function prepare<C>(
  page: HostedPage<C>,
  { context, limiter, guests, addressOf, failureLog }: HostedTools<C>,
  { visit, make }: { readonly visit: Visit; readonly make: Make },
): Promise<Prepared> {
  const { id: operationId, upload } = page;
  const { arrival, chosen } = visit;
  const { raw, requestId } = arrival;
  let brand: Brand | undefined;
  try {
    const seconds = limiter.take(addressKey(addressOf(raw)));
    if (seconds > 0) throw rateLimited(seconds);
    brand = await page.brandOf?.(arrival.params, context);
    const shown = toContent(await make(visit), chosen.language);
    return { ...shown, brand, closeConnection: leavesBodyUnread(raw, upload !== undefined) };
  } catch (thrown) {
    const answer = toAnswerOfThrown(thrown, { requestId, operationId, failureLog });
    const { status, retryAfterSeconds } = answer;
    const isOverLimit = status === 429 && guests.charge(raw);
    const retry = retryAfterSeconds === undefined ? [] : ["Retry-After", String(retryAfterSeconds)];
    const mayBeUnread = status === 413 || upload !== undefined;
    const closeConnection =
      answer.closeConnection === true || isOverLimit || leavesBodyUnread(raw, mayBeUnread);
    const content = refusedSheet(status, requestId, chosen.language);
    return { status, content, brand, headers: retry, closeConnection, refusal: answer.body };
  }
}

/** Restricts the browser: all features are off, except writing to the clipboard for the copy buttons. */
const COMMON_HEADERS: readonly string[] = [
  "X-Robots-Tag",
  "noindex, nofollow",
  "X-Frame-Options",
  "DENY",
  "Cross-Origin-Resource-Policy",
  "same-origin",
  "Permissions-Policy",
  "camera=(), clipboard-read=(), clipboard-write=(self), display-capture=(), geolocation=(), microphone=(), " +
    "payment=(), publickey-credentials-get=(), usb=()",
];

const FILE_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

function contentOf(
  { content, brand }: Prepared,
  frame: Chosen & Pick<HostedTools<never>, "catalogues">,
): Omit<SentPage, "status" | "headers"> {
  if ("file" in content) {
    const { mediaType, bytes } = content.file;
    return {
      contentType: mediaType,
      contentPolicy: FILE_POLICY,
      body: bytes,
      // The path holds the secret of the link: no shared cache may keep it.
      cacheControl: "private, max-age=31536000, immutable",
      isOwnBuffer: true,
    };
  }
  const { language, catalogues } = frame;
  return {
    contentType: "text/html; charset=utf-8",
    ...layOut(content, { brand, language, catalogues }),
  };
}

/** True when the rest of the body is not read, so the connection must be closed. */
function leavesBodyUnread(raw: IncomingMessage, mayBeUnread: boolean): boolean {
  const isUnread = mayBeUnread && raw.method === "POST" && !raw.complete;
  return isUnread && shouldCloseConnection(raw.headers);
}

function toContent(
  shown: Shown,
  language: Language,
): Pick<Prepared, "status" | "content" | "headers"> {
  if ("file" in shown) return { status: 200, content: shown, headers: [] };
  if ("seeOther" in shown) {
    const { seeOther } = shown;
    const content = html`<p><a href="${seeOther}">${language.text("goOn")}</a></p>`;
    return {
      status: 303,
      content: { status: 303, title: language.text("saved"), content },
      headers: ["Location", seeOther],
    };
  }
  const { status, redirectTo } = shown;
  const headers = redirectTo === undefined ? [] : ["Refresh", `0; url=${redirectTo}`];
  return { status, content: shown, headers };
}

function requestOf<C>({ formTokens }: HostedTools<C>, { arrival, chosen }: Visit): HostedRequest {
  const { raw, params } = arrival;
  const { language, asked } = chosen;
  return {
    params,
    formToken: formTokens.issue(pathOf(raw)),
    language,
    linkTo: (path) => (asked === undefined ? path : `${path}?lang=${asked}`),
  };
}

/** The key under which the forms of all hosted pages share body memory. */
const HOSTED = "hosted";

async function submissionOf<C>(tools: HostedTools<C>, visit: Visit): Promise<HostedSubmission> {
  const { arrival } = visit;
  refuseForeignForm(arrival.raw.headers);
  const limits = { ...tools.bodyLimits, bytes: FORM_BYTES };
  const fields = readForm(await bodyOf(arrival.raw, limits, HOSTED));
  if (!tools.formTokens.isSound(pathOf(arrival.raw), tokenIn(fields)))
    throw new Refusal("FORBIDDEN");
  return { ...requestOf(tools, visit), fields };
}

/** The path of the request, as a form token is bound to it. */
function pathOf({ url = "" }: IncomingMessage): string {
  const mark = url.indexOf("?");
  return mark === -1 ? url : url.slice(0, mark);
}

/** The page that is shown when a page or a form is refused. */
function refusedSheet(status: number, requestId: string, language: Language): Sheet {
  const [title, advice] = textsOf(status);
  const trace =
    status < 500
      ? undefined
      : html`<p class="soft">${language.text("askForHelp")}</p>${copyBox({
          id: "request-id",
          text: requestId,
          button: language.text("copyNumber"),
          done: language.text("copied"),
          failed: language.text("copyByHand"),
        })}`;
  return {
    status,
    title: language.text(title),
    content: html`<p>${language.text(advice)}</p>${trace}`,
    copies: trace !== undefined,
  };
}

function textsOf(status: number): readonly [title: TextKey, advice: TextKey] {
  if (status === 403) return ["outOfDate", "openAgain"];
  if (status === 404) return ["nothingHere", "checkLink"];
  if (status === 429) return ["tooMany", "waitMoment"];
  if (status === 503) return ["busy", "waitMoment"];
  if (status >= 500) return ["ourFault", "tryLater"];
  return ["unreadable", "openAgain"];
}

interface UploadTools {
  readonly raw: IncomingMessage;
  /** The path of the page, to which the form token is bound. */
  readonly path: string;
  readonly formTokens: FormTokens;
  readonly formLimits: FormLimits;
  readonly formSlots: FormSlots;
  readonly clock: Clock;
}

/** `release` frees the form slot, if the upload took one. */
function createUpload(
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

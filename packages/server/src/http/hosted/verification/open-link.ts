/**
 * Opens a verification link: loads the customer and the missing items, or the page that explains why nothing can be
 * done.
 */
import { isDecided, standingOf } from "../../../domain/customers/customer.ts";
import { toHeldDocument } from "../../../domain/customers/verification/held-documents.ts";
import { missingBefore } from "../../../domain/customers/verification/judge.ts";
import type { ThroughLink } from "../../../domain/customers/verification/through-link.ts";
import type { VerificationError } from "../../../domain/customers/verification/verification.ts";
import {
  type FoundLink,
  findLink,
  platformOfLink,
} from "../../../domain/customers/verification/verification-link.sql.ts";
import {
  hashLinkCode,
  isLinkCode,
  linkStatusAt,
} from "../../../domain/customers/verification/verification-link.ts";
import type { Answered, Command, Idempotency } from "../../../engine/command.ts";
import type { FieldError } from "../../../engine/refusal.ts";
import { sha256 } from "../../../std/digest.ts";
import { canonicalJson } from "../../../std/json.ts";
import type { Services } from "../../request/services.ts";
import { linkHome } from "../../request/verification-links.ts";
import { type Brand, findBranding, toBrand } from "../brand/brand.ts";
import type { PlatformOf } from "../brand/logo-page.ts";
import type { HostedRequest, Sheet } from "../hosted-page.ts";
import type { TextKey } from "../language/catalogue.ts";
import type { Language } from "../language/language.ts";
import { html, type Markup, nothing } from "../markup.ts";
import type { Faults } from "./form-fields.ts";

export interface OpenLink extends FoundLink {
  readonly request: HostedRequest;
  /** The path of the overview page, or of a page below it. */
  to(below?: string): string;
  /** The platform's time. */
  readonly at: number;
  readonly missing: readonly VerificationError[];
}

/** The link while it can be used, or a page that explains why it cannot. */
export async function openLink(
  request: HostedRequest,
  services: Services,
): Promise<OpenLink | Sheet> {
  const { linkCode: code = "" } = request.params;
  const found = isLinkCode(code) ? await findLink(services.reads, hashLinkCode(code)) : undefined;
  if (found === undefined || found.customer.deletedAt !== null) {
    return unknownSheet(request.language);
  }
  const at = services.clock.now() + found.clockOffsetMs;
  const to = (below = "") => request.linkTo(linkHome(code) + below);
  const closed = closedSheet(found, at, request.language);
  return closed ?? { ...found, request, to, at, missing: missingOf(found, at) };
}

/** The platform of a link, whatever the state of the link. */
export const platformOf: PlatformOf = async ({ linkCode: code = "" }, { reads }) =>
  isLinkCode(code) ? platformOfLink(reads, hashLinkCode(code)) : undefined;

/** The brand that every page of a link shows. */
export async function linkBrand(
  params: Readonly<Record<string, string>>,
  services: Services,
): Promise<Brand | undefined> {
  const branding = await findBranding(await platformOf(params, services), services);
  return branding === null ? undefined : toBrand(branding, linkHome(params.linkCode ?? ""));
}

function missingOf(found: FoundLink, at: number): readonly VerificationError[] {
  const { customer, owners, documents } = found;
  const held = documents.map(toHeldDocument);
  return missingBefore(found, { customer, owners, documents: held, at });
}

/** The same page for an unknown code, a malformed code, and a deleted customer. */
function unknownSheet(language: Language): Sheet {
  return {
    status: 404,
    title: language.text("nothingToVerify"),
    content: html`<p>${language.text("checkOrAsk")}</p>`,
  };
}

function closedSheet(found: FoundLink, at: number, language: Language): Sheet | undefined {
  const texts = closedTexts(found, at);
  if (texts === undefined) return undefined;
  const [title, sentence] = texts;
  const content = html`<p>${language.text(sentence)}</p>${redirectLink(found, language)}`;
  return { status: 200, title: language.text(title), content };
}

function closedTexts(
  { link, customer, isUnderWay }: FoundLink,
  at: number,
): readonly [title: TextKey, sentence: TextKey] | undefined {
  const status = linkStatusAt(link, at);
  if (status === "USED") return ["linkUsed", "linkUsedWhy"];
  if (status === "EXPIRED") return ["linkExpired", "askForNewLink"];
  if (isDecided(standingOf(customer))) return ["nothingLeft", "checksOver"];
  return isUnderWay ? ["beingChecked", "haveAll"] : undefined;
}

/** A link to the `redirectUri`, when the verification link has one. */
export function redirectLink({ link: { redirectUri } }: FoundLink, language: Language): Markup {
  if (redirectUri === null) return nothing;
  const { host } = new URL(redirectUri);
  return html`<p class="actions"><a class="button" href="${redirectUri}">${language.text("continueTo", { host })}</a></p>`;
}

export type Outcome =
  | { readonly kind: "done"; readonly body: string }
  /** The link, the customer or the owner has changed since the page was rendered; the page must be loaded again. */
  | { readonly kind: "outdated" }
  | { readonly kind: "refused"; readonly faults: Faults; readonly notice: string | undefined };

interface Write<Input, Output> {
  readonly command: Command<ThroughLink<Input>, Output>;
  readonly input: Input;
  /** Required when the command must not run twice. */
  readonly idempotency?: Idempotency | undefined;
  readonly toBody?: (output: Output) => string;
  /** False for an answer that represents a refusal. Such an answer is not stored. */
  readonly isFinal?: (output: Output) => boolean;
}

/** Runs a command as the holder of the link. */
export function runThroughLink<Input, Output>(
  { platformId, link }: OpenLink,
  { engine }: Services,
  { command, input, idempotency, toBody = () => "", isFinal = () => true }: Write<Input, Output>,
): Promise<Answered> {
  return engine.submit({
    platformId,
    actor: { kind: "link", id: link.id },
    command,
    input: { linkId: link.id, input },
    toAnswer: (output) => ({ status: 200, body: toBody(output), isFinal: isFinal(output) }),
    idempotency,
  });
}

/**
 * Deduplicates a form that is sent twice, by a double click or a resend of the browser. A refused form is processed
 * again, because the cause may have been fixed. The page's form token is part of the digest unless the caller leaves it
 * out.
 */
export function formIdempotency({ link }: OpenLink, page: string, content: unknown): Idempotency {
  const bodyDigest = sha256(canonicalJson(content));
  const scope = `link:${link.id} ${page}`;
  return { scope, key: bodyDigest.toString("hex"), bodyDigest, keepsRefusals: false };
}

/** `tooMany` is the text for a limit on the number of entries. */
export function outcomeOf(
  { status, body }: Answered,
  language: Language,
  tooMany: "tooManyPeople" | "tooManyDocuments" = "tooManyDocuments",
): Outcome {
  if (status < 400) return { kind: "done", body };
  const { details } = JSON.parse(body) as {
    readonly details?: { readonly errors?: readonly FieldError[]; readonly most?: number };
  };
  if (details?.most !== undefined) {
    const notice = language.text(tooMany, { count: details.most });
    return { kind: "refused", faults: new Map(), notice };
  }
  if (status !== 400) return { kind: "outdated" };
  const faults = faultsFrom(details?.errors ?? [], language);
  return {
    kind: "refused",
    faults,
    notice: faults.size === 0 ? language.text("notTaken") : undefined,
  };
}

/** Faults that only the command can find, by the last part of their path. */
const COMMAND_FAULTS: Readonly<Record<string, TextKey>> = {
  identifier: "writeSsn",
  birthDate: "dayToCome",
  incorporatedOn: "dayToCome",
};

/** One fault for each field. */
export function faultsFrom(errors: readonly FieldError[], language: Language): Faults {
  const textOf = (field: string) => COMMAND_FAULTS[field.split(".").at(-1) ?? ""] ?? "notTaken";
  return new Map(errors.map(({ field }) => [field, language.text(textOf(field))]));
}

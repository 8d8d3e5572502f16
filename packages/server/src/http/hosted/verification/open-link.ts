/**
 * Opens a verification link: loads the customer and the missing items, or the page that explains why nothing can be
 * done.
 */
import { isDecided, standingOf } from "../../../domain/customers/customer.ts";
import { toHeldDocument } from "../../../domain/verification/held-documents.ts";
import { missingBefore } from "../../../domain/verification/judge.ts";
import type { ThroughLink } from "../../../domain/verification/through-link.ts";
import type { VerificationError } from "../../../domain/verification/verification.ts";
import { type FoundLink, findLink } from "../../../domain/verification/verification-link.sql.ts";
import {
  hashLinkCode,
  isLinkCode,
  linkStatusAt,
} from "../../../domain/verification/verification-link.ts";
import type { Answered, Command, Idempotency } from "../../../engine/command.ts";
import type { FieldError } from "../../../engine/refusal.ts";
import { sha256 } from "../../../std/digest.ts";
import { canonicalJson } from "../../../std/json.ts";
import type { Services } from "../../request/services.ts";
import { linkHome } from "../../request/verification-links.ts";
import type { Sheet } from "../hosted-page.ts";
import { html, type Markup, nothing } from "../markup.ts";
import type { Faults } from "./form-fields.ts";

export interface OpenLink extends FoundLink {
  /** The path of the overview page. */
  readonly home: string;
  /** The platform's time. */
  readonly at: number;
  readonly missing: readonly VerificationError[];
}

/** The link while it can be used, or a page that explains why it cannot. */
export async function openLink(
  { linkCode: code = "" }: Readonly<Record<string, string>>,
  services: Services,
): Promise<OpenLink | Sheet> {
  const found = isLinkCode(code) ? await findLink(services.reads, hashLinkCode(code)) : undefined;
  if (found === undefined || found.customer.deletedAt !== null) return unknownSheet;
  const at = services.clock.now() + found.clockOffsetMs;
  return (
    closedSheet(found, at) ?? { ...found, home: linkHome(code), at, missing: missingOf(found, at) }
  );
}

function missingOf(found: FoundLink, at: number): readonly VerificationError[] {
  const { customer, owners, documents } = found;
  const held = documents.map(toHeldDocument);
  return missingBefore(found, { customer, owners, documents: held, at });
}

/** The same page for an unknown code, a malformed code, and a deleted customer. */
const unknownSheet: Sheet = {
  status: 404,
  title: "There is nothing to verify here",
  content: html`<p>Check that the whole link was copied. If it was, ask the sender for a new one.</p>`,
};

function closedSheet(found: FoundLink, at: number): Sheet | undefined {
  const { link, customer, isUnderWay } = found;
  const status = linkStatusAt(link, at);
  if (status === "USED") {
    const sentence =
      "All was sent to be checked. Nothing can be added or changed by this link any more.";
    return sheet(found, "This link was used", sentence);
  }
  if (status === "EXPIRED") {
    return sheet(found, "This link has expired", "Ask the sender for a new one.");
  }
  if (isDecided(standingOf(customer))) {
    return sheet(
      found,
      "There is nothing left to do",
      "The checks are over. You can close this page.",
    );
  }
  if (isUnderWay) {
    return sheet(
      found,
      "You are being checked",
      "We have all that we need. You can close this page.",
    );
  }
  return undefined;
}

function sheet(found: FoundLink, title: string, sentence: string): Sheet {
  return { status: 200, title, content: html`<p>${sentence}</p>${redirectLink(found)}` };
}

/** A link to the `redirectUri`, when the verification link has one. */
export function redirectLink({ link: { redirectUri } }: FoundLink): Markup {
  if (redirectUri === null) return nothing;
  return html`<p><a class="button" href="${redirectUri}">Continue to ${new URL(redirectUri).host}</a></p>`;
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
  /** False for an answer that stands for a refusal, which is then not stored. */
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

/** `things` names the entries whose number is limited. */
export function outcomeOf({ status, body }: Answered, things = "entries"): Outcome {
  if (status < 400) return { kind: "done", body };
  const { message, details } = JSON.parse(body) as {
    readonly message: string;
    readonly details?: { readonly errors?: readonly FieldError[]; readonly most?: number };
  };
  if (details?.most !== undefined) {
    const notice = `There are ${details.most} ${things} here already: no more can be added.`;
    return { kind: "refused", faults: new Map(), notice };
  }
  if (status !== 400) return { kind: "outdated" };
  const faults = faultsFrom(details?.errors ?? []);
  return { kind: "refused", faults, notice: faults.size === 0 ? message : undefined };
}

/** Keeps one fault per field. */
export function faultsFrom(errors: readonly FieldError[]): Faults {
  return new Map(errors.map(({ field, message }) => [field, `This ${message}.`]));
}

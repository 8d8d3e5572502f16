/**
 * A hosted page: people open it in a browser by a link that was sent to them. It works without scripts, loads no
 * resources but the logo of its platform, and is never cached or indexed. It needs no credentials: access follows from the
 * secret in its path.
 */
import type { Idempotency } from "../../engine/command.ts";
import type { ImageType } from "../../std/image-header.ts";
import type { FileNote, IncomingForm } from "../upload/form.ts";
import type { Brand } from "./brand/brand.ts";
import type { Language } from "./language/language.ts";
import type { Markup } from "./markup.ts";

export interface HostedRequest {
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** For `postForm`. A form is accepted only with this token, and only at this path. */
  readonly formToken: string;
  readonly language: Language;
  /** A path of this server as a link of this page, which keeps a language that the visitor chose. */
  linkTo(path: string): string;
}

export interface HostedSubmission extends HostedRequest {
  readonly fields: ReadonlyMap<string, string>;
}

/** A form with a file that has not been read yet. */
export interface HostedUpload extends HostedRequest {
  /** Takes a form slot of the platform, which is released after the answer. */
  open(options: {
    readonly platformId: string;
    readonly file: FileNote;
    /** Refuses invalid fields. */
    readonly checkFields: (fields: ReadonlyMap<string, string>) => void;
    readonly toIdempotency: (content: unknown) => Idempotency;
  }): IncomingForm<unknown>;
}

/** The content of a page. */
export interface Sheet {
  readonly status: number;
  /** The heading of the page, and its title. */
  readonly title: string;
  /** Markup above the heading. */
  readonly lead?: Markup;
  readonly content: Markup;
  /** The page has buttons that copy a text. */
  readonly copies?: boolean;
  /** The browser is redirected there without a click. */
  readonly redirectTo?: string;
}

/** The answer to an accepted form: a redirect, so that a reload does not post again. */
export interface Redirect {
  /** A path of this server. */
  readonly seeOther: string;
}

/** An image in place of a page. Its path names its content, so a browser may keep it. */
export interface HostedFile {
  readonly file: { readonly mediaType: ImageType; readonly bytes: Buffer };
}

export type Shown = Sheet | Redirect | HostedFile;

export interface HostedPage<C> {
  /** The name of the page in metrics and logs. */
  readonly id: string;
  /** The path from the root, in OpenAPI style: `/i/{invitationCode}`. */
  readonly path: string;
  /** The brand of the link's platform, which every answer at this path shows, errors included; undefined without a platform. */
  brandOf?(params: Readonly<Record<string, string>>, context: C): Promise<Brand | undefined>;
  show(request: HostedRequest, context: C): Promise<Shown>;
  /** Handles the posted form. Without `submit` and `upload`, a POST is refused. */
  submit?(submission: HostedSubmission, context: C): Promise<Shown>;
  /** Handles a form with a file, in place of `submit`. */
  upload?(upload: HostedUpload, context: C): Promise<Shown>;
}

export function takesForm<C>({ submit, upload }: HostedPage<C>): boolean {
  return submit !== undefined || upload !== undefined;
}

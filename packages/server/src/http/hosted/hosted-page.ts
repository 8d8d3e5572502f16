/**
 * A hosted page: one that people open in a browser, by a link that was sent to them. It works without scripts, loads
 * nothing, is never stored or indexed, and needs no credentials: who may see what is behind it follows from its path.
 */
import type { Idempotency } from "../../engine/command.ts";
import type { FileNote, IncomingForm } from "../upload/form.ts";
import type { Markup } from "./markup.ts";

export interface HostedRequest {
  /** As they stand in the path, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** For `postForm`: only a form with it is taken, and only at this path. */
  readonly formToken: string;
}

export interface HostedSubmission extends HostedRequest {
  readonly fields: ReadonlyMap<string, string>;
}

/** A form with a file, which is still to be read. */
export interface HostedUpload extends HostedRequest {
  /** Once it is known whose the form is: takes a place among those that are read, and gives it back after the answer. */
  open(options: {
    readonly platformId: string;
    readonly file: FileNote;
    /** Refuses fields that will not do. */
    readonly checkFields: (fields: ReadonlyMap<string, string>) => void;
    readonly toIdempotency: (content: unknown) => Idempotency;
  }): IncomingForm<unknown>;
}

/** What is shown. */
export interface Sheet {
  readonly status: number;
  /** The heading of the page, and its title. */
  readonly title: string;
  readonly content: Markup;
  /** The browser goes on there by itself. */
  readonly leadsTo?: string;
}

/** What a form that was taken answers: reloading the page that follows posts nothing again. */
export interface Redirect {
  /** A path of this server. */
  readonly seeOther: string;
}

export type Shown = Sheet | Redirect;

export interface HostedPage<C> {
  /** Names the page in figures and logs. */
  readonly id: string;
  /** From the root, OpenAPI style: `/i/{invitationCode}`. */
  readonly path: string;
  show(request: HostedRequest, context: C): Promise<Shown>;
  /** Takes the page's form; a page without it, and without `upload`, takes none. */
  submit?(submission: HostedSubmission, context: C): Promise<Shown>;
  /** In place of `submit`: takes a form with a file. */
  upload?(upload: HostedUpload, context: C): Promise<Shown>;
}

export function takesForm<C>({ submit, upload }: HostedPage<C>): boolean {
  return submit !== undefined || upload !== undefined;
}

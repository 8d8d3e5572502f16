/**
 * A hosted page: one that people open in a browser, by a link that was sent to them. It works without scripts, loads
 * nothing, is never stored or indexed, and needs no credentials: who may see what is behind it follows from its path.
 */
import type { Markup } from "../markup.ts";

export interface HostedRequest {
  /** As they stand in the path, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** For `postForm`: only a form with it is taken, and only at this path. */
  readonly formToken: string;
}

export interface HostedSubmission extends HostedRequest {
  readonly fields: ReadonlyMap<string, string>;
}

/** What is shown. */
export interface Sheet {
  readonly status: number;
  /** The heading of the page, and its title. */
  readonly title: string;
  readonly content: Markup;
}

export interface HostedPage<C> {
  /** Names the page in figures and logs. */
  readonly id: string;
  /** From the root, OpenAPI style: `/i/{invitationCode}`. */
  readonly path: string;
  show(request: HostedRequest, context: C): Promise<Sheet>;
  /** Takes the page's form; a page without it takes none. */
  submit?(submission: HostedSubmission, context: C): Promise<Sheet>;
}

/** Links for people. A link is mailed when mail can be sent, and shown otherwise. */
import { randomBytes } from "node:crypto";
import { hashLinkCode, type LinkKind, linkUrlIdentity } from "../../domain/people/person-link.ts";
import type { Services } from "../request/services.ts";

const CODE_BYTES = 32;

/** The code of a link for a person. */
export function newLinkCode(): string {
  return randomBytes(CODE_BYTES).toString("base64url");
}

export interface NewLink {
  readonly codeHash: string;
  /** The sealed URL to mail; undefined when no mail can be sent. */
  readonly urlSealed: string | undefined;
  /** The URL to show; undefined when it is mailed. */
  readonly url: string | undefined;
}

export function newLink(
  { people, sealer, wallets }: Pick<Services, "people" | "sealer" | "wallets">,
  workspaceId: string,
  kind: LinkKind,
): NewLink {
  const code = newLinkCode();
  const codeHash = hashLinkCode(code);
  const url = linkUrl(people.place().origin, kind, code);
  if (!wallets.personMailer.canSend) return { codeHash, urlSealed: undefined, url };
  const urlSealed = sealer.seal(url, linkUrlIdentity(workspaceId, codeHash));
  return { codeHash, urlSealed, url: undefined };
}

/** The URL to send to the person. */
export function linkUrl(origin: string, kind: LinkKind, code: string): string {
  return `${origin}/console/${kind === "INVITE" ? "invite" : "re-enrol"}#${code}`;
}

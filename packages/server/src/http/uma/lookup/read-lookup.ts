/** Steps 3 to 7 of a lookup: what can be judged of the request alone, in the order of the refusals. Nothing is read from the database. */

import type { ServedDomain } from "../../../domain/uma/domains/served-domain.sql.ts";
import { hostIn, readVaspDomain } from "../../../domain/uma/domains/vasp-domain.ts";
import { isOutOfTime } from "../../../domain/uma/nonces/uma-nonce.ts";
import { type LookupRequest, readLookupQuery } from "../../../formats/uma/lookup-message.ts";
import { MessageFault } from "../../../formats/uma/message-fault.ts";
import { isVersionAnswered, unsupportedVersion } from "../../../formats/uma/version.ts";
import { type UmaAnswer, umaError } from "../uma-answer.ts";

/** A request that is well formed, from an institution that may ask. Its signature is not judged yet. */
export interface AskedLookup {
  /** As written in the path, decoded. */
  readonly user: string;
  readonly request: LookupRequest;
  /** In lower case. */
  readonly vaspDomain: string;
  /** The time of the request, in milliseconds. */
  readonly signedAt: number;
}

export type ReadLookup =
  | { readonly kind: "asked"; readonly asked: AskedLookup }
  | { readonly kind: "refused"; readonly answer: UmaAnswer };

export interface ReceivedLookup {
  readonly path: string;
  readonly query: string;
  readonly served: Pick<ServedDomain, "ownDomains">;
}

/** Refuses, in this order: a path or a query out of form; parameters that lack; another version; another time; a domain that may not ask. */
export function readLookup({ path, query, served }: ReceivedLookup, now: number): ReadLookup {
  try {
    const user = userIn(path);
    const request = readLookupQuery(query);
    const { umaVersion, signature } = request;
    if (!isVersionAnswered(umaVersion)) return refused(versionAnswer(umaVersion));
    const signedAt = Number.parseInt(signature.timestamp.toString(), 10) * 1_000;
    if (isOutOfTime(signedAt, now)) return refused(outOfTime);
    const vaspDomain = readVaspDomain(request.vaspDomain);
    if (vaspDomain === undefined || served.ownDomains.includes(hostIn(vaspDomain)))
      return refused(notAllowed);
    return { kind: "asked", asked: { user, request, vaspDomain, signedAt } };
  } catch (error) {
    if (!(error instanceof MessageFault)) throw error;
    const status = error.code === "NON_UMA_LNURL_NOT_SUPPORTED" ? 403 : 400;
    return refused(umaError(status, error.code, error.message));
  }
}

function refused(answer: UmaAnswer): ReadLookup {
  return { kind: "refused", answer };
}

const USER = /^[$a-zA-Z0-9._+-]{1,64}$/;

function userIn(path: string): string {
  const user = decoded(path.slice(path.lastIndexOf("/") + 1));
  if (user === undefined || !USER.test(user)) {
    throw new MessageFault(
      "PARSE_LNURLP_REQUEST_ERROR",
      "The user in the path is not 1 to 64 of $, letters, digits, dots, hyphens, underscores and plus signs.",
    );
  }
  return user;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function versionAnswer(asked: string): UmaAnswer {
  return { status: 412, body: JSON.stringify(unsupportedVersion(asked)) };
}

const outOfTime = umaError(
  400,
  "INVALID_TIMESTAMP",
  "The timestamp is more than 300 seconds from the time here.",
);

export const notAllowed = umaError(
  403,
  "COUNTERPARTY_NOT_ALLOWED",
  "Lookups of this vaspDomain are not answered here.",
);

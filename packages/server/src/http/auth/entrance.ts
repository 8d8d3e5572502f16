/**
 * Where a call enters: below the version segment with the credentials of a token or an agent, or in the console with a session. Both
 * entrances run the same operations.
 */
import type { IncomingMessage } from "node:http";
import { refuseOverRate, refuseUnlessAllowed } from "../request/admission.ts";
import type { Caller, Operation, OperationAnswer } from "../request/operation.ts";
import type { ErrorAnswer } from "../server/errors.ts";
import type { RateLimiter } from "../server/rate-limit.ts";

/** A request as its entrance sees it. */
export interface Arrival {
  readonly raw: IncomingMessage;
  readonly requestId: string;
  /** The parameters of the operation's own path, not validated yet. */
  readonly params: Readonly<Record<string, string>>;
  /** The platform that the path names, in the console. */
  readonly platform?: string | undefined;
}

export interface Entrance<C> {
  /** Throws for a call from a page of another origin. It runs before every other check. */
  refuseForeign(raw: IncomingMessage): void;
  /** The caller, when that is known without waiting. */
  cached(arrival: Arrival, operation: Operation<C>): Caller | undefined;
  verify(arrival: Arrival, operation: Operation<C>): Promise<Caller>;
  /** Throws for a caller who may not call the operation. */
  refuseUnlessAllowed(operation: Operation<C>, caller: Caller): void;
  /** Throws for a caller who calls too often. */
  refuseOverRate(caller: Caller): void;
  /** Runs after all checks and before the operation. */
  readonly before?: ((operation: Operation<C>, caller: Caller) => Promise<void>) | undefined;
  /** Changes the answer before it is sent to the caller. */
  readonly shownTo?:
    | ((answer: OperationAnswer, caller: Caller | undefined) => OperationAnswer)
    | undefined;
  challengeOf(operation: Operation<C>): NonNullable<ErrorAnswer["challenge"]>;
  /** Headers of every answer; names and values in turn. */
  readonly headers: readonly string[];
}

const NO_HEADERS: readonly string[] = Object.freeze([]);

interface Authenticator {
  verify(header: string | undefined, address: string): Promise<Caller>;
}

/** The entrance of tokens and agents. */
export function credentialsEntrance<C>(tools: {
  readonly tokenAuth: Authenticator & { cached(header: string | undefined): Caller | undefined };
  readonly agentAuth: Authenticator;
  readonly tokenLimiter: RateLimiter;
  readonly addressOf: (raw: IncomingMessage) => string;
}): Entrance<C> {
  const { tokenAuth, agentAuth, tokenLimiter, addressOf } = tools;
  return {
    refuseForeign: () => undefined,
    // An agent is read at each request, so it is never known in advance.
    cached: ({ raw }, { access }) =>
      access === "AGENT" ? undefined : tokenAuth.cached(raw.headers.authorization),
    verify({ raw }, { access }) {
      const authenticator = access === "AGENT" ? agentAuth : tokenAuth;
      return authenticator.verify(raw.headers.authorization, addressOf(raw));
    },
    refuseUnlessAllowed,
    refuseOverRate: (caller) => refuseOverRate(caller, tokenLimiter),
    challengeOf: ({ access }) => (access === "AGENT" ? "Bearer" : "Basic"),
    headers: NO_HEADERS,
  };
}

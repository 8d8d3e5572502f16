import type { Static, TSchema, TUndefined } from "typebox";
import type { AgentPermission, AgentPolicy } from "../../domain/agents/agent-policy.ts";
import type { EventType } from "../../domain/event-catalogue.ts";
import type { Kin } from "../../domain/lineage.ts";
import { type Capability, OPERATOR_CAPABILITIES } from "../../domain/people/role.ts";
import type { Environment, UnknownFields } from "../../domain/platform.ts";
import type { Permission } from "../../domain/token.ts";
import type { ActNote, Answer, Answered, Idempotency } from "../../engine/command.ts";
import { Refusal, type RefusalCode } from "../../engine/refusal.ts";
import type { Json, JsonObject } from "../../std/json.ts";
import type { Judgement } from "../../validation/validation.ts";
import type { SessionKey } from "../console/session-cookie.ts";
import { dryRunFacts } from "../dry-run/dry-run.ts";
import type { FormNote, IncomingForm } from "../upload/form.ts";

/** The version segment of every operation's path. Health, metrics and the reference are also served outside it. */
export const versionPath = "/2025-10-13";

/** Who may call: a token with this permission, an agent, a person in the console, or anyone. No permission implies another. */
export type Access = Permission | "AGENT" | "PERSON" | "PUBLIC";
export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** The authenticated token. The object is shared by many requests, so it is immutable. */
export interface TokenPrincipal {
  readonly platformId: string;
  readonly environment: Environment;
  /** Absent counts as IGNORE. */
  readonly unknownFields?: UnknownFields;
  readonly tokenId: string;
  readonly permissions: ReadonlySet<Permission>;
  /** The ids that count as the caller: see people/lineage/lineage.ts. */
  readonly people: readonly string[];
  /** See `Token.personId`. */
  readonly personId: string | null;
  /** Set where the act of a token has an audit entry; such an object belongs to one request. */
  readonly act?: ActNote | undefined;
  readonly isDryRun?: true;
}

/** A person in the console, at a platform or at the workspace. The object belongs to one request. */
export interface PersonPrincipal {
  /** The platform, or the workspace where the operation is not about a platform. */
  readonly platformId: string;
  readonly environment: Environment;
  /** Of the platform; absent at the workspace, where unknown fields are ignored. */
  readonly unknownFields?: UnknownFields | undefined;
  readonly workspaceId: string;
  readonly personId: string;
  /** The people who count as the person, where the call is about production. */
  readonly lineage: readonly Kin[];
  readonly people: readonly string[];
  readonly sessionId: string;
  readonly key: SessionKey;
  /** The permissions that the person may give to tokens. */
  readonly permissions: ReadonlySet<Permission>;
  readonly capabilities: ReadonlySet<Capability>;
  /** Host time until which the last passkey proof, or sign-in at an issuer, counts. */
  readonly provenUntil: number;
  readonly isProvenByPasskey: boolean;
  readonly act: ActNote;
  readonly isDryRun?: true;
}

/** Who calls an operation of tokens. */
export type Principal = TokenPrincipal | PersonPrincipal;

/** The authenticated agent with its current policy. */
export interface AgentPrincipal {
  readonly platformId: string;
  readonly environment: Environment;
  /** Absent counts as IGNORE. */
  readonly unknownFields?: UnknownFields;
  readonly agentId: string;
  readonly customerId: string;
  readonly policy: AgentPolicy;
  /** The people who count as the agent. */
  readonly people: readonly string[];
  readonly isDryRun?: true;
}

/** With `isDryRun`, which is set for one request, no command of the caller changes anything: see `submitForCaller`. */
export type Caller = Principal | AgentPrincipal;

export function isAgent(caller: Caller): caller is AgentPrincipal {
  return "agentId" in caller;
}

export function isPerson(caller: Caller): caller is PersonPrincipal {
  return "sessionId" in caller;
}

/** FORBIDDEN for a person whose roles lack the capability. */
export function requireCapability(person: PersonPrincipal, capability: Capability): void {
  if (person.capabilities.has(capability)) return;
  const giver = OPERATOR_CAPABILITIES.includes(capability)
    ? "Operators of the deployment have it: florin people operator --grant."
    : "An owner of the workspace can give it.";
  const message = `Your roles do not have the capability ${capability}. ${giver}`;
  throw new Refusal("FORBIDDEN", { capability }, message);
}

/** Whether the caller may see names, addresses and bank details. Of people it depends on their roles. */
export function maySeePersonalData(caller: Principal): boolean {
  return !isPerson(caller) || caller.capabilities.has("pii.read");
}

/** Whether the caller may read the bodies of logged calls. */
export function mayReadBodies(caller: Principal): boolean {
  return isPerson(caller)
    ? caller.capabilities.has("logs.bodies")
    : caller.permissions.has("MANAGE");
}

/** The token, the agent or the person. */
export function callerIdOf(caller: Caller): string {
  if (isAgent(caller)) return caller.agentId;
  return isPerson(caller) ? caller.personId : caller.tokenId;
}

type CallerOf<A extends Access> = A extends "PUBLIC"
  ? undefined
  : A extends "AGENT"
    ? AgentPrincipal
    : A extends "PERSON"
      ? PersonPrincipal
      : Principal;

export interface OperationRequest<
  Params = Readonly<Record<string, string>>,
  Query = unknown,
  Body = unknown,
  Asker = Caller | undefined,
  Judged = unknown,
> {
  readonly principal: Asker;
  /** Path parameters, percent-decoded and without control characters, not validated further. */
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The value that the operation's `judge` returned; undefined without `judge`. */
  readonly judged: Judged;
  readonly idempotency: Idempotency | undefined;
  /** The headers that the operation declares, by lower-case name; a repeated header is joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The peer's address; empty unless the operation is PUBLIC. */
  readonly remoteAddress: string;
  readonly requestId: string;
}

export interface HeaderNote {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  readonly example?: string;
}

export interface AnswerNote {
  readonly description: string;
  readonly schema?: TSchema;
  /** The content type of a body that is not JSON. Such an answer has no schema. */
  readonly contentType?: string;
  /** An example of the CSV that the caller may request in place of the body. */
  readonly csv?: string;
  readonly example?: unknown;
}

/** The caller and the services. */
export interface JudgeSurroundings<C, Asker = Caller | undefined> {
  readonly principal: Asker;
  readonly context: C;
}

interface OperationFacts {
  /** The operationId: camelCase, unique. */
  readonly id: string;
  readonly method: Method;
  /** The path in OpenAPI style, below the version segment: `/customers/{customerId}`. */
  readonly path: string;
  /** An agent whose policy lacks this permission gets a 403. */
  readonly agentPermission?: AgentPermission;
  /** The capability that a person needs to call it in the console. Every operation of tokens has one. */
  readonly capability?: Capability;
  /** A person must have shown a passkey lately, whatever the capability says. */
  readonly needsProof?: true;
  /** It shows personal data unmasked, or makes the server send them somewhere: a person without `pii.read` gets a 403. */
  readonly opensPersonalData?: true;
  /** In production a person gets a 403: only the customer may take part, through the platform's own service. */
  readonly closedToPeople?: true;
  /** The operation is given unknown fields as well: the owner of a wallet signs the body as it was sent. */
  readonly isBodySigned?: true;
  /** Pages call the operation by themselves, so it does not keep a session alive. */
  readonly isNoAct?: true;
  /** An act of a token has an audit entry, whatever the capability says. */
  readonly auditsTokens?: true;
  /** A read by a person has an audit entry. */
  readonly notesRead?: true;
  /** A token of a production platform gets a 403. */
  readonly sandboxOnly?: boolean;
  /** The operation ignores an `Idempotency-Key`: it is a POST that may safely run again on every retry. */
  readonly ignoresKey?: boolean;
  /** The operation takes `dryRun=true`: then its command is decided and undone. Its value documents that answer. */
  readonly dryRun?: AnswerNote;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly headers?: readonly HeaderNote[];
  readonly answers: Readonly<Record<number, AnswerNote>>;
  /** The types of events that a successful call leads to, at once or later. */
  readonly events?: readonly EventType[];
  /** The refusals of the operation itself. Those of the request pipeline are documented for all operations. */
  readonly refusals: readonly RefusalCode[];
  readonly requestExample?: unknown;
  /** For a PUBLIC operation: `body` is the bytes as they arrived, which the caller has signed. `shownBody` describes them. */
  readonly readsBytes?: boolean;
  /** The largest body; that of all operations when absent. */
  readonly maxBodyBytes?: number;
  /** Names the item to which a faulty field of the body belongs. */
  readonly placeOfField?: (
    body: Json,
    field: string,
  ) => { readonly index: number; readonly reference?: string } | undefined;
  /** Replaces `body` in the reference when the operation checks more than the schema says. */
  readonly shownBody?: TSchema;
}

/** An operation of the API, as the server routes it and the reference shows it. */
export interface Operation<C> extends OperationFacts {
  readonly access: Access;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly bodyOptional?: boolean;
  /**
   * Checks rules that the schema cannot express. It runs once per request, even on an object that does not fit the
   * schema, so that one answer names all faults. If both find a fault in one field, the schema's message is used.
   */
  judge?(body: JsonObject, surroundings: JudgeSurroundings<C>): Judgement<unknown>;
  /** In place of `body`: a form with a file, which the operation reads as a stream. */
  readonly form?: FormNote;
  handle(request: OperationRequest, context: C): Promise<OperationAnswer>;
}

/** The answer of an operation: a command's answer, encoded bytes, or a stream of chunks. */
export type OperationAnswer = Answer | Answered | HeadedAnswer | ReadyAnswer | StreamedAnswer;

/** An answer with headers of its own. */
export interface HeadedAnswer extends Answer {
  /** Names and values in turn. */
  readonly notes: readonly string[];
}

/** An answer with an encoded body, so that many requests can share one buffer. */
export interface ReadyAnswer {
  readonly status: 200;
  readonly body: Buffer;
  /** JSON when absent. */
  readonly contentType?: string;
}

/** An answer that is sent piece by piece. The next piece is made once the connection has taken the previous one. */
export interface StreamedAnswer {
  readonly status: 200;
  readonly contentType: string;
  /** Names and values in turn. */
  readonly headers?: readonly string[];
  /** It has no personal data, so people without `pii.read` get it as well. */
  readonly isImpersonal?: true;
  /** The stream never ends by itself, so a caller that ends its side of the connection has left. */
  readonly endsWithCaller?: boolean;
  /** An error before the first piece is answered like any failure. A later error cuts the connection. */
  readonly body: (life: StreamLife) => AsyncIterable<string | Buffer>;
}

/** What happens to a streamed answer while it is sent. */
export interface StreamLife {
  /** True once the caller has left or the server stops. */
  isEnding(): boolean;
  /** Runs `task` once when the stream must end; at once when it must end already. */
  onEnding(task: () => void): void;
  /** Throws when the caller's credentials are no longer valid for the operation. */
  confirm(): Promise<void>;
}

export function isReady(answer: OperationAnswer): answer is ReadyAnswer {
  return typeof answer.body === "object";
}

export function isStreamed(answer: OperationAnswer): answer is StreamedAnswer {
  return typeof answer.body === "function";
}

/** True when the operation supports an `Idempotency-Key`. */
export function takesKey<C>({ method, ignoresKey }: Operation<C>): boolean {
  return method === "POST" && ignoresKey !== true;
}

/** The definition of an operation. The types of `handle` follow from the schemas. */
export interface OperationSpec<
  C,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  O extends boolean,
  A extends Access,
  J,
> extends Omit<OperationFacts, "capability"> {
  readonly access: A;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly bodyOptional?: O;
  judge?(body: JsonObject, surroundings: JudgeSurroundings<C, CallerOf<A>>): Judgement<J>;
  handle(
    request: OperationRequest<
      P extends TUndefined ? Readonly<Record<string, string>> : Static<P>,
      Static<Q>,
      O extends true ? Static<B> | undefined : Static<B>,
      CallerOf<A>,
      O extends true ? J | undefined : J
    >,
    context: C,
  ): Promise<OperationAnswer>;
}

interface Place {
  readonly method: Method;
  readonly path: string;
}

type At = `${Method} /${string}`;

/** Method and path of an operation, who may call it, and the capability that a person needs: `route("GET /agents", "VIEW", "agents.read")`. */
export function route(at: At): Place;
export function route<const A extends Access>(at: At, access: A): Place & { readonly access: A };
export function route<const A extends Access>(
  at: At,
  access: A,
  capability: Capability,
): Place & { readonly access: A; readonly capability: Capability };
export function route(at: string, access?: Access, capability?: Capability) {
  const [method, path] = at.split(" ");
  return {
    method,
    path,
    ...(access === undefined ? {} : { access }),
    ...(capability === undefined ? {} : { capability }),
  };
}

export function defineOperation<
  const A extends Access,
  C = unknown,
  P extends TSchema = TUndefined,
  Q extends TSchema = TUndefined,
  B extends TSchema = TUndefined,
  O extends boolean = false,
  J = undefined,
>(spec: OperationSpec<C, P, Q, B, O, A, J> & CapabilityFor<A>): Operation<C> {
  return spec.dryRun === undefined ? spec : { ...spec, ...dryRunFacts(spec.dryRun, spec) };
}

/** Makes the compiler require the capability that a person needs for an operation of tokens. */
type CapabilityFor<A extends Access> = A extends Permission
  ? { readonly capability: Capability }
  : { readonly capability?: A extends "PERSON" ? Capability : never };

/** The definition of an operation with a form; its `body` is the streamed form. */
export interface UploadSpec<C, P extends TSchema, F extends TSchema> extends OperationFacts {
  readonly access: Permission;
  readonly capability: Capability;
  readonly params?: P;
  readonly form: FormNote<F>;
  handle(
    request: OperationRequest<
      P extends TUndefined ? Readonly<Record<string, string>> : Static<P>,
      undefined,
      IncomingForm<Static<F>>,
      Principal
    >,
    context: C,
  ): Promise<OperationAnswer>;
}

export function defineUpload<F extends TSchema, C = unknown, P extends TSchema = TUndefined>(
  spec: UploadSpec<C, P, F>,
): Operation<C> {
  return spec;
}

/** How the functions of the client use the generated types: a call names its operation, and the compiler checks the rest. */
import type { Operations, Page } from "./api-types.ts";
import type { RequestOptions } from "./transport.ts";

export type OperationId = keyof Operations;

export type Answer<Id extends OperationId> = Operations[Id]["answer"];

/** The codes that an operation can be refused with in this version; `FlorinError.code` has one of them, or a later one. */
export type Refusal<Id extends OperationId> = Operations[Id]["refusal"];

/** Method, path, query, body and headers of the operation, and nothing else. */
export type OperationCall<Id extends OperationId> = Operations[Id]["call"];

/** Sends the call of an operation and gives its answer. */
export type Send = <Id extends OperationId>(
  call: OperationCall<Id>,
  options?: RequestOptions,
) => Promise<Answer<Id>>;

/** The operations whose answer is a page of a list. */
export type ListId = {
  [Id in OperationId]: Answer<Id> extends Page<unknown> ? Id : never;
}[OperationId];

export type Item<Id extends ListId> = Answer<Id> extends Page<infer One> ? One : never;

/** Types that derive the client's functions from the generated types of the operations. */
import type { Operations, Page } from "./api-types.ts";
import type { RequestOptions } from "./transport.ts";

export type OperationId = keyof Operations;

export type Answer<Id extends OperationId> = Operations[Id]["answer"];

/** The refusal codes of an operation in this version. `FlorinError.code` may also have a code of a later version. */
export type Refusal<Id extends OperationId> = Operations[Id]["refusal"];

/** Exactly the method, path, query, body and headers of the operation. */
export type OperationCall<Id extends OperationId> = Operations[Id]["call"];

/** Sends the call of an operation and returns its answer. */
export type Send = <Id extends OperationId>(
  call: OperationCall<Id>,
  options?: RequestOptions,
) => Promise<Answer<Id>>;

/** The operations that return a page of a list. */
export type ListId = {
  [Id in OperationId]: Answer<Id> extends Page<unknown> ? Id : never;
}[OperationId];

export type Item<Id extends ListId> = Answer<Id> extends Page<infer One> ? One : never;

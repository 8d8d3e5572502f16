/** Types of calls and answers. All of them are generated from the API's document; the console has no shape of its own. */
import type { Answer, Operations, Page } from "@florin/client";

export type OperationId = keyof Operations;
export type Call<Id extends OperationId> = Operations[Id]["call"];
export type AnswerOf<Id extends OperationId> = Answer<Id>;

/** The operations that answer with a page of a list. */
export type ListId = {
  [Id in OperationId]: Operations[Id]["answer"] extends Page<unknown> ? Id : never;
}[OperationId];

export type Item<Id extends ListId> =
  Operations[Id]["answer"] extends Page<infer One> ? One : never;

/** The names of the filters of a list. */
export type QueryOf<Id extends OperationId> =
  Call<Id> extends { readonly query?: infer Query } ? NonNullable<Query> : never;

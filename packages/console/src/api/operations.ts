/** Types of calls and answers. Those of the public API are generated from its document. */
import type { Operations, Page } from "@florin/client";
import type { OwnOperations } from "./own-operations.ts";

type Every = Operations & OwnOperations;

export type OperationId = keyof Every;
export type Call<Id extends OperationId> = Every[Id]["call"];
export type AnswerOf<Id extends OperationId> = Every[Id]["answer"];

/** The operations that answer with a page of a list. */
export type ListId = {
  [Id in OperationId]: Every[Id]["answer"] extends Page<unknown> ? Id : never;
}[OperationId];

export type Item<Id extends ListId> = Every[Id]["answer"] extends Page<infer One> ? One : never;

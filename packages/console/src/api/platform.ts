/** The platform whose pages are open, and reads of it. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { AnswerOf, Call, OperationId } from "./operations.ts";
import type { PlatformSend } from "./platform-send.ts";

export interface OpenPlatform {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly environment: string;
  readonly roles: readonly string[];
  readonly capabilities: readonly string[];
  readonly send: PlatformSend;
}

export const PlatformContext = createContext<OpenPlatform | undefined>(undefined);

export function usePlatform(): OpenPlatform {
  const platform = useContext(PlatformContext);
  if (platform === undefined) throw new Error("this page is outside of a platform");
  return platform;
}

/** Hiding a button is a courtesy: the server refuses. */
export function useMay(...needed: readonly string[]): boolean {
  const { capabilities } = usePlatform();
  return needed.every((capability) => capabilities.includes(capability));
}

interface ReadSettings<Answer> {
  /** What was read has not ended yet, so it is read again soon. */
  readonly isMoving?: (answer: Answer) => boolean;
  /** For what changes without an event, of which no notice comes. */
  readonly everyMs?: number;
  readonly isOff?: boolean;
  /** Shows the page before while the next one is read. */
  readonly keepsPrevious?: boolean;
  /** A change that others make does not replace it: the list says what is new. */
  readonly staysInPlace?: boolean;
  /** What a list would show now, beside what it shows. */
  readonly isAhead?: boolean;
}

/** How often something that has not ended yet is read again, while its page is seen. */
const MOVING_MS = 2_000;

export function keyOf<Id extends OperationId>(platformId: string, call: Call<Id>, isAhead = false) {
  const query = "query" in call ? (call.query ?? {}) : {};
  const body = "body" in call && call.body !== undefined ? [call.body] : [];
  return [platformId, ...call.path.map(String), query, ...body, ...(isAhead ? [{ isAhead }] : [])];
}

/** Reads by one operation; one with a body changes nothing either. Paths begin the keys, so that a change can drop all that stands below a path. */
export function useRead<Id extends OperationId>(
  call: Call<Id>,
  settings: ReadSettings<AnswerOf<Id>> = {},
) {
  const { isOff = false, keepsPrevious = false, staysInPlace = false, isMoving } = settings;
  const { everyMs = false } = settings;
  const { id, send } = usePlatform();
  return useQuery<AnswerOf<Id>>({
    queryKey: keyOf(id, call, settings.isAhead),
    meta: { staysInPlace },
    queryFn: ({ signal }) => send<Id>(call, { signal }),
    enabled: !isOff,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isMoving?.(data) === true ? MOVING_MS : everyMs,
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
  });
}

/** An act: one call under one key. What was read before is read again afterwards. */
export function useAct<Id extends OperationId>() {
  const { id, send } = usePlatform();
  const client = useQueryClient();
  return useMutation<
    AnswerOf<Id>,
    Error,
    { readonly call: Call<Id> | Promise<Call<Id>>; readonly key: string }
  >({
    mutationFn: async ({ call, key }) => send<Id>(await call, { idempotencyKey: key }),
    onSuccess: () => client.invalidateQueries({ queryKey: [id] }),
  });
}

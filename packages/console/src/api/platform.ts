/** The open platform, and reads and acts on it. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { noteAct } from "./live/own-acts.ts";
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

/** Used to hide buttons only; the server enforces the capability. */
export function useMay(...needed: readonly string[]): boolean {
  const { capabilities } = usePlatform();
  return needed.every((capability) => capabilities.includes(capability));
}

interface ReadSettings<Answer> {
  /** True while the object is still in progress, so it is polled. */
  readonly isMoving?: (answer: Answer) => boolean;
  /** The polling interval for data that changes without an event, so no notice arrives. */
  readonly everyMs?: number;
  readonly isOff?: boolean;
  /** Keeps showing the previous page while the next one loads. */
  readonly keepsPrevious?: boolean;
  /** Changes by others do not replace the shown data; the list shows a count of new rows. */
  readonly staysInPlace?: boolean;
  /** Reads a list's current page into a cache entry of its own, beside the shown one. */
  readonly isAhead?: boolean;
}

/** The polling interval for objects in progress, while the page is visible. */
const MOVING_MS = 2_000;

export function keyOf<Id extends OperationId>(platformId: string, call: Call<Id>, isAhead = false) {
  const query = "query" in call ? (call.query ?? {}) : {};
  const body = "body" in call && call.body !== undefined ? [call.body] : [];
  return [platformId, ...call.path.map(String), query, ...body, ...(isAhead ? [{ isAhead }] : [])];
}

/** Reads with one operation; a POST must change nothing. Query keys start with the path, so a change can invalidate a prefix. */
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

/** An act: one call with one idempotency key. On success all data of the platform is read again. */
export function useAct<Id extends OperationId>() {
  const { id, send } = usePlatform();
  const client = useQueryClient();
  return useMutation<
    AnswerOf<Id>,
    Error,
    { readonly call: Call<Id> | Promise<Call<Id>>; readonly key: string }
  >({
    mutationFn: async ({ call, key }) => send<Id>(await call, { idempotencyKey: key }),
    onSuccess: () => {
      noteAct();
      return client.invalidateQueries({ queryKey: [id] });
    },
  });
}

/**
 * Names of objects whose ids a page shows. All ids that a page asks for within a moment go into one call, and an answer is kept for a
 * minute.
 */
import type { Transaction } from "@florin/client";
import { useQuery } from "@tanstack/react-query";
import { usePlatform } from "./platform.ts";
import type { PlatformSend } from "./platform-send.ts";

/** Who pays, is paid or acts, as the server names them. */
export type Party = NonNullable<NonNullable<Transaction["parties"]>["from"]>;

export interface ObjectName {
  readonly id: string;
  /** The object itself, or the other side of a payment. */
  readonly party?: Party;
  readonly amount?: NonNullable<Transaction["sentAmount"]>;
  readonly label?: string;
}

const GATHER_MS = 10;
const MOST_IDS = 50;
const FRESH_MS = 60_000;

interface Waiting {
  readonly id: string;
  readonly done: (name: ObjectName | null) => void;
  readonly failed: (error: unknown) => void;
}

const waitingFor = new WeakMap<PlatformSend, Waiting[]>();

function nameOf(send: PlatformSend, id: string): Promise<ObjectName | null> {
  return new Promise((done, failed) => {
    let waiting = waitingFor.get(send);
    if (waiting === undefined) {
      waiting = [];
      waitingFor.set(send, waiting);
      setTimeout(() => askAll(send), GATHER_MS);
    }
    waiting.push({ id, done, failed });
  });
}

function askAll(send: PlatformSend): void {
  const all = waitingFor.get(send) ?? [];
  waitingFor.delete(send);
  for (let from = 0; from < all.length; from += MOST_IDS)
    void askSome(send, all.slice(from, from + MOST_IDS));
}

async function askSome(send: PlatformSend, some: readonly Waiting[]): Promise<void> {
  try {
    const ids = [...new Set(some.map(({ id }) => id))];
    const { data } = await send<"listObjectNames">({
      method: "GET",
      path: ["names"],
      query: { ids },
    });
    const names = new Map(data.map((name) => [name.id, name]));
    for (const { id, done } of some) done(names.get(id) ?? null);
  } catch (error) {
    for (const { failed } of some) failed(error);
  }
}

/** Undefined while it is being read, and for an object without a name. */
export function useObjectName(id: string | undefined): ObjectName | undefined {
  const { id: platformId, send } = usePlatform();
  const { data } = useQuery<ObjectName | null>({
    queryKey: [platformId, "names", id],
    queryFn: () => nameOf(send, id ?? ""),
    enabled: id !== undefined,
    staleTime: FRESH_MS,
    retry: false,
  });
  return data ?? undefined;
}

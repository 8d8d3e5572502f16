/**
 * Ends live streams within a second on every server when their session ends or the roles of their person change, because each such change
 * moves the head of the workspace. A stream also ends when its session expires by age or idleness. A check that fails ends the stream as
 * well; the browser opens another one.
 *
 * Bounds: the number of streams of a session at a platform (a further stream ends the oldest); the number of concurrent checks.
 */

import { rolesOn } from "../../../domain/people/person.ts";
import type { HeadWatch } from "../../../domain/reading/live/head-watch.port.ts";
import { eachAtOnce } from "../../../std/admission/each-at-once.ts";
import type { Clock } from "../../../std/clock.ts";
import type { PersonPrincipal } from "../../request/operation.ts";
import type { Sessions } from "../sessions.ts";

const STREAMS_OF_SESSION = 4;
const CHECKS_AT_ONCE = 4;

export interface LiveSessions {
  /** Calls `end` when the stream must end. The returned function stops the watch. */
  guard(caller: PersonPrincipal, end: () => void): Promise<() => void>;
}

interface Guarded {
  readonly caller: PersonPrincipal;
  /** The roles at the platform when the stream was opened. */
  readonly roles: string;
  readonly end: () => void;
  cancel: () => void;
}

interface Tools {
  readonly sessions: Sessions;
  readonly heads: HeadWatch;
  readonly clock: Clock;
}

export function createLiveSessions(tools: Tools): LiveSessions {
  const workspaces = new Map<string, GuardedWorkspace>();
  return {
    async guard(caller, end) {
      const { workspaceId } = caller;
      const found = await standingOf(tools.sessions, caller);
      if (found === undefined) {
        end();
        return () => undefined;
      }
      const workspace = workspaces.get(workspaceId) ?? new GuardedWorkspace(workspaceId, tools);
      workspaces.set(workspaceId, workspace);
      const guarded = workspace.add({ caller, end, ...found });
      return () => {
        if (!workspace.remove(guarded)) return;
        workspace.stop();
        workspaces.delete(workspaceId);
      };
    },
  };
}

interface Standing {
  readonly roles: string;
  readonly endsAt: number;
}

/** Undefined when the session has ended, or has been idle too long for this platform. */
async function standingOf(
  sessions: Sessions,
  { key, platformId, environment }: PersonPrincipal,
): Promise<Standing | undefined> {
  const live = await sessions.find(key);
  const use = { isAct: false, isProduction: environment === "PRODUCTION" };
  if (live === undefined || !sessions.use(live, use)) return undefined;
  return { roles: rolesOn(live.person, platformId).join(), endsAt: live.idleEndsAt };
}

/** The streams of the people of a workspace. */
class GuardedWorkspace {
  readonly #tools: Tools;
  readonly #streams = new Set<Guarded>();
  readonly #unwatch: () => void;
  #isChecking = false;
  #isDue = false;

  constructor(workspaceId: string, tools: Tools) {
    this.#tools = tools;
    this.#unwatch = tools.heads.watch(workspaceId, () => void this.#checkAll());
  }

  add({
    caller,
    end,
    roles,
    endsAt,
  }: Standing & { readonly caller: PersonPrincipal; readonly end: () => void }): Guarded {
    const guarded: Guarded = { caller, roles, end, cancel: () => undefined };
    const ofSession = [...this.#streams].filter(
      ({ caller: { sessionId, platformId } }) =>
        sessionId === caller.sessionId && platformId === caller.platformId,
    );
    if (ofSession.length >= STREAMS_OF_SESSION) ofSession[0]?.end();
    this.#streams.add(guarded);
    this.#checkAt(guarded, endsAt);
    return guarded;
  }

  /** True when it was the last stream of the workspace. */
  remove(guarded: Guarded): boolean {
    guarded.cancel();
    return this.#streams.delete(guarded) && this.#streams.size === 0;
  }

  stop(): void {
    this.#unwatch();
  }

  #checkAt(guarded: Guarded, at: number): void {
    const { clock } = this.#tools;
    guarded.cancel();
    guarded.cancel = clock.after(Math.max(0, at - clock.now()), () => void this.#check(guarded));
  }

  /** A change during a check starts another check afterwards. */
  async #checkAll(): Promise<void> {
    this.#isDue = true;
    if (this.#isChecking) return;
    this.#isChecking = true;
    while (this.#isDue) {
      this.#isDue = false;
      this.#tools.sessions.forget();
      await eachAtOnce([...this.#streams], CHECKS_AT_ONCE, (guarded) => this.#check(guarded));
    }
    this.#isChecking = false;
  }

  /** Does not reject: a failed read ends the stream. */
  async #check(guarded: Guarded): Promise<void> {
    const { sessions } = this.#tools;
    const found = await standingOf(sessions, guarded.caller).catch(() => undefined);
    if (!this.#streams.has(guarded)) return;
    if (found?.roles === guarded.roles) this.#checkAt(guarded, found.endsAt);
    else guarded.end();
  }
}

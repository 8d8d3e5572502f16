/** Checks of callbacks: one arrives, it is repeated until it is answered 204, and every event has its own id. */
import { pause } from "../../../std/clock.ts";
import type { HeardCallback } from "./callback-ear.ts";
import type { Check } from "./conformance.ts";

/** For this long, a callback that was answered 204 must not come again. */
const QUIET_MS = 3_000;
const LOOK_EVERY_MS = 100;

export const CALLBACK_CHECKS: readonly Check[] = [
  {
    name: "a callback comes, signed, and is repeated after a 503",
    async run({ options, newId, order, put }) {
      const { ear, clock, waitMs } = options;
      if (ear === undefined) return undefined;
      const id = newId();
      ear.refuseFirst(id);
      await put(id, order(id, "1080"));
      const until = clock.now() + waitMs;
      const heard = () => ear.heard().filter(({ paymentId }) => paymentId === id);
      while (!isRepeated(heard()) && clock.now() < until) await pause(clock, LOOK_EVERY_MS);
      if (heard().length === 0) return "no callback came";
      if (heard().some(({ isSigned }) => !isSigned)) return "a callback is not signed right";
      return isRepeated(heard())
        ? undefined
        : "a callback that was answered 503 did not come again";
    },
  },
  {
    name: "a callback that was taken does not come again",
    async run({ options, newId, order, put, ended }) {
      const { ear, clock } = options;
      if (ear === undefined) return undefined;
      const id = newId();
      await put(id, order(id, "1190"));
      await ended(id);
      await pause(clock, QUIET_MS);
      const taken = ear.heard().filter((each) => each.paymentId === id && each.wasTaken);
      const bodies = new Set(taken.map(({ body }) => body));
      return bodies.size === taken.length
        ? undefined
        : "a callback that was answered 204 came again";
    },
  },
  {
    name: "every event has an id of its own",
    async run({ options: { ear } }) {
      const bodyOf = new Map<string, string>();
      for (const { eventId, body } of ear?.heard() ?? []) {
        const known = bodyOf.get(eventId) ?? body;
        if (known !== body) return `the event id ${eventId} was used for two events`;
        bodyOf.set(eventId, body);
      }
      return undefined;
    },
  },
];

function isRepeated(heard: readonly HeardCallback[]): boolean {
  const refused = heard.find(({ wasTaken }) => !wasTaken);
  return heard.some(({ wasTaken, eventId }) => wasTaken && eventId === refused?.eventId);
}

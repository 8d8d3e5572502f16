import type { Tone } from "../../../text/tones.ts";

/** The colours of the dots of a timeline. */
export const DOTS: Readonly<Record<Tone, string>> = {
  good: "bg-good",
  wait: "bg-wait",
  bad: "bg-bad",
  note: "bg-note",
  plain: "bg-strong",
};

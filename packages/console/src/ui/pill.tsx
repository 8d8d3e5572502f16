import { wordOf } from "../text/messages.ts";
import { type Tone, toneOf } from "../text/tones.ts";
import { classes } from "./classes.ts";

const TINTS: Readonly<Record<Tone, string>> = {
  good: "tint-good",
  wait: "tint-wait",
  bad: "tint-bad",
  note: "tint-note",
  plain: "tint-plain",
};

/** Shows a state as a coloured dot and a word. */
export function StatePill({ state, tone }: { readonly state: string; readonly tone?: Tone }) {
  return <Pill word={wordOf("state", state)} tone={tone ?? toneOf(state)} />;
}

export function Pill({ word, tone }: { readonly word: string; readonly tone: Tone }) {
  return (
    <span
      className={classes(
        "inline-flex h-5 items-center gap-1.5 rounded-full px-2 text-caption font-medium whitespace-nowrap",
        TINTS[tone],
      )}
    >
      <span aria-hidden className="size-1.5 rounded-full bg-current" />
      {word}
    </span>
  );
}

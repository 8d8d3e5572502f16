/** Opens a page, an act, or an object: by its name, its words or its id. */
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useState } from "react";
import type { Call } from "../api/operations.ts";
import { usePlatform, useRead } from "../api/platform.ts";
import { useSettledText } from "../std/settled-text.ts";
import { t } from "../text/messages.ts";
import { classes } from "../ui/classes.ts";
import { Dialog } from "../ui/dialog.tsx";
import { StatePill } from "../ui/pill.tsx";
import { OutsideWord } from "../ui/values.tsx";
import type { PlaceGroup } from "./navigation.ts";
import { type Entry, entriesFor, isId, readText } from "./palette-entries.ts";

interface PaletteProps {
  readonly groups: readonly PlaceGroup[];
  readonly onClose: () => void;
}

export function Palette({ groups, isOpen, onClose }: PaletteProps & { readonly isOpen: boolean }) {
  return (
    <Dialog title={t("palette.title")} isOpen={isOpen} onClose={onClose}>
      <PaletteBody groups={groups} onClose={onClose} />
    </Dialog>
  );
}

const optionId = (key: string) => `palette-${key.replaceAll(/[^A-Za-z0-9]/g, "-")}`;

function PaletteBody({ groups, onClose }: PaletteProps) {
  const [text, setText] = useState("");
  const { entries, isSearching, hasFailed } = useEntries(text, groups);
  const go = useGo(onClose);
  const { current, onKeyDown, reset, openFirst } = useChoice(entries, { isSearching, go });
  const type = (typed: string) => {
    setText(typed);
    reset();
  };
  return (
    <>
      <input
        role="combobox"
        aria-expanded
        aria-controls="palette-list"
        aria-autocomplete="list"
        aria-activedescendant={current && optionId(current.key)}
        aria-label={t("palette.hint")}
        placeholder={t("palette.hint")}
        // biome-ignore lint/a11y/noAutofocus: the dialog is opened to type
        autoFocus
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => type(event.target.value)}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData("text");
          if (!isId(pasted)) return;
          event.preventDefault();
          type(pasted.trim());
          openFirst();
        }}
        onKeyDown={onKeyDown}
        className="h-10 w-full rounded-control border border-strong bg-ground px-3 text-form"
      />
      {entries.length === 0 && !isSearching && (
        <p role="status" className="px-2 text-form text-soft">
          {hasFailed ? t("palette.failed") : t("palette.none")}
        </p>
      )}
      <div
        id="palette-list"
        role="listbox"
        aria-label={t("palette.title")}
        aria-busy={isSearching}
        className="flex min-h-40 flex-col"
      >
        {entries.map((entry) => (
          <Option key={entry.key} entry={entry} isCurrent={entry === current} onPress={go} />
        ))}
      </div>
    </>
  );
}

interface Opens {
  readonly isSearching: boolean;
  readonly go: (entry: Entry) => void;
}

/** The current entry: the first one until the arrow keys choose another. Enter waits for a search that runs, because it may find a better first one. */
function useChoice(entries: readonly Entry[], { isSearching, go }: Opens) {
  const [chosen, setChosen] = useState<string>();
  const [isWaiting, setWaiting] = useState(false);
  const found = entries.findIndex(({ key }) => key === chosen);
  const at = Math.max(0, found);
  const current = entries[at];
  useEffect(() => {
    if (!isWaiting || isSearching) return;
    setWaiting(false);
    if (current !== undefined) go(current);
  }, [isWaiting, isSearching, current, go]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = entries[(at + step + entries.length) % entries.length];
      setChosen(next?.key);
      document.getElementById(optionId(next?.key ?? ""))?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      if (found >= 0 && current !== undefined) go(current);
      else setWaiting(true);
    }
  };
  const reset = () => {
    setChosen(undefined);
    setWaiting(false);
  };
  return { current, onKeyDown, reset, openFirst: () => setWaiting(true) };
}

function useGo(onClose: () => void): (entry: Entry) => void {
  const { slug } = usePlatform();
  const navigate = useNavigate();
  return ({ place, act }) => {
    onClose();
    void navigate({
      to: `/p/${slug}/${place}`,
      search: (act === undefined ? {} : { act }) as never,
    });
  };
}

/** The entries for the text. While the search for it runs, what the text before has found is shown. */
function useEntries(text: string, groups: readonly PlaceGroup[]) {
  const { capabilities } = usePlatform();
  const settled = useSettledText(text, TYPING_MS);
  const { asked } = readText(settled, capabilities);
  const { data, error, isPlaceholderData } = useRead<"search">(
    {
      method: "GET",
      path: ["search"],
      query: { q: "", ...asked, expand: "parties" },
    } as Call<"search">,
    { isOff: asked === undefined, keepsPrevious: true },
  );
  const { asked: wanted, onFound } = readText(text, capabilities);
  const needsSearch = wanted !== undefined;
  const isAnswered = data !== undefined && !isPlaceholderData && settled === text;
  // What another text has found is no object of an act.
  const found = isAnswered || (needsSearch && onFound === undefined) ? data : undefined;
  const entries = entriesFor(text, { groups, capabilities, found });
  const hasFailed = error !== null && settled === text;
  return { entries, isSearching: needsSearch && !isAnswered && !hasFailed, hasFailed };
}

const TYPING_MS = 60;

function Option({
  entry,
  isCurrent,
  onPress,
}: {
  readonly entry: Entry;
  readonly isCurrent: boolean;
  readonly onPress: (entry: Entry) => void;
}) {
  const { key, name, detail, what, status } = entry;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and its keys
    // biome-ignore lint/a11y/useFocusableInteractive: the field above names it as its active descendant
    <div
      role="option"
      id={optionId(key)}
      aria-selected={isCurrent}
      onClick={() => onPress(entry)}
      className={classes(
        "flex min-h-9 cursor-default items-center gap-3 rounded-control px-2 py-1 text-form hover:bg-panel pointer-coarse:min-h-11",
        isCurrent && "bg-panel outline-2 outline-accent -outline-offset-2",
      )}
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate">
          <OutsideWord text={name} />
        </span>
        {detail !== "" && (
          <span className="block truncate text-caption text-soft">
            <OutsideWord text={detail} />
          </span>
        )}
      </span>
      {status !== undefined && <StatePill state={status} />}
      <span className="shrink-0 text-caption text-soft">{what}</span>
    </div>
  );
}

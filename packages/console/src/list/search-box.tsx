/** The box above a list: filters it by what the search finds. A pasted id opens its object at once. */
import { useNavigate } from "@tanstack/react-router";
import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { usePlatform } from "../api/platform.ts";
import { placeOf } from "../std/ids.ts";
import { type MessageKey, t } from "../text/messages.ts";
import { IconButton } from "../ui/button.tsx";
import { type ListState, SEARCH } from "./list-state.ts";

const TYPING_MS = 250;

export function SearchBox({
  hint,
  state,
}: {
  readonly hint: MessageKey;
  readonly state: ListState;
}) {
  const { text, type, apply } = useTyped(state);
  const open = useOpenId();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!open(text)) apply(text);
      }}
      className="relative w-full rail:w-80"
    >
      <Search
        size={14}
        aria-hidden
        className="pointer-events-none absolute start-2.5 top-1/2 -translate-y-1/2 text-soft"
      />
      <input
        aria-label={t("list.search")}
        placeholder={t(hint)}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={text}
        onChange={({ target: { value } }) => type(value)}
        onPaste={(event) => {
          if (open(event.clipboardData.getData("text"))) event.preventDefault();
        }}
        className="h-8 w-full rounded-control border border-strong bg-ground ps-8 pe-8 text-body pointer-coarse:h-11"
      />
      {text !== "" && (
        <span className="absolute end-0.5 top-1/2 -translate-y-1/2">
          <IconButton label={t("list.clearSearch")} onPress={() => apply("")}>
            <X size={13} aria-hidden />
          </IconButton>
        </span>
      )}
    </form>
  );
}

/** The text of the box. The URL has it once no key has been pressed for a moment. */
function useTyped(state: ListState) {
  const shown = state.set[SEARCH] ?? "";
  const [text, setText] = useState(shown);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The browser's way back, and the button that clears all filters, change the URL alone.
  useEffect(() => setText(shown), [shown]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const apply = (typed: string) => {
    clearTimeout(timer.current);
    setText(typed);
    const q = typed.trim();
    if (q !== shown) state.change({ [SEARCH]: q === "" ? undefined : q, cursor: undefined });
  };
  const type = (typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => apply(typed), TYPING_MS);
  };
  return { text, type, apply };
}

/** Opens the object of an id; false for any other text. */
function useOpenId(): (text: string) => boolean {
  const { slug } = usePlatform();
  const navigate = useNavigate();
  return (text) => {
    const place = placeOf(text);
    if (place !== undefined) void navigate({ to: `/p/${slug}/${place}` });
    return place !== undefined;
  };
}

/** Opens a page by its name, or an object by its id. */
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Autocomplete, Input, Menu, MenuItem, SearchField, useFilter } from "react-aria-components";
import { usePlatform } from "../api/platform.ts";
import { placeOf, readId } from "../std/ids.ts";
import { t, wordOf } from "../text/messages.ts";
import { Dialog } from "../ui/dialog.tsx";
import type { PlaceGroup } from "./navigation.ts";

export function Palette({
  groups,
  isOpen,
  onClose,
}: {
  readonly groups: readonly PlaceGroup[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={t("palette.title")} isOpen={isOpen} onClose={onClose}>
      <PaletteBody groups={groups} onClose={onClose} />
    </Dialog>
  );
}

function PaletteBody({
  groups,
  onClose,
}: {
  readonly groups: readonly PlaceGroup[];
  readonly onClose: () => void;
}) {
  const [text, setText] = useState("");
  const { contains } = useFilter({ sensitivity: "base" });
  const { slug } = usePlatform();
  const navigate = useNavigate();
  const place = placeOf(text);
  const go = (path: string) => {
    onClose();
    void navigate({ to: `/p/${slug}/${path}` });
  };
  // For an id only its object is listed, so that Enter opens it.
  const found =
    place === undefined
      ? groups.flatMap(({ places }) =>
          places.map(({ path, title, icon }) => ({ path, name: t(title), icon })),
        )
      : [{ path: place, name: t("palette.object", { kind: kindOf(text) }), icon: undefined }];
  return (
    <Autocomplete
      inputValue={text}
      onInputChange={setText}
      filter={(name, typed) => place !== undefined || contains(name, typed)}
    >
      {/* The list's focus is still on a result for the beginning of the id, so Enter is handled here. */}
      <form
        onKeyDownCapture={(event) => {
          if (event.key === "Enter" && place !== undefined) go(place);
        }}
        onSubmit={(event) => event.preventDefault()}
      >
        <SearchField aria-label={t("palette.hint")} autoFocus>
          <Input
            placeholder={t("palette.hint")}
            className="h-10 w-full rounded-control border border-strong bg-ground px-3 text-form [&::-webkit-search-cancel-button]:hidden"
          />
        </SearchField>
      </form>
      <Menu
        aria-label={t("palette.title")}
        className="outline-none"
        renderEmptyState={() => <p className="p-2 text-form text-soft">{t("palette.none")}</p>}
      >
        {found.map(({ path, name, icon: Icon }) => (
          <MenuItem
            key={path}
            id={path}
            textValue={name}
            onAction={() => go(path)}
            className="flex min-h-9 cursor-default items-center gap-2.5 rounded-control px-2 text-form data-[focused]:bg-panel pointer-coarse:min-h-11"
          >
            {Icon !== undefined && <Icon size={16} aria-hidden className="text-soft" />}
            {name}
          </MenuItem>
        ))}
      </Menu>
    </Autocomplete>
  );
}

function kindOf(text: string): string {
  return wordOf("kind", readId(text)?.kind ?? "id");
}

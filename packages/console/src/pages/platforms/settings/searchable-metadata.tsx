/** The keys of metadata by which lists are filtered: shown with the progress of older objects, and changed in a dialog. */
import type { PlatformConfig } from "@florin/client";
import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { ActButton } from "../../../act/act-dialog.tsx";
import { type ActSpec, FormProblem, type OwnControl } from "../../../act/act-spec.ts";
import { useMay } from "../../../api/platform.ts";
import { Section } from "../../../detail/facts.tsx";
import { t, wordOf } from "../../../text/messages.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { TextInput } from "../../../ui/fields.tsx";

const MOST_KEYS = 5;
const KEY = /^[A-Za-z0-9_.-]{1,40}$/;
/** In the order in which older objects are added. */
const LISTS = [
  "transactions",
  "customers",
  "internal_accounts",
  "external_accounts",
  "holds",
  "payment_batches",
];

export function SearchableMetadata({ config }: { readonly config: PlatformConfig }) {
  const may = useMay("settings.write");
  const { searchableMetadata: keys = [], searchableMetadataBuild: build } = config;
  return (
    <Section
      title={t("settings.metadata")}
      act={may && <ActButton spec={declare(keys)}>{t("act.edit")}</ActButton>}
    >
      {keys.length === 0 ? (
        <p className="text-body text-soft">{t("settings.metadataNone")}</p>
      ) : (
        <ul className="flex flex-wrap gap-1.5" aria-label={t("settings.metadata")}>
          {keys.map((key) => (
            <li
              key={key}
              className="rounded-control border border-line bg-panel px-2 py-0.5 font-mono text-body [overflow-wrap:anywhere]"
            >
              {key}
            </li>
          ))}
        </ul>
      )}
      {build !== undefined && (
        <p role="status" className="pt-2 text-body text-soft">
          {progressOf(build.list)}
        </p>
      )}
    </Section>
  );
}

function progressOf(list: string | undefined): string {
  if (list === undefined) return t("settings.metadataBegun");
  const values = { step: LISTS.indexOf(list) + 1, steps: LISTS.length };
  return t("settings.metadataAdded", { ...values, list: wordOf("settings.metadataList", list) });
}

/** The value of the field: the keys, and behind the last comma what is being typed. */
function declare(keys: readonly string[]): ActSpec<"updateConfig"> {
  return {
    title: t("settings.metadata"),
    verb: t("act.save"),
    intro: t("settings.metadataIntro"),
    fields: [
      {
        name: "searchableMetadata",
        label: "settings.metadataKey",
        kind: "own",
        isOptional: true,
        initial: [...keys, ""].join(","),
        control: (control) => <KeyList control={control} />,
      },
    ],
    toCall({ searchableMetadata = "" }) {
      const chosen = searchableMetadata.split(",").map((key) => key.trim());
      const declared = chosen.filter((key) => key !== "");
      const fault = faultOf(declared);
      if (fault !== undefined) throw new FormProblem({ searchableMetadata: fault });
      return { method: "PATCH", path: ["config"], body: { searchableMetadata: declared } };
    },
  };
}

function faultOf(keys: readonly string[]): string | undefined {
  if (!keys.every((key) => KEY.test(key))) return t("settings.metadataForm");
  if (new Set(keys).size < keys.length) return t("settings.metadataTwice");
  return keys.length > MOST_KEYS ? t("settings.metadataMost") : undefined;
}

function KeyList({ control }: { readonly control: OwnControl }) {
  const parts = control.value.split(",");
  const [keys, typed] = [parts.slice(0, -1), parts.at(-1) ?? ""];
  const [fault, setFault] = useState<string>();
  const box = useRef<HTMLDivElement>(null);
  const wasRemoved = useRef(false);
  // The button of a key that was removed had the focus.
  useEffect(() => {
    if (wasRemoved.current) box.current?.querySelector("input")?.focus();
    wasRemoved.current = false;
  });
  const change = (next: readonly string[]) => {
    setFault(undefined);
    control.onChange(next.join(","));
  };
  const add = () => {
    const all = [...keys, typed.trim()];
    const found = faultOf(all);
    if (found === undefined) change([...all, ""]);
    else setFault(found);
  };
  return (
    <div ref={box} className="flex flex-col gap-3">
      {keys.length > 0 && (
        <ul
          aria-label={t("settings.metadata")}
          className="divide-y divide-line rounded-control border border-line"
        >
          {keys.map((key) => (
            <li key={key} className="flex items-center justify-between gap-2 ps-2.5">
              <span className="min-w-0 font-mono text-body [overflow-wrap:anywhere]">{key}</span>
              <IconButton
                label={t("settings.metadataRemove", { key })}
                onPress={() => {
                  wasRemoved.current = true;
                  change([...keys.filter((one) => one !== key), typed]);
                }}
              >
                <X size={14} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {keys.length < MOST_KEYS ? (
        <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2">
          <TextInput
            label={control.label}
            value={typed}
            onChange={(text) => change([...keys, text])}
            hint={t("settings.metadataHint")}
            error={fault ?? control.error}
            placeholder={keys.length === 0 ? "orderId" : undefined}
            autoComplete="off"
          />
          <div className="pt-6">
            <div className="flex h-9 items-center pointer-coarse:h-11">
              <Button onPress={add} isDisabled={typed.trim() === ""}>
                {t("settings.metadataAdd")}
              </Button>
            </div>
          </div>
        </div>
      ) : (
        <p className="text-caption text-soft">{t("settings.metadataMost")}</p>
      )}
    </div>
  );
}

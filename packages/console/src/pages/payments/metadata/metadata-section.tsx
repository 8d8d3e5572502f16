/** The platform's own keys and values of a payment, and the act that replaces them. */
import type { Transaction } from "@florin/client";
import { X } from "lucide-react";
import { ActButton } from "../../../act/act-dialog.tsx";
import { type ActSpec, FormProblem, type OwnControl } from "../../../act/act-spec.ts";
import { useMay } from "../../../api/platform.ts";
import { type Fact, Facts, Section } from "../../../detail/facts.tsx";
import { t } from "../../../text/messages.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { TextInput } from "../../../ui/fields.tsx";
import { OutsideText } from "../../../ui/values.tsx";
import {
  faultIn,
  MOST_PAIRS,
  metadataIn,
  type PairFault,
  pairsIn,
  textOf,
  withOneMore,
  withoutPair,
  withPair,
} from "./pairs.ts";

export function MetadataSection({ payment }: { readonly payment: Transaction }) {
  const may = useMay("payments.create");
  const metadata: unknown = payment.metadata;
  if (metadata === undefined && !may) return null;
  const edit = <ActButton spec={editMetadata(payment)}>{t("act.edit")}</ActButton>;
  return (
    <Section title={t("metadata.title")} act={may && edit}>
      {metadata === undefined ? (
        <p className="text-body text-soft">{t("metadata.none")}</p>
      ) : (
        <Facts facts={factsOf(metadata)} />
      )}
    </Section>
  );
}

/** Metadata is masked as a whole. */
function factsOf(metadata: unknown): readonly Fact[] {
  if (typeof metadata !== "object" || metadata === null)
    return [[t("metadata.title"), String(metadata)]];
  return Object.entries(metadata).map(([key, value]) => [
    key,
    <OutsideText key={key} text={String(value)} />,
  ]);
}

function editMetadata({ id, metadata }: Transaction): ActSpec<"updateTransaction"> {
  return {
    title: t("metadata.edit"),
    verb: t("act.save"),
    intro: t("metadata.intro"),
    fields: [
      {
        name: "metadata",
        label: "metadata.title",
        kind: "own",
        initial: textOf(metadata ?? {}),
        control: (control) => <Pairs {...control} />,
      },
    ],
    toCall({ metadata: text = "" }) {
      const pairs = pairsIn(text);
      const fault = faultIn(pairs);
      if (fault !== undefined) throw new FormProblem({ metadata: faultText(fault) });
      return { method: "PATCH", path: ["transactions", id], body: { metadata: metadataIn(pairs) } };
    },
  };
}

function faultText({ kind }: PairFault): string {
  return t(`metadata.fault.${kind}`);
}

function Pairs({ label, value, error, onChange }: OwnControl) {
  const pairs = pairsIn(value);
  // The text stays until the form is sent again; the place follows what is typed meanwhile.
  const fault = error === undefined ? undefined : faultIn(pairs);
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">{label}</legend>
      {pairs.map(([key, text], at) => (
        <div
          key={at}
          className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-start gap-2"
        >
          <TextInput
            label={t("metadata.key")}
            isLabelHidden={at > 0}
            value={key}
            error={fault?.at === at && fault.kind !== "longValue" ? error : undefined}
            onChange={(changed) => onChange(withPair(pairs, at, [changed, text]))}
            autoComplete="off"
          />
          <TextInput
            label={t("metadata.value")}
            isLabelHidden={at > 0}
            value={text}
            error={fault?.at === at && fault.kind === "longValue" ? error : undefined}
            onChange={(changed) => onChange(withPair(pairs, at, [key, changed]))}
            autoComplete="off"
          />
          <div className={at > 0 ? "" : "pt-6"}>
            <IconButton
              label={t("metadata.remove", { key })}
              onPress={() => onChange(withoutPair(pairs, at))}
            >
              <X size={14} aria-hidden />
            </IconButton>
          </div>
        </div>
      ))}
      {pairs.length < MOST_PAIRS && (
        <div>
          <Button isSmall onPress={() => onChange(withOneMore(pairs))}>
            {t("metadata.add")}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

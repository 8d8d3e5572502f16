/** The keys by which other institutions know a platform. Private parts are shown nowhere. */
import type { UmaKey } from "@florin/client";
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import { useMay, useRead } from "../../api/platform.ts";
import { Section } from "../../detail/facts.tsx";
import { now } from "../../std/host.ts";
import { shortId } from "../../std/ids.ts";
import { t, wordOf } from "../../text/messages.ts";
import type { Tone } from "../../text/tones.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Pill } from "../../ui/pill.tsx";
import { Waiting } from "../../ui/states.tsx";
import { Day, Time } from "../../ui/values.tsx";

const MOST_SHOWN = 100;
const DAY_MS = 86_400_000;
/** The first warning of the events about a certificate that expires. */
const SOON_DAYS = 30;

export function Keys() {
  const reading = useRead<"listUmaKeys">({
    method: "GET",
    path: ["uma", "keys"],
    query: { limit: MOST_SHOWN },
  });
  return (
    <Section title={t("uma.keys")}>
      <Waiting reading={reading}>
        {({ data }) => (
          <ul aria-label={t("uma.keys")}>
            {data
              .filter(({ status }) => status !== "DESTROYED")
              .map((key) => (
                <Key key={key.id} shown={key} />
              ))}
          </ul>
        )}
      </Waiting>
    </Section>
  );
}

const TONES: Readonly<Record<string, Tone>> = {
  NEXT: "wait",
  CURRENT: "good",
  PREVIOUS: "plain",
};

function Key({ shown: key }: { readonly shown: UmaKey }) {
  const { id, use, status, source, takesOverAt } = key;
  const mayRotate = useMay("settings.write") && status === "CURRENT";
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-line border-b py-3">
      <div className="flex min-w-0 flex-1 basis-48 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium text-form">{wordOf("umaKeyUse", use)}</span>
          <Pill word={wordOf("umaKey", status)} tone={TONES[status] ?? "plain"} />
          <span className="inline-flex items-center gap-1 font-mono text-code text-soft">
            {`\u2026${shortId(id)}`}
            <CopyButton text={id} what={t("kind.UmaKey")} isQuiet />
          </span>
        </div>
        <p className="text-body text-soft">
          {wordOf("umaKeySource", source)} {"\u00b7"} <Validity of={key} />
        </p>
        {takesOverAt !== undefined && status === "NEXT" && (
          <p className="text-body text-soft">
            {t("uma.takesOver")} <Time at={takesOverAt} isExact />
          </p>
        )}
      </div>
      {mayRotate && <ActButton spec={rotate(key)}>{t("uma.rotate")}</ActButton>}
    </li>
  );
}

function Validity({ of: { notAfter } }: { readonly of: UmaKey }) {
  const days = Math.floor((Date.parse(notAfter) - now()) / DAY_MS);
  return (
    <span className={days < SOON_DAYS ? "text-bad" : undefined}>
      {t("uma.validUntil")} <Day on={notAfter} /> ({t("uma.daysLeft", { count: Math.max(0, days) })}
      )
    </span>
  );
}

const AT_ONCE = "now";
const DELAYS: readonly (readonly [seconds: string, word: "minutes" | "hour" | "day"])[] = [
  ["600", "minutes"],
  ["3600", "hour"],
  ["86400", "day"],
];

function rotate({ use }: UmaKey): ActSpec<"rotateUmaKey"> {
  return {
    title: t("uma.rotateTitle", { use: wordOf("umaKeyUse", use) }),
    verb: t("uma.rotate"),
    intro: t("uma.rotateIntro"),
    fields: [
      {
        name: "when",
        label: "uma.takesOver",
        kind: "choice",
        initial: "3600",
        choices: [
          ...DELAYS.map(([value, word]) => ({ value, label: wordOf("umaDelay", word) })),
          { value: AT_ONCE, label: wordOf("umaDelay", AT_ONCE) },
        ],
      },
    ],
    toCall: ({ when = "" }) => ({
      method: "POST",
      path: ["uma", "keys", "rotate"],
      body:
        when === AT_ONCE
          ? { use, takesOverInSeconds: 0, compromised: true }
          : { use, takesOverInSeconds: Number(when) },
    }),
  };
}

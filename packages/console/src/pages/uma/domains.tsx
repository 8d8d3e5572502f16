/** The UMA domains of a platform, each with what the last check of its routing found. */
import type { UmaDomain } from "@florin/client";
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import { useMay, useRead } from "../../api/platform.ts";
import { Section } from "../../detail/facts.tsx";
import { t, wordOf } from "../../text/messages.ts";
import type { Tone } from "../../text/tones.ts";
import { stateChoices } from "../../ui/choices.ts";
import { Pill } from "../../ui/pill.tsx";
import { Waiting } from "../../ui/states.tsx";
import { OutsideText, Time } from "../../ui/values.tsx";

const MOST_SHOWN = 100;

export function Domains() {
  const reading = useRead<"listUmaDomains">({
    method: "GET",
    path: ["uma", "domains"],
    query: { limit: MOST_SHOWN },
  });
  return (
    <Section title={t("uma.domains")}>
      <Waiting reading={reading}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="py-2 text-form text-soft">{t("uma.noDomain")}</p>
          ) : (
            <ul aria-label={t("uma.domains")}>
              {data.map((domain) => (
                <Domain key={domain.id} domain={domain} />
              ))}
            </ul>
          )
        }
      </Waiting>
    </Section>
  );
}

/** A domain that is claimed alone is not served yet. */
const TONES: Readonly<Record<string, Tone>> = {
  CLAIMED: "wait",
  ACTIVE: "good",
  UNREACHABLE: "bad",
};

function Domain({ domain }: { readonly domain: UmaDomain }) {
  const { status, isPrimary, callbackBase } = domain;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-line border-b py-3">
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 font-medium text-form [overflow-wrap:anywhere]">
            <OutsideText text={domain.domain} />
          </span>
          <Pill word={wordOf("umaDomain", status)} tone={TONES[status] ?? "plain"} />
          {isPrimary && <span className="text-caption text-soft">{t("uma.primary")}</span>}
        </div>
        <LastCheck domain={domain} />
        <p className="text-body text-soft">{wordOf("umaCallback", callbackBase)}</p>
      </div>
      <Acts domain={domain} />
    </li>
  );
}

function LastCheck({ domain: { lastCheck } }: { readonly domain: UmaDomain }) {
  if (lastCheck === undefined) return <p className="text-body text-soft">{t("uma.unchecked")}</p>;
  const { at, faults } = lastCheck;
  return (
    <>
      <p className="text-body text-soft">
        {t("uma.faults", { count: faults.length })} {"\u00b7"} <Time at={at} />
      </p>
      {faults.length > 0 && (
        <ul className="list-disc ps-5 text-body">
          {faults.map(({ code, message }) => (
            <li key={code}>
              <OutsideText text={message} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Acts({ domain }: { readonly domain: UmaDomain }) {
  if (!useMay("settings.write")) return undefined;
  return (
    <div className="flex gap-2">
      <ActButton spec={callbacks(domain)}>{t("act.edit")}</ActButton>
      <ActButton spec={check(domain)}>{t("uma.check")}</ActButton>
    </div>
  );
}

function check({ id, domain }: UmaDomain): ActSpec<"checkUmaDomain"> {
  return {
    title: t("uma.checkTitle", { domain }),
    verb: t("uma.check"),
    intro: t("uma.checkIntro"),
    fields: [],
    toCall: () => ({ method: "POST", path: ["uma", "domains", id, "check"] }),
    after: (checked) => <LastCheck domain={checked} />,
  };
}

function callbacks({ id, domain, callbackBase }: UmaDomain): ActSpec<"updateUmaDomain"> {
  return {
    title: domain,
    verb: t("act.save"),
    fields: [
      {
        name: "callbackBase",
        label: "uma.callback",
        hint: t("uma.callbackHint"),
        kind: "choice",
        initial: callbackBase,
        choices: stateChoices(["PUBLIC_URL", "DOMAIN"], "umaCallback"),
      },
    ],
    toCall: (values) => ({
      method: "PATCH",
      path: ["uma", "domains", id],
      body: { callbackBase: values.callbackBase as "DOMAIN" },
    }),
  };
}

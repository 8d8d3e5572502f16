/** Sign-in settings of the workspace: its identity providers, their test, and whether they are required. */
import { useSearch } from "@tanstack/react-router";
import { ActButton } from "../../../act/act-dialog.tsx";
import type { ActSpec, FormField } from "../../../act/act-spec.ts";
import { useMay, useRead } from "../../../api/platform.ts";
import {
  issuerPage,
  type Sso,
  type SsoChange,
  type SsoIssuer,
} from "../../../api/sso-operations.ts";
import { Facts, Section } from "../../../detail/facts.tsx";
import { t, wordOf } from "../../../text/messages.ts";
import { buttonLook } from "../../../ui/button.tsx";
import { stateChoices } from "../../../ui/choices.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { Waiting } from "../../../ui/states.tsx";
import { OutsideText, Time } from "../../../ui/values.tsx";

export function SignInSettings() {
  const reading = useRead<"getSso">({ method: "GET", path: ["workspace", "sso"] });
  const may = useMay("workspace.write");
  return (
    <Waiting reading={reading}>
      {(sso) => (
        <Section
          title={t("sso.title")}
          act={may && <ActButton spec={editRule(sso)}>{t("act.edit")}</ActButton>}
        >
          <Outcome />
          <Facts
            facts={[
              [t("sso.names"), sso.names.length === 0 ? t("settings.none") : sso.names.join(", ")],
              [t("sso.required"), wordOf("sso.required", String(sso.isRequired))],
              [
                t("sso.redirectUri"),
                <span key="uri" className="flex min-w-0 items-center gap-1">
                  <OutsideText text={sso.redirectUri} isLine />
                  <CopyButton text={sso.redirectUri} what={t("sso.redirectUri")} />
                </span>,
              ],
            ]}
          />
          <ul>
            {sso.issuers.map((issuer, index) => (
              <Issuer key={issuer.id} issuer={issuer} index={index} sso={sso} />
            ))}
          </ul>
          {may && (
            <div className="pt-3">
              <ActButton spec={editIssuer(sso, sso.issuers.length)}>{t("sso.add")}</ActButton>
            </div>
          )}
        </Section>
      )}
    </Waiting>
  );
}

/** The result of the test from which the browser has just returned. */
function Outcome() {
  const { sso: outcome }: { readonly sso?: string } = useSearch({ strict: false });
  if (outcome === undefined) return null;
  const isGood = outcome === "TESTED" || outcome === "STEPPED_UP";
  return (
    <p
      role={isGood ? "status" : "alert"}
      className={`${isGood ? "tint-good" : "tint-bad"} mb-2 rounded-control p-3 text-form`}
    >
      {wordOf("sso.outcome", outcome)}
    </p>
  );
}

interface IssuerProps {
  readonly issuer: SsoIssuer;
  readonly index: number;
  readonly sso: Sso;
}

function Issuer({ issuer, index, sso }: IssuerProps) {
  const { id, name, testedAt, autoJoin } = issuer;
  const may = useMay("workspace.write");
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-2">
      <div className="min-w-0 flex-1 basis-64">
        <OutsideText text={name} isLine />
        <span className="block text-caption text-soft">
          <OutsideText text={issuer.issuer} isLine />
        </span>
        {autoJoin !== null && (
          <span className="block text-caption text-soft">
            {t("sso.joins", { domain: autoJoin.domain })}
          </span>
        )}
      </div>
      {testedAt === undefined ? (
        <Pill word={t("sso.untested")} tone="wait" />
      ) : (
        <span className="text-caption text-soft">
          {t("sso.tested")} <Time at={testedAt} isOfServer />
        </span>
      )}
      {may && (
        <span className="flex flex-wrap items-center gap-2">
          <a href={issuerPage("test", id)} className={buttonLook("quiet")}>
            {t("sso.test")}
          </a>
          <ActButton spec={editIssuer(sso, index)} weight="quiet">
            {t("act.edit")}
          </ActButton>
          <ActButton spec={removeIssuer(sso, issuer)} weight="quiet">
            {t("act.delete")}
          </ActButton>
        </span>
      )}
    </li>
  );
}

const kept = ({ testedAt: _, ...issuer }: SsoIssuer) => issuer;

function change({ names, isRequired, issuers }: Sso, part: Partial<SsoChange>) {
  const body = { names, isRequired, issuers: issuers.map(kept), ...part };
  return { method: "PUT", path: ["workspace", "sso"], body } as const;
}

function editRule(sso: Sso): ActSpec<"updateSso"> {
  return {
    title: t("sso.editRule"),
    verb: t("act.save"),
    fields: [
      {
        name: "names",
        label: "sso.names",
        hint: t("sso.namesHint"),
        kind: "text",
        isOptional: true,
        initial: sso.names.join(" "),
      },
      {
        name: "isRequired",
        label: "sso.required",
        hint: t("sso.requiredHint"),
        kind: "choice",
        initial: String(sso.isRequired),
        choices: stateChoices(["false", "true"], "sso.required"),
      },
    ],
    toCall: ({ names = "", isRequired }) =>
      change(sso, {
        names: names.split(/[\s,]+/).filter((name) => name !== ""),
        isRequired: isRequired === "true",
      }),
  };
}

/** Edits the issuer at this index; an index after the last one adds an issuer. */
function editIssuer(sso: Sso, index: number): ActSpec<"updateSso"> {
  const old = sso.issuers[index];
  return {
    title: t(old === undefined ? "sso.add" : "sso.edit"),
    verb: t("act.save"),
    intro: t("sso.editIntro"),
    fields: issuerFields(index, old),
    toCall({ name = "", issuer = "", clientId = "", clientSecret = "", domain = "" }) {
      const next = {
        name,
        issuer,
        clientId,
        ...(old === undefined ? {} : { id: old.id }),
        ...(clientSecret === "" ? {} : { clientSecret }),
        autoJoin: domain === "" ? null : ({ domain, role: "VIEWER" } as const),
      };
      const issuers: SsoChange["issuers"] =
        old === undefined
          ? [...sso.issuers.map(kept), next]
          : sso.issuers.map((one) => (one.id === old.id ? next : kept(one)));
      return change(sso, { issuers });
    },
  };
}

function issuerFields(index: number, old: SsoIssuer | undefined): readonly FormField[] {
  const at = (member: string) => `issuers.${index}.${member}`;
  return [
    {
      name: "name",
      field: at("name"),
      label: "column.name",
      hint: t("sso.nameHint"),
      kind: "text",
      initial: old?.name,
    },
    {
      name: "issuer",
      field: at("issuer"),
      label: "sso.issuer",
      hint: t("sso.issuerHint"),
      kind: "url",
      initial: old?.issuer,
    },
    {
      name: "clientId",
      field: at("clientId"),
      label: "sso.clientId",
      kind: "text",
      initial: old?.clientId,
    },
    {
      name: "clientSecret",
      field: at("clientSecret"),
      label: "sso.clientSecret",
      hint: t(old === undefined ? "sso.secretHint" : "sso.secretKept"),
      kind: "text",
      isOptional: old !== undefined,
    },
    {
      name: "domain",
      field: at("autoJoin.domain"),
      label: "sso.domain",
      hint: t("sso.domainHint"),
      kind: "text",
      isOptional: true,
      initial: old?.autoJoin?.domain,
    },
  ];
}

function removeIssuer(sso: Sso, { id, name }: SsoIssuer): ActSpec<"updateSso"> {
  return {
    title: t("sso.remove"),
    verb: t("act.delete"),
    intro: t("sso.removeIntro", { name }),
    isDanger: true,
    fields: [],
    toCall: () => change(sso, { issuers: sso.issuers.filter((one) => one.id !== id).map(kept) }),
  };
}

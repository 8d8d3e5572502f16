import type { PlatformConfig } from "@florin/client";
import { ActButton } from "../../../act/act-dialog.tsx";
import type { ActSpec } from "../../../act/act-spec.ts";
import { useMay, useRead } from "../../../api/platform.ts";
import { Facts, Section } from "../../../detail/facts.tsx";
import { t, wordOf } from "../../../text/messages.ts";
import { decimalsFor } from "../../../text/money.ts";
import { stateChoices } from "../../../ui/choices.ts";
import { CodeBlock, jsonText } from "../../../ui/code-block.tsx";
import { PageHead } from "../../../ui/page-head.tsx";
import { Waiting } from "../../../ui/states.tsx";
import { Amount, OutsideText, Time } from "../../../ui/values.tsx";
import { RoleSwitchSection } from "../../people/role-switch.tsx";
import { NewSandbox } from "./new-sandbox.tsx";
import { Policies } from "./policies.tsx";
import { SearchableMetadata } from "./searchable-metadata.tsx";
import { SignInSettings } from "./sign-in.tsx";

export function SettingsPage() {
  const reading = useRead<"getConfig">(
    { method: "GET", path: ["config"] },
    { isMoving: ({ searchableMetadataBuild }) => searchableMetadataBuild !== undefined },
  );
  const may = useMay("settings.write");
  return (
    <>
      <PageHead title={t("settings.title")}>
        <NewSandbox />
        {may && reading.data !== undefined && (
          <ActButton spec={edit(reading.data)} weight="primary">
            {t("act.edit")}
          </ActButton>
        )}
      </PageHead>
      <Waiting reading={reading} rows={8}>
        {(config) => <Shown config={config} />}
      </Waiting>
    </>
  );
}

function Shown({ config }: { readonly config: PlatformConfig }) {
  const { branding, webhookEndpoint, embeddedWalletConfig } = config;
  return (
    <div className="max-w-2xl">
      <Facts
        facts={[
          [t("settings.uma"), config.umaDomain],
          [
            t("settings.webhook"),
            webhookEndpoint === undefined ? (
              t("settings.none")
            ) : (
              <OutsideText key="webhook" text={webhookEndpoint} />
            ),
          ],
          [t("settings.events"), wordOf("webhookEvents", config.webhookEvents)],
          [t("settings.zone"), config.statementTimeZone],
          [t("settings.unknownFields"), wordOf("unknownFields", config.unknownFields)],
          [
            t("settings.regulated"),
            t(config.isRegulatedFinancialInstitution ? "word.yes" : "word.no"),
          ],
          branding !== undefined && [
            t("settings.brand"),
            <OutsideText key="brand" text={branding.name} />,
          ],
          [t("column.updated"), <Time key="updated" at={config.updatedAt} isExact />],
        ]}
      />
      <Section title={t("settings.currencies")}>
        <Facts
          facts={config.supportedCurrencies.map(({ currencyCode, minAmount, maxAmount }) => {
            const currency = { code: currencyCode, decimals: decimalsFor(currencyCode) };
            return [
              currencyCode,
              <span key={currencyCode}>
                <Amount amount={{ amount: minAmount, currency }} /> {"\u2013"}{" "}
                <Amount amount={{ amount: maxAmount, currency }} />
              </span>,
            ];
          })}
        />
      </Section>
      <SearchableMetadata config={config} />
      <Policies currencies={config.supportedCurrencies.map(({ currencyCode }) => currencyCode)} />
      <RoleSwitchSection />
      <SignInSettings />
      {embeddedWalletConfig !== undefined && (
        <Section title={t("settings.wallet")}>
          <Facts
            facts={Object.entries(embeddedWalletConfig).map(([name, value]) => [
              name,
              <OutsideText key={name} text={String(value)} />,
            ])}
          />
        </Section>
      )}
      <Section title={t("detail.json")}>
        <CodeBlock code={jsonText(config)} what={t("detail.json")} />
      </Section>
    </div>
  );
}

function edit(config: PlatformConfig): ActSpec<"updateConfig"> {
  return {
    title: t("settings.edit"),
    verb: t("act.save"),
    fields: [
      {
        name: "webhookEndpoint",
        label: "settings.webhook",
        kind: "url",
        isOptional: true,
        initial: config.webhookEndpoint ?? "",
      },
      {
        name: "webhookEvents",
        label: "settings.events",
        kind: "choice",
        initial: config.webhookEvents,
        choices: stateChoices(["STANDARD", "ALL"], "webhookEvents"),
      },
      {
        name: "statementTimeZone",
        label: "settings.zone",
        kind: "text",
        initial: config.statementTimeZone,
      },
      {
        name: "unknownFields",
        label: "settings.unknownFields",
        kind: "choice",
        initial: config.unknownFields,
        choices: stateChoices(["REFUSE", "IGNORE"], "unknownFields"),
      },
    ],
    toCall: ({
      webhookEndpoint = "",
      webhookEvents = "",
      statementTimeZone = "",
      unknownFields = "",
    }) => ({
      method: "PATCH",
      path: ["config"],
      body: {
        webhookEndpoint: webhookEndpoint === "" ? null : webhookEndpoint,
        webhookEvents: webhookEvents as "ALL",
        statementTimeZone,
        unknownFields: unknownFields as "REFUSE",
      },
    }),
  };
}

/** The state of the deployment for its operators: servers, the database, checks of the books, jobs and settings. */
import { useMay, useRead } from "../../../api/platform.ts";
import type { SystemDatabase, SystemServer } from "../../../api/system-operations.ts";
import { Facts, Section } from "../../../detail/facts.tsx";
import { t } from "../../../text/messages.ts";
import { PageHead } from "../../../ui/page-head.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { Skeleton, Waiting } from "../../../ui/states.tsx";
import { OutsideText, Time } from "../../../ui/values.tsx";
import { SystemTabs } from "./system-tabs.tsx";
import { useVerifyRuns, VerifySection } from "./verify.tsx";

export function SystemPage() {
  // Without the capability, only the first part is read, and its refusal is shown for all.
  const may = useMay("system.read");
  return (
    <>
      <PageHead title={t("system.title")} />
      <SystemTabs />
      {may ? <Parts /> : <Servers />}
    </>
  );
}

const SKELETON_ROWS = 20;

/** Shows the parts only together, because a part that loads later would shift those below it. */
function Parts() {
  const readings = [useServers(), useVerifyRuns(), useJobs(), useDatabase(), useSettings()];
  // Waits for a first result only. A failed part refetches when it is shown, so waiting for success would hide its error forever.
  if (readings.some(({ isFetched }) => !isFetched)) return <Skeleton rows={SKELETON_ROWS} />;
  return (
    <>
      <div className="grid gap-x-12 wide:grid-cols-2">
        <div className="min-w-0">
          <Servers />
          <Jobs />
        </div>
        <div className="min-w-0">
          <VerifySection />
          <Database />
        </div>
      </div>
      <div className="max-w-3xl">
        <Settings />
      </div>
    </>
  );
}

const useServers = () =>
  useRead<"listSystemServers">({ method: "GET", path: ["system", "servers"] });
const useJobs = () => useRead<"listSystemJobs">({ method: "GET", path: ["system", "jobs"] });
const useDatabase = () =>
  useRead<"getSystemDatabase">({ method: "GET", path: ["system", "database"] });
const useSettings = () =>
  useRead<"listSystemSettings">({ method: "GET", path: ["system", "settings"] });

const NUMBER = new Intl.NumberFormat("en");
const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`;
}

function Servers() {
  const reading = useServers();
  return (
    <Waiting reading={reading} rows={8}>
      {({ data }) => data.map((server) => <Server key={server.id} server={server} />)}
    </Waiting>
  );
}

function Server({ server }: { readonly server: SystemServer }) {
  const { name, isReady, isSilent, commits, disk, notReadyBecause } = server;
  const [tone, word] = isSilent
    ? (["bad", t("system.silent")] as const)
    : isReady
      ? (["good", t("system.ready")] as const)
      : (["bad", t("system.notReady")] as const);
  return (
    <Section
      title={server.isThis ? t("system.thisServer", { name }) : name}
      act={<Pill tone={tone} word={word} />}
    >
      <Facts
        facts={[
          notReadyBecause !== undefined && [
            t("column.reason"),
            <OutsideText key="why" text={notReadyBecause} />,
          ],
          [t("system.version"), server.version],
          [t("column.started"), <Time key="start" at={server.startedAt} isOfServer />],
          [t("system.seen"), <Time key="seen" at={server.seenAt} isOfServer />],
          [t("system.queued"), NUMBER.format(server.queued)],
          [
            t("system.commits"),
            t("system.commitTimes", { p50: commits.p50Ms, p99: commits.p99Ms }),
          ],
          [t("system.lanes"), NUMBER.format(server.lanes)],
          [t("system.connections"), NUMBER.format(server.connections)],
          [t("system.jobsUnderway"), NUMBER.format(server.jobsUnderway)],
          ...(server.failingJobs ?? []).map(
            ({ id, kind, failures, error }) =>
              [
                t("system.failingJob", { kind }),
                <span key={id} className="flex flex-col items-start gap-1">
                  <Pill tone="bad" word={t("system.failures", { count: failures })} />
                  <OutsideText text={error} />
                </span>,
              ] as const,
          ),
          disk !== undefined && [
            t("system.disk"),
            t("system.diskFree", {
              free: bytesText(disk.freeBytes),
              total: bytesText(disk.totalBytes),
            }),
          ],
        ]}
      />
    </Section>
  );
}

function Database() {
  const reading = useDatabase();
  return (
    <Section title={t("system.database")}>
      <Waiting reading={reading} rows={8}>
        {(database) => <DatabaseFacts database={database} />}
      </Waiting>
    </Section>
  );
}

function DatabaseFacts({ database }: { readonly database: SystemDatabase }) {
  const { keys, migrations, startRefusals, startWarnings } = database;
  const [newest] = migrations;
  return (
    <Facts
      facts={[
        [t("system.version"), database.version],
        [t("system.size"), bytesText(database.bytes)],
        [
          t("system.connections"),
          t("system.progressOf", { done: database.connections, total: database.mostConnections }),
        ],
        [
          t("system.oldest"),
          t("system.seconds", { count: Math.round(database.oldestTransactionMs / 1_000) }),
        ],
        [
          t("system.start"),
          startRefusals.length === 0 ? (
            <Pill key="start" tone="good" word={t("system.startGood")} />
          ) : (
            <Pill key="start" tone="bad" word={t("system.startBad")} />
          ),
        ],
        ...[...startRefusals, ...startWarnings].map(
          (text, index) =>
            [
              t("system.fault", { number: index + 1 }),
              <OutsideText key={text} text={text} />,
            ] as const,
        ),
        newest !== undefined && [
          t("system.migrations"),
          <span key="migrations">
            {newest.name} <Time at={newest.appliedAt} isOfServer />
          </span>,
        ],
        [t("system.masterKey"), <OutsideText key="master" text={keys.masterKeyId} />],
        keys.otherMasterKeyId !== undefined && [
          t("system.otherMasterKey"),
          <OutsideText key="other" text={keys.otherMasterKeyId} />,
        ],
        keys.dataKeySince !== undefined && [
          t("system.dataKey"),
          <Time key="data" at={keys.dataKeySince} isExact />,
        ],
      ]}
    />
  );
}

function Jobs() {
  const reading = useJobs();
  return (
    <Section title={t("system.jobs")}>
      <Waiting reading={reading} rows={4}>
        {({ data, isComplete }) => (
          <>
            {data.length === 0 && <p className="text-body text-soft">{t("system.noJobs")}</p>}
            <Facts
              facts={data.map(({ kind, count, due, overdue }) => [
                kind,
                <span key={kind} className="flex items-center gap-2 tabular-nums">
                  {overdue > 0 && (
                    <Pill tone="bad" word={t("system.overdue", { count: overdue })} />
                  )}
                  {t("system.dueOf", { due, count })}
                </span>,
              ])}
            />
            {!isComplete && <p className="text-caption text-soft">{t("system.moreJobs")}</p>}
          </>
        )}
      </Waiting>
    </Section>
  );
}

function Settings() {
  const reading = useSettings();
  return (
    <Section title={t("system.settings")}>
      <Waiting reading={reading} rows={12}>
        {({ data }) => (
          <Facts
            facts={data.map(({ name, value, isSet }) => [
              name,
              <span key={name} className={isSet ? "font-medium break-all" : "break-all text-soft"}>
                <OutsideText text={value} />
              </span>,
            ])}
          />
        )}
      </Waiting>
    </Section>
  );
}

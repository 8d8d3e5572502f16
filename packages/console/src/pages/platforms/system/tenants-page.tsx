/** Names and sizes of the deployment's workspaces and platforms. Their content is visible to their own people only. */
import { ActButton } from "../../../act/act-dialog.tsx";
import type { ActSpec } from "../../../act/act-spec.ts";
import { FirstKey } from "../../../act/first-key.tsx";
import type { Call } from "../../../api/operations.ts";
import { useMay } from "../../../api/platform.ts";
import type { ListSpec } from "../../../list/list-spec.ts";
import { ResourceList } from "../../../list/resource-list.tsx";
import { t } from "../../../text/messages.ts";
import { stateChoices } from "../../../ui/choices.ts";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { IdText } from "../../../ui/place-link.tsx";
import { Missing, OutsideText, OutsideWord, Time } from "../../../ui/values.tsx";
import { SystemTabs } from "./system-tabs.tsx";

const NUMBER = new Intl.NumberFormat("en");

function Count({ value }: { readonly value: number | undefined }) {
  if (value === undefined) return <Missing />;
  return <span className="tabular-nums">{NUMBER.format(value)}</span>;
}

const named = (name: string) => (
  <span className="font-medium text-ink">
    <OutsideText text={name} isLine />
  </span>
);

function Environment({ environment }: { readonly environment: string }) {
  const isSandbox = environment === "SANDBOX";
  const word = t(isSandbox ? "environment.sandbox" : "environment.production");
  return <Pill tone={isSandbox ? "wait" : "plain"} word={word} />;
}

const platforms: ListSpec<"listSystemPlatforms"> = {
  name: "system-platforms",
  title: "system.title",
  call: (query) =>
    ({ method: "GET", path: ["system", "platforms"], query }) as Call<"listSystemPlatforms">,
  rowId: ({ id }) => id,
  columns: [
    { id: "name", title: "column.name", cell: ({ name }) => named(name) },
    {
      id: "environment",
      title: "system.environment",
      cell: ({ environment }) => <Environment environment={environment} />,
    },
    {
      id: "domain",
      title: "settings.uma",
      cell: ({ umaDomain }) => <OutsideText text={umaDomain} isLine />,
    },
    {
      id: "reviewers",
      title: "system.reviewers",
      cell: ({ reviewers }) =>
        t(reviewers === "OPERATOR" ? "system.byOperators" : "system.byWorkspace"),
    },
    {
      id: "workspace",
      title: "system.workspace",
      isExtra: true,
      cell: ({ workspaceId }) => <IdText id={workspaceId} />,
    },
    {
      id: "commands",
      title: "system.commands",
      isEnd: true,
      cell: ({ commands }) => <Count value={commands} />,
    },
    {
      id: "events",
      title: "events.title",
      isEnd: true,
      cell: ({ events }) => <Count value={events} />,
    },
    {
      id: "undelivered",
      title: "system.undelivered",
      isEnd: true,
      cell: ({ undelivered }) => <Count value={undelivered} />,
    },
    {
      id: "created",
      title: "column.created",
      isEnd: true,
      cell: ({ createdAt }) => <Time at={createdAt} isOfServer />,
    },
  ],
  filters: [],
  card: (row) => ({
    lead: named(row.name),
    under: <OutsideWord text={row.umaDomain} />,
    end: <Environment environment={row.environment} />,
    endUnder: <Count value={row.commands} />,
  }),
  empty: "system.noPlatforms",
};

const workspaces: ListSpec<"listSystemWorkspaces"> = {
  name: "system-workspaces",
  title: "system.title",
  call: (query) =>
    ({ method: "GET", path: ["system", "workspaces"], query }) as Call<"listSystemWorkspaces">,
  rowId: ({ id }) => id,
  columns: [
    { id: "name", title: "column.name", cell: ({ name }) => named(name) },
    { id: "id", title: "system.id", cell: ({ id }) => <IdText id={id} /> },
    {
      id: "owner",
      title: "system.hasOwner",
      cell: ({ hasOwner }) => t(hasOwner ? "word.yes" : "word.no"),
    },
    {
      id: "platforms",
      title: "system.platforms",
      isEnd: true,
      cell: (row) => <Count value={row.platforms} />,
    },
    {
      id: "commands",
      title: "system.commands",
      isEnd: true,
      cell: ({ commands }) => <Count value={commands} />,
    },
    {
      id: "created",
      title: "column.created",
      isEnd: true,
      cell: ({ createdAt }) => <Time at={createdAt} isOfServer />,
    },
  ],
  filters: [],
  card: (row) => ({
    lead: named(row.name),
    under: t("system.platformCount", { count: row.platforms }),
    endUnder: <Time at={row.createdAt} isOfServer />,
  }),
  empty: "system.noWorkspaces",
};

const newWorkspace: ActSpec<"createWorkspace"> = {
  title: t("system.newWorkspace"),
  verb: t("system.make"),
  fields: [{ name: "name", label: "column.name", kind: "text" }],
  toCall: ({ name = "" }) => ({ method: "POST", path: ["system", "workspaces"], body: { name } }),
  after: ({ id, startUrl }) => (
    <>
      <p className="text-form">{t("system.ownerLink")}</p>
      <CodeBlock code={startUrl} what={t("team.link")} />
      <CodeBlock code={id} what={t("system.workspace")} />
    </>
  ),
};

const newPlatform: ActSpec<"createSystemPlatform"> = {
  title: t("system.newPlatform"),
  verb: t("system.make"),
  fields: [
    { name: "workspaceId", label: "system.workspace", kind: "text", placeholder: "Workspace:" },
    {
      name: "environment",
      label: "system.environment",
      kind: "choice",
      choices: stateChoices(["SANDBOX", "PRODUCTION"]),
    },
    { name: "name", label: "column.name", kind: "text" },
    { name: "umaDomain", label: "settings.uma", kind: "text" },
  ],
  toCall: ({ workspaceId = "", environment = "", name = "", umaDomain = "" }) => ({
    method: "POST",
    path: ["system", "platforms"],
    body: { workspaceId, environment, name, umaDomain },
  }),
  after: (made) => <FirstKey made={made} />,
};

export function SystemPlatformsPage() {
  const acts = useMay("system.write") ? (
    <ActButton spec={newPlatform} weight="primary">
      {t("system.newPlatform")}
    </ActButton>
  ) : undefined;
  return <ResourceList spec={platforms} acts={acts} above={<SystemTabs />} />;
}

export function SystemWorkspacesPage() {
  const acts = useMay("system.write") ? (
    <ActButton spec={newWorkspace} weight="primary">
      {t("system.newWorkspace")}
    </ActButton>
  ) : undefined;
  return <ResourceList spec={workspaces} acts={acts} above={<SystemTabs />} />;
}

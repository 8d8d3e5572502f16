/** API keys: the tokens that programs use. A secret is shown once. */
import type { Token } from "@florin/client";
import { ActButton } from "../../../act/act-dialog.tsx";
import { type ActSpec, FormProblem } from "../../../act/act-spec.ts";
import type { Call } from "../../../api/operations.ts";
import { useMay } from "../../../api/platform.ts";
import type { ListSpec } from "../../../list/list-spec.ts";
import { ResourceList } from "../../../list/resource-list.tsx";
import { t, wordOf } from "../../../text/messages.ts";
import { daysAgo } from "../../../text/time.ts";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Day, Missing, OutsideText, Time } from "../../../ui/values.tsx";
import { RecentUse } from "./recent-use.tsx";

const spec: ListSpec<"listTokens"> = {
  name: "keys",
  title: "keys.title",
  call: (query) => ({ method: "GET", path: ["tokens"], query }) as Call<"listTokens">,
  rowId: ({ id }) => id,
  columns: [
    {
      id: "name",
      title: "column.name",
      cell: ({ name }) => (
        <span className="font-medium">
          <OutsideText text={name} isLine />
        </span>
      ),
    },
    {
      id: "client",
      title: "keys.client",
      cell: ({ clientId }) => (
        <span className="inline-flex items-center gap-1 font-mono text-code text-soft">
          {`\u2026${clientId.slice(-6)}`}
          <CopyButton text={clientId} what={t("keys.client")} isQuiet />
        </span>
      ),
    },
    {
      id: "permissions",
      title: "keys.permissions",
      cell: ({ permissions }) => permissions.map((one) => wordOf("permission", one)).join(", "),
    },
    {
      id: "used",
      title: "keys.used",
      isEnd: true,
      cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? <Missing /> : <Day on={lastUsedAt} />),
    },
    {
      id: "expires",
      title: "column.expires",
      isEnd: true,
      cell: ({ expiresAt }) => (expiresAt === undefined ? <Missing /> : <Time at={expiresAt} />),
    },
    {
      id: "created",
      title: "column.created",
      isEnd: true,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      id: "by",
      title: "keys.createdBy",
      isExtra: true,
      cell: ({ createdBy }) =>
        createdBy === undefined ? <Missing /> : <OutsideText text={createdBy} isLine />,
    },
    { id: "acts", title: "column.acts", isEnd: true, cell: (row) => <Revoke token={row} /> },
  ],
  filters: [
    { name: "name", label: "column.name", kind: "text" },
    { name: "createdAfter", label: "column.created", kind: "period" },
  ],
  card: (row) => ({
    lead: (
      <span className="font-medium text-ink">
        <OutsideText text={row.name} isLine />
      </span>
    ),
    under: row.permissions.map((one) => wordOf("permission", one)).join(", "),
    end: <Revoke token={row} />,
  }),
  empty: "keys.empty",
  curl: "/tokens",
};

export function KeysPage() {
  const may = useMay("tokens.write");
  return (
    <ResourceList
      spec={spec}
      acts={
        may ? (
          <ActButton spec={create} act="new" weight="primary">
            {t("keys.new")}
          </ActButton>
        ) : undefined
      }
    />
  );
}

const LIVES = [30, 90, 365] as const;

const create: ActSpec<"createToken"> = {
  title: t("keys.new"),
  verb: t("keys.new"),
  fields: [
    { name: "name", label: "column.name", kind: "text" },
    {
      name: "permissions",
      label: "keys.permissions",
      kind: "checks",
      initial: "VIEW",
      choices: (["VIEW", "TRANSACT", "MANAGE"] as const).map((value) => ({
        value,
        label: wordOf("permission", value),
        hint: t(`keys.opens.${value}`),
      })),
    },
    {
      name: "life",
      label: "column.expires",
      kind: "choice",
      initial: "90",
      choices: [
        ...LIVES.map((days) => ({ value: String(days), label: t("keys.days", { count: days }) })),
        { value: "never", label: t("keys.never") },
      ],
    },
  ],
  toCall({ name = "", permissions = "", life = "90" }) {
    const chosen = permissions.split(",").filter((one) => one !== "");
    if (chosen.length === 0) throw new FormProblem({ permissions: t("form.missing") });
    const body = {
      name,
      permissions: chosen,
      ...(life === "never" ? {} : { expiresAt: daysAgo(-Number(life)) }),
    };
    return { method: "POST", path: ["tokens"], body: body as never };
  },
  isSecret: true,
  after: ({ clientId, clientSecret }) => (
    <>
      <p className="text-form">{t("keys.once")}</p>
      <CodeBlock
        code={`FLORIN_CLIENT_ID=${clientId}\nFLORIN_CLIENT_SECRET=${clientSecret}`}
        what={t("keys.env")}
      />
    </>
  ),
};

function Revoke({ token }: { readonly token: Token }) {
  const may = useMay("tokens.write");
  if (!may) return <Missing />;
  const revoke: ActSpec<"deleteToken"> = {
    title: t("keys.revoke"),
    verb: t("keys.revoke"),
    intro: (
      <>
        <p className="pb-2">{t("keys.revokeIntro", { name: token.name })}</p>
        <RecentUse tokenId={token.id} />
      </>
    ),
    isDanger: true,
    typedName: token.name,
    fields: [],
    toCall: () => ({ method: "DELETE", path: ["tokens", token.id] }),
  };
  return (
    <ActButton spec={revoke} weight="quiet">
      {t("keys.revoke")}
    </ActButton>
  );
}

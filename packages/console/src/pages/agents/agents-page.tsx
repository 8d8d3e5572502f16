import type { Agent } from "@florin/client";
import { useParams } from "@tanstack/react-router";
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import { useMay, useRead } from "../../api/platform.ts";
import { Detail, DetailOf } from "../../detail/detail.tsx";
import { Facts, Section } from "../../detail/facts.tsx";
import { ListPage } from "../../detail/list-page.tsx";
import { ResourceList } from "../../list/resource-list.tsx";
import { t, wordOf } from "../../text/messages.ts";
import { IdLink } from "../../ui/place-link.tsx";
import { Waiting } from "../../ui/states.tsx";
import { Amount, OutsideText, Time } from "../../ui/values.tsx";
import { AgentState, agentList, money, Use } from "./agent-list.tsx";
import { DeviceCode } from "./device-code.tsx";
import { orderList } from "./order-list.tsx";
import { Orders } from "./orders.tsx";
import { createAgent, editPolicy } from "./policy-act.tsx";

const spec = agentList();

export function AgentsPage() {
  return <ListPage spec={spec} place="agents" above={<Pending />} acts={<NewAgent />} />;
}

export function NewAgent({ customerId }: { readonly customerId?: string }) {
  const may = useMay("agents.write");
  if (!may) return undefined;
  return (
    <ActButton
      spec={createAgent(customerId)}
      act="new"
      weight={customerId === undefined ? "primary" : "plain"}
    >
      {t("agents.new")}
    </ActButton>
  );
}

/** Orders that need a person's decision are listed above the agents while there are any. */
function Pending() {
  const reading = useRead<"listAgentApprovals">({
    method: "GET",
    path: ["agents", "approvals"],
    query: { limit: 20 },
  });
  const orders = reading.data?.data ?? [];
  if (orders.length === 0) return null;
  return (
    <section aria-label={t("agents.waiting")} className="mb-5 rounded-panel border border-line">
      <h2 className="border-line border-b px-3 py-2 text-form font-semibold">
        {t("agents.waiting")}
      </h2>
      <Orders orders={orders} />
    </section>
  );
}

export function AgentDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"getAgent">({ method: "GET", path: ["agents", id] });
  return (
    <DetailOf reading={reading}>
      {(agent) => (
        <Detail
          kind={t("kind.Agent")}
          lead={<OutsideText text={agent.name} />}
          state={<AgentState agent={agent} />}
          id={agent.id}
          acts={<Acts agent={agent} />}
          json={agent}
          path={`/agents/${agent.id}`}
          tabs={[
            { id: "overview", title: t("detail.overview"), content: <Overview agent={agent} /> },
            {
              id: "orders",
              title: t("agents.orders"),
              content: <ResourceList spec={orderList(agent.id)} isEmbedded isBeside />,
            },
          ]}
        />
      )}
    </DetailOf>
  );
}

function Overview({ agent }: { readonly agent: Agent }) {
  const { policy, usage } = agent;
  const limits = policy.spendingLimits;
  const threshold = policy.approvalThresholds?.amount;
  const reading = useRead<"listAgentApprovals">({
    method: "GET",
    path: ["agents", "approvals"],
    query: { agentId: agent.id, limit: 20 },
  });
  return (
    <>
      <Facts
        facts={[
          [t("column.customer"), <IdLink key="customer" id={agent.customerId} />],
          [
            t("agents.permissions"),
            policy.permissions.map((one) => wordOf("agentPermission", one)).join(", "),
          ],
          [t("agents.mode"), wordOf("executionMode", policy.defaultExecutionMode)],
          [
            t("agents.perPayment"),
            <Amount key="one" amount={money(agent, limits.perTransactionLimit)} />,
          ],
          [
            t("agents.today"),
            <Use key="day" agent={agent} spent={usage.dailySpend} limit={limits.dailyLimit} />,
          ],
          [
            t("agents.month"),
            <Use
              key="month"
              agent={agent}
              spent={usage.monthlySpend}
              limit={limits.monthlyLimit}
            />,
          ],
          typeof threshold === "number" && [
            t("agents.threshold"),
            <Amount key="threshold" amount={money(agent, threshold)} />,
          ],
          agent.lastActionAt !== undefined && [
            t("agents.lastAct"),
            <Time key="last" at={agent.lastActionAt} isExact />,
          ],
          [t("column.created"), <Time key="created" at={agent.createdAt} isExact />],
        ]}
      />
      <Section title={t("agents.waiting")}>
        <Waiting reading={reading}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="text-soft">{t("agents.noneWaits")}</p>
            ) : (
              <Orders orders={data} />
            )
          }
        </Waiting>
      </Section>
    </>
  );
}

function Acts({ agent }: { readonly agent: Agent }) {
  const may = useMay("agents.write");
  if (!may) return undefined;
  return (
    <>
      <ActButton spec={editPolicy(agent)}>{t("policy.edit")}</ActButton>
      {!agent.isConnected && <ActButton spec={connect(agent)}>{t("agents.connect")}</ActButton>}
      <ActButton spec={pause(agent)} weight={agent.isPaused ? "plain" : "danger"}>
        {t(agent.isPaused ? "agents.resume" : "agents.pause")}
      </ActButton>
    </>
  );
}

function pause({ id, isPaused, name }: Agent): ActSpec<"updateAgent"> {
  const verb = t(isPaused ? "agents.resume" : "agents.pause");
  return {
    title: verb,
    verb,
    intro: t(isPaused ? "agents.resumeIntro" : "agents.pauseIntro", { name }),
    isDanger: !isPaused,
    fields: [],
    toCall: () => ({ method: "PATCH", path: ["agents", id], body: { isPaused: !isPaused } }),
  };
}

function connect({ id }: Agent): ActSpec<"createAgentDeviceCode"> {
  return {
    title: t("agents.connect"),
    verb: t("agents.makeCode"),
    intro: t("agents.connectIntro"),
    fields: [],
    toCall: () => ({ method: "POST", path: ["agents", id, "device-codes"] }),
    after: (code) => <DeviceCode code={code} />,
  };
}

/** The page of webhook endpoints. The API returns all of them in one answer, because there are few. */
import type { WebhookEndpoint } from "@florin/client";
import { Outlet, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMay, useRead } from "../../../api/platform.ts";
import { BackContext } from "../../../detail/detail.tsx";
import { t } from "../../../text/messages.ts";
import { PageHead } from "../../../ui/page-head.tsx";
import { PlaceLink } from "../../../ui/place-link.tsx";
import { Empty, Problem, Skeleton } from "../../../ui/states.tsx";
import { OutsideText, OutsideWord, Time } from "../../../ui/values.tsx";
import { NewEndpoint } from "./endpoint-acts.tsx";
import { EndpointPill } from "./endpoint-pill.tsx";
import { WebhookTabs } from "./webhook-tabs.tsx";

export function EndpointsPage() {
  const { id }: { readonly id?: string } = useParams({ strict: false });
  if (id !== undefined) {
    return (
      <BackContext value="webhooks">
        <Outlet />
      </BackContext>
    );
  }
  return <Endpoints />;
}

function Endpoints() {
  const reading = useRead<"listWebhookEndpoints">({ method: "GET", path: ["webhook-endpoints"] });
  const mayWrite = useMay("webhooks.write", "pii.read");
  const { data, error } = reading;
  return (
    <>
      <PageHead title={t("webhooks.title")}>{mayWrite && <NewEndpoint />}</PageHead>
      <WebhookTabs />
      {data === undefined ? (
        error === null ? (
          <Skeleton rows={3} height={64} />
        ) : (
          <Problem error={error} onRetry={() => reading.refetch()} />
        )
      ) : data.data.length === 0 ? (
        <Empty sentence={t("webhooks.empty")} act={mayWrite ? <NewEndpoint /> : undefined} />
      ) : (
        <ul className="border-line border-t">
          {data.data.map((endpoint) => (
            <Endpoint key={endpoint.id} endpoint={endpoint} />
          ))}
        </ul>
      )}
    </>
  );
}

function Endpoint({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { stats } = endpoint;
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-2 border-line border-b py-3 hover:bg-panel rail:grid-cols-[minmax(0,1fr)_auto_6rem]">
      <div className="min-w-0">
        <PlaceLink
          place={`webhooks/${endpoint.id}`}
          className="block font-mono text-code text-ink after:absolute after:inset-0"
        >
          <OutsideText text={endpoint.url} isLine />
        </PlaceLink>
        <div className="truncate text-caption text-soft">
          {endpoint.isDefault ? t("webhooks.default") : eventsWord(endpoint)}
          {endpoint.description === undefined ? undefined : (
            <>
              {" \u00b7 "}
              <OutsideWord text={endpoint.description} />
            </>
          )}
        </div>
      </div>
      <dl className="grid grid-cols-[6.5rem_4rem_7rem] gap-x-2 text-caption text-soft max-rail:order-last max-rail:col-span-2">
        <Figure
          name={t("webhooks.success")}
          value={
            stats?.successRate === undefined
              ? "\u2013"
              : `${Math.floor(stats.successRate * 1000) / 10} %`
          }
        />
        <Figure
          name={t("webhooks.p95")}
          value={
            stats?.p95LatencyMs === undefined ? "\u2013" : t("unit.ms", { ms: stats.p95LatencyMs })
          }
        />
        <Figure
          name={t("webhooks.oldest")}
          value={
            stats?.oldestUndeliveredAt === undefined ? (
              "\u2013"
            ) : (
              <Time at={stats.oldestUndeliveredAt} />
            )
          }
        />
      </dl>
      <span className="justify-self-end">
        <EndpointPill endpoint={endpoint} />
      </span>
    </li>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: ReactNode }) {
  return (
    <div className="flex flex-col">
      <dt>{name}</dt>
      <dd className="text-body text-ink tabular-nums">{value}</dd>
    </div>
  );
}

export function eventsWord({ events }: WebhookEndpoint): string {
  return events.length === 0 ? t("webhooks.allEvents") : events.join(", ");
}

import type { WebhookEndpoint } from "@florin/client";
import { useParams } from "@tanstack/react-router";
import { useMay, useRead } from "../../../api/platform.ts";
import { Detail, DetailOf } from "../../../detail/detail.tsx";
import { Facts, Section } from "../../../detail/facts.tsx";
import { ResourceList } from "../../../list/resource-list.tsx";
import { t, wordOf } from "../../../text/messages.ts";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { OutsideText, Time } from "../../../ui/values.tsx";
import { deliveryList } from "./delivery-list.tsx";
import { EndpointActs } from "./endpoint-acts.tsx";
import { EndpointPill } from "./endpoint-pill.tsx";
import { eventsWord } from "./endpoints-page.tsx";
import { ResendAll, ResendProgress } from "./resend-many.tsx";
import { SignatureHelper } from "./signature/signature-helper.tsx";

export function EndpointDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"getWebhookEndpoint">({ method: "GET", path: ["webhook-endpoints", id] });
  return (
    <DetailOf reading={reading}>
      {(endpoint) => (
        <Detail
          kind={t("kind.WebhookEndpoint")}
          lead={
            <span className="font-mono text-section">
              <OutsideText text={endpoint.url} />
            </span>
          }
          under={endpoint.isDefault ? t("webhooks.default") : undefined}
          state={<EndpointPill endpoint={endpoint} />}
          id={endpoint.id}
          acts={<EndpointActs endpoint={endpoint} />}
          json={endpoint}
          path={`/webhook-endpoints/${endpoint.id}`}
          tabs={[
            {
              id: "deliveries",
              title: t("deliveries.title"),
              content: <Deliveries endpointId={endpoint.id} />,
            },
            {
              id: "overview",
              title: t("detail.overview"),
              content: <Overview endpoint={endpoint} />,
            },
            ...(endpoint.publicKey === undefined
              ? []
              : [
                  {
                    id: "signature",
                    title: t("signature.title"),
                    content: <SignatureHelper endpoint={endpoint} />,
                  },
                ]),
          ]}
        />
      )}
    </DetailOf>
  );
}

function Deliveries({ endpointId }: { readonly endpointId: string }) {
  const may = useMay("deliveries.resend-many", "pii.read");
  return (
    <>
      <div className="flex justify-end pb-3">
        <ResendAll endpointId={endpointId} />
      </div>
      <ResendProgress />
      <ResourceList spec={deliveryList({ endpointId }, may)} isEmbedded />
    </>
  );
}

function Overview({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { outage, disabledReason, stats, next, publicKey, description } = endpoint;
  return (
    <div className="max-w-2xl">
      <Facts
        facts={[
          [t("webhooks.events"), eventsWord(endpoint)],
          description !== undefined && [
            t("webhooks.description"),
            <OutsideText key="description" text={description} />,
          ],
          [t("webhooks.signature"), wordOf("signature", endpoint.signature)],
          [t("webhooks.requests"), requestsWord(endpoint)],
          disabledReason !== undefined && [t("webhooks.disabled"), disabledReason],
          outage !== undefined && [
            t("webhooks.down"),
            <span key="outage">
              <Time at={outage.since} isExact /> <OutsideText text={outage.reason} />
            </span>,
          ],
          stats !== undefined && [
            t("webhooks.waiting"),
            t("webhooks.waitingFigures", { waiting: stats.waiting, retrying: stats.retrying }),
          ],
          stats?.lastSuccessAt !== undefined && [
            t("webhooks.lastSuccess"),
            <Time key="success" at={stats.lastSuccessAt} isExact />,
          ],
          stats?.lastFailureAt !== undefined && [
            t("webhooks.lastFailure"),
            <Time key="failure" at={stats.lastFailureAt} isExact />,
          ],
          next !== undefined && [t("webhooks.nextKey"), <Time key="next" at={next.from} isExact />],
          [t("column.created"), <Time key="created" at={endpoint.createdAt} isExact />],
        ]}
      />
      {publicKey !== undefined && (
        <Section title={t("webhooks.key")}>
          <CodeBlock code={publicKey} what={t("webhooks.key")} />
        </Section>
      )}
    </div>
  );
}

function requestsWord({ delivery }: WebhookEndpoint): string {
  if (delivery === undefined) return t("webhooks.oneEvent");
  const { maxEvents, maxWaitMs } = delivery;
  return t("webhooks.batches", { events: maxEvents, ms: maxWaitMs });
}

import type { WebhookDelivery } from "@florin/client";
import { useParams } from "@tanstack/react-router";
import type { Item } from "../../../api/operations.ts";
import { useMay, useRead } from "../../../api/platform.ts";
import { Detail, DetailOf } from "../../../detail/detail.tsx";
import { Facts, Section } from "../../../detail/facts.tsx";
import { t } from "../../../text/messages.ts";
import { isMovingState } from "../../../text/moving.ts";
import { statusTone } from "../../../text/tones.ts";
import { CodeBlock, jsonText } from "../../../ui/code-block.tsx";
import { Pill, StatePill } from "../../../ui/pill.tsx";
import { IdLink } from "../../../ui/place-link.tsx";
import { Problem, Skeleton } from "../../../ui/states.tsx";
import { OutsideText, Time } from "../../../ui/values.tsx";
import { ResendButton } from "./resend.tsx";

export function DeliveryDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"getWebhookDelivery">(
    { method: "GET", path: ["webhook-deliveries", id] },
    { isMoving: ({ state }) => isMovingState(state) },
  );
  return (
    <DetailOf reading={reading}>
      {(delivery) => (
        <Detail
          kind={t("kind.WebhookDelivery")}
          lead={<span className="font-mono text-section">{delivery.eventType}</span>}
          state={<StatePill state={delivery.state} />}
          id={delivery.id}
          acts={<ResendButton delivery={delivery} weight="primary" />}
          json={delivery}
          path={`/webhook-deliveries/${delivery.id}`}
          tabs={[
            {
              id: "overview",
              title: t("detail.overview"),
              content: <Overview delivery={delivery} />,
            },
          ]}
        />
      )}
    </DetailOf>
  );
}

function Overview({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { nextAttemptAt } = delivery;
  return (
    <>
      <Facts
        facts={[
          [t("column.event"), <IdLink key="event" id={delivery.eventId} />],
          [t("column.object"), <IdLink key="object" id={delivery.resourceId} />],
          [t("column.endpoint"), <IdLink key="endpoint" id={delivery.endpointId} />],
          [t("column.sequence"), String(delivery.eventSequence)],
          [t("deliveries.tries"), String(delivery.attempts)],
          nextAttemptAt !== undefined && [
            t("deliveries.next"),
            <Time key="next" at={nextAttemptAt} isExact />,
          ],
        ]}
      />
      <SentBody eventId={delivery.eventId} />
      <Section title={t("deliveries.log")}>
        <Attempts deliveryId={delivery.id} />
        {!delivery.attemptsComplete && (
          <p className="pt-2 text-caption text-soft">{t("deliveries.thinned")}</p>
        )}
      </Section>
    </>
  );
}

/** The text that was sent and signed. People without `pii.read` see it masked. */
function SentBody({ eventId }: { readonly eventId: string }) {
  const mayRead = useMay("events.read");
  const isWhole = useMay("pii.read");
  const { data } = useRead<"getEvent">(
    { method: "GET", path: ["events", eventId] },
    { isOff: !mayRead },
  );
  if (data === undefined) return mayRead ? <Skeleton rows={2} /> : null;
  return (
    <Section title={t("deliveries.body")}>
      <CodeBlock code={data.body} what={t("deliveries.body")} />
      <p className="pt-2 text-caption text-soft">
        {t(isWhole ? "deliveries.bodyExact" : "deliveries.bodyMasked")}
      </p>
    </Section>
  );
}

function Attempts({ deliveryId }: { readonly deliveryId: string }) {
  const reading = useRead<"listDeliveryAttempts">({
    method: "GET",
    path: ["webhook-deliveries", deliveryId, "attempts"],
    query: { limit: 50 },
  });
  const { data, error } = reading;
  if (data === undefined) {
    return error === null ? (
      <Skeleton rows={2} />
    ) : (
      <Problem error={error} onRetry={() => reading.refetch()} />
    );
  }
  if (data.data.length === 0) return <p className="text-soft">{t("deliveries.noAttempt")}</p>;
  return (
    <ol>
      {data.data.map((attempt) => (
        <Attempt key={attempt.number} attempt={attempt} />
      ))}
    </ol>
  );
}

function Attempt({ attempt }: { readonly attempt: Item<"listDeliveryAttempts"> }) {
  const { status, error, latency, responseBody } = attempt;
  return (
    <li className="border-line border-b py-2">
      <details>
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1">
          <span className="w-6 text-soft tabular-nums">{attempt.number}</span>
          {status !== undefined ? (
            <Pill word={String(status)} tone={statusTone(status)} />
          ) : (
            <Pill word={t("deliveries.noAnswer")} tone="bad" />
          )}
          <span className="min-w-0 flex-1">
            {error === undefined ? undefined : <OutsideText text={error} isLine />}
          </span>
          <span className="tabular-nums text-soft">{t("unit.ms", { ms: latency.total })}</span>
          <span className="text-soft">
            <Time at={attempt.at} />
          </span>
        </summary>
        <div className="flex flex-col gap-2 pt-2">
          <p className="text-caption text-soft">
            {t("deliveries.latency", {
              connect: latency.connect ?? 0,
              firstByte: latency.firstByte ?? 0,
              total: latency.total,
            })}
          </p>
          <CodeBlock code={jsonText(attempt.requestHeaders)} what={t("requests.headers")} />
          {responseBody !== undefined && responseBody !== "" && (
            <CodeBlock code={responseBody} what={t("deliveries.answer")} />
          )}
        </div>
      </details>
    </li>
  );
}

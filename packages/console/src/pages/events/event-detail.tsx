import { useParams } from "@tanstack/react-router";
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import type { AnswerOf } from "../../api/operations.ts";
import { useMay, useRead } from "../../api/platform.ts";
import { Detail, DetailOf } from "../../detail/detail.tsx";
import { Facts, Section } from "../../detail/facts.tsx";
import { t } from "../../text/messages.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { StatePill } from "../../ui/pill.tsx";
import { IdLink, PlaceLink } from "../../ui/place-link.tsx";
import { Time } from "../../ui/values.tsx";

type Shown = AnswerOf<"getEvent">;

export function EventDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"getEvent">({ method: "GET", path: ["events", id] });
  const mayResend = useMay("deliveries.resend", "pii.read");
  return (
    <DetailOf reading={reading}>
      {(event) => (
        <Detail
          kind={t("kind.Webhook")}
          lead={<span className="font-mono text-section">{event.type}</span>}
          id={event.id}
          acts={mayResend ? <Resend event={event} /> : undefined}
          json={event}
          path={`/events/${event.id}`}
          tabs={[
            { id: "overview", title: t("detail.overview"), content: <Overview event={event} /> },
          ]}
        />
      )}
    </DetailOf>
  );
}

function Overview({ event }: { readonly event: Shown }) {
  return (
    <>
      <Facts
        facts={[
          [t("column.object"), <IdLink key="object" id={event.resourceId} />],
          [t("column.sequence"), String(event.sequence)],
          [t("column.time"), <Time key="time" at={event.timestamp} isExact />],
        ]}
      />
      <Section title={t("deliveries.title")}>
        {event.deliveries.length === 0 ? (
          <p className="text-soft">{t("events.noEndpoint")}</p>
        ) : (
          <ul>
            {event.deliveries.map((delivery) => (
              <li
                key={delivery.id}
                className="flex items-center justify-between gap-3 border-line border-b py-2"
              >
                <PlaceLink
                  place={`deliveries/${delivery.id}`}
                  className="text-accent hover:underline"
                >
                  {t("deliveries.attempts", { count: delivery.attempts })}
                </PlaceLink>
                <IdLink id={delivery.endpointId} />
                <StatePill state={delivery.state} />
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title={t("events.body")}>
        <CodeBlock code={prettyJson(event.body)} what={t("events.body")} />
      </Section>
    </>
  );
}

/** Indents JSON; other text is returned unchanged. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Sends the event again to every endpoint that subscribes to it, or to one endpoint. */
function Resend({ event: { id, deliveries } }: { readonly event: Shown }) {
  const { data } = useRead<"listWebhookEndpoints">(
    { method: "GET", path: ["webhook-endpoints"] },
    { isOff: !useMay("webhooks.read") },
  );
  const urls = new Map((data?.data ?? []).map((endpoint) => [endpoint.id, endpoint.url]));
  const choices = deliveries.map(({ endpointId }) => ({
    value: endpointId,
    label: urls.get(endpointId) ?? endpointId,
  }));
  const spec: ActSpec<"resendEvent"> = {
    title: t("deliveries.resend"),
    verb: t("deliveries.resend"),
    intro: t("events.resendIntro"),
    fields: [
      {
        name: "endpoint",
        field: "endpointId",
        label: "kind.WebhookEndpoint",
        kind: "choice",
        initial: ALL,
        choices: [{ value: ALL, label: t("events.everyEndpoint") }, ...choices],
      },
    ],
    toCall: ({ endpoint = ALL }) => ({
      method: "POST",
      path: ["events", id, "resend"],
      body: endpoint === ALL ? {} : { endpointId: endpoint },
    }),
  };
  return <ActButton spec={spec}>{t("deliveries.resend")}</ActButton>;
}

const ALL = "all";

import { useParams } from "@tanstack/react-router";
import type { AnswerOf } from "../../api/operations.ts";
import { useRead } from "../../api/platform.ts";
import { Detail, DetailOf } from "../../detail/detail.tsx";
import { Facts, Section } from "../../detail/facts.tsx";
import { t } from "../../text/messages.ts";
import { statusTone } from "../../text/tones.ts";
import { curlCall } from "../../ui/api-call.ts";
import { CodeBlock, jsonText } from "../../ui/code-block.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Pill } from "../../ui/pill.tsx";
import { IdLink, IdText, PlaceLink } from "../../ui/place-link.tsx";
import { OutsideText, OutsideWord, Time } from "../../ui/values.tsx";

type Logged = AnswerOf<"getRequestLog">;

export function RequestDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"getRequestLog">({ method: "GET", path: ["request-logs", id] });
  return (
    <DetailOf reading={reading}>
      {(call) => (
        <Detail
          kind={t("kind.RequestLog")}
          lead={
            <span className="font-mono text-section">
              {call.method} <OutsideText text={call.path} />
            </span>
          }
          under={call.errorCode}
          state={<Pill word={String(call.status)} tone={statusTone(call.status)} />}
          id={call.id}
          json={call}
          path={`/request-logs/${call.id}`}
          tabs={[
            { id: "overview", title: t("detail.overview"), content: <Overview call={call} /> },
          ]}
        />
      )}
    </DetailOf>
  );
}

function Overview({ call }: { readonly call: Logged }) {
  return (
    <>
      <Facts
        facts={[
          [t("column.time"), <Time key="time" at={call.createdAt} isExact />],
          [t("column.latency"), t("unit.ms", { ms: call.durationMs })],
          [
            t("kind.requestId"),
            <span key="request" className="flex items-center font-mono text-code">
              {call.requestId}
              <CopyButton text={call.requestId} what={t("kind.requestId")} />
            </span>,
          ],
          call.resourceId !== undefined && [
            t("column.object"),
            <IdLink key="object" id={call.resourceId} />,
          ],
          call.idempotencyKey !== undefined && [
            t("requests.key"),
            <PlaceLink
              key="key"
              place="requests"
              search={{ idempotencyKey: call.idempotencyKey }}
              className="text-accent hover:underline"
            >
              <OutsideWord text={call.idempotencyKey} />
            </PlaceLink>,
          ],
          call.tokenId !== undefined && [
            t("requests.token"),
            <IdText key="token" id={call.tokenId} />,
          ],
          [t("requests.address"), call.address],
          [t("requests.replayed"), t(call.replayed ? "word.yes" : "word.no")],
          call.sampledOneIn > 1 && [
            t("requests.sampled"),
            t("requests.oneIn", { count: call.sampledOneIn }),
          ],
        ]}
      />
      <Bodies call={call} />
    </>
  );
}

function Bodies({ call }: { readonly call: Logged }) {
  const body = typeof call.requestBody === "string" ? undefined : call.requestBody;
  return (
    <>
      <Section title={t("requests.headers")}>
        <CodeBlock code={jsonText(call.headers)} what={t("requests.headers")} />
      </Section>
      {call.requestBody !== undefined && (
        <Section title={t("requests.body")}>
          <CodeBlock code={bodyText(call.requestBody)} what={t("requests.body")} />
        </Section>
      )}
      {call.responseBody !== undefined && (
        <Section title={t("deliveries.answer")}>
          <CodeBlock code={bodyText(call.responseBody)} what={t("deliveries.answer")} />
        </Section>
      )}
      <Section title={t("requests.repeat")}>
        <CodeBlock code={curlCall(call.method, call.path, body)} what={t("api.curl")} />
      </Section>
    </>
  );
}

function bodyText(body: unknown): string {
  return typeof body === "string" ? body : jsonText(body);
}

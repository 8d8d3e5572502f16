import { useParams } from "@tanstack/react-router";
import type { AnswerOf } from "../../../api/operations.ts";
import { useMay, useRead } from "../../../api/platform.ts";
import { Detail, DetailOf } from "../../../detail/detail.tsx";
import { Facts, Section } from "../../../detail/facts.tsx";
import { shortenIds } from "../../../std/ids.ts";
import { t } from "../../../text/messages.ts";
import { statusTone } from "../../../text/tones.ts";
import { curlCall } from "../../../ui/api-call.ts";
import { CodeBlock, jsonText } from "../../../ui/code-block.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { IdLink, IdText, PlaceLink } from "../../../ui/place-link.tsx";
import { OutsideText, OutsideWord, Time } from "../../../ui/values.tsx";

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
              {call.method} <OutsideText text={shortenIds(call.path)} />
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
  const caller = call.tokenId ?? call.agentId ?? call.personId;
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
          caller !== undefined && [t("column.who"), <IdText key="who" id={caller} />],
          [t("requests.address"), call.address],
          [t("requests.replayed"), t(call.replayed ? "word.yes" : "word.no")],
          call.sampledOneIn > 1 && [
            t("requests.sampled"),
            t("requests.oneIn", { count: call.sampledOneIn }),
          ],
        ]}
      />
      <Led call={call} />
      <Bodies call={call} />
    </>
  );
}

const MOST_SHOWN = 10;

/** The effects of the call: events of its object, acts of its caller, and calls with the same idempotency key. */
function Led({ call }: { readonly call: Logged }) {
  const { idempotencyKey, resourceId, tokenId } = call;
  const { data } = useRead<"listRequestLogs">(
    {
      method: "GET",
      path: ["request-logs"],
      query: { idempotencyKey: idempotencyKey ?? "", limit: MOST_SHOWN },
    },
    { isOff: idempotencyKey === undefined },
  );
  const others = (data?.data ?? []).filter(({ id }) => id !== call.id);
  const [mayReadEvents, mayReadAudit] = [useMay("events.read"), useMay("audit.read")];
  const link = "text-accent hover:underline";
  return (
    <>
      <div className="flex flex-wrap gap-x-4 gap-y-1 pt-4 text-body">
        {mayReadEvents && resourceId !== undefined && (
          <PlaceLink place="events" search={{ resourceId }} className={link}>
            {t("requests.events")}
          </PlaceLink>
        )}
        {mayReadAudit && tokenId !== undefined && call.method !== "GET" && (
          <PlaceLink place="audit" search={{ actorId: tokenId }} className={link}>
            {t("requests.audit")}
          </PlaceLink>
        )}
      </div>
      {idempotencyKey !== undefined && (
        <Section title={t("requests.sameKey")}>
          {others.length === 0 ? (
            <p className="text-body text-soft">{t("requests.noOther")}</p>
          ) : (
            <ul>
              {others.map((other) => (
                <li
                  key={other.id}
                  className="flex items-center justify-between gap-3 border-line border-b py-1.5"
                >
                  <PlaceLink place={`requests/${other.id}`} className={`min-w-0 truncate ${link}`}>
                    <OutsideText text={`${other.method} ${shortenIds(other.path)}`} isLine />
                  </PlaceLink>
                  <span className="flex shrink-0 items-center gap-2">
                    {other.replayed && <Pill word={t("requests.replayed")} tone="note" />}
                    <Pill word={String(other.status)} tone={statusTone(other.status)} />
                    <Time at={other.createdAt} isOfServer />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Section>
      )}
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
        <CodeBlock
          code={curlCall(call.method, call.path + queryText(call.query), body)}
          what={t("api.curl")}
        />
      </Section>
    </>
  );
}

/** The query string; empty when the log does not contain the parameters. */
function queryText(query: Logged["query"]): string {
  if (query === undefined || typeof query === "string") return "";
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === "" ? "" : `?${text}`;
}

function bodyText(body: unknown): string {
  return typeof body === "string" ? body : jsonText(body);
}

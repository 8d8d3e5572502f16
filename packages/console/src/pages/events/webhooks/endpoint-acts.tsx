import type { WebhookEndpoint } from "@florin/client";
import { lazy, Suspense } from "react";
import { ActButton } from "../../../act/act-dialog.tsx";
import type { ActSpec, FormField, FormValues } from "../../../act/act-spec.ts";
import { useMay } from "../../../api/platform.ts";
import { later, t, wordOf } from "../../../text/messages.ts";
import { statusTone } from "../../../text/tones.ts";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { Skeleton } from "../../../ui/states.tsx";

/** The home page contains this form, too, so the table of types is loaded only when the form opens. */
const TypeTree = lazy(() =>
  later(() => import("./type-tree.tsx")).then((loaded) => ({ default: loaded.TypeTree })),
);

const fields: readonly FormField[] = [
  { name: "url", label: "webhooks.url", kind: "url", placeholder: "https://" },
  { name: "description", label: "webhooks.description", kind: "text", isOptional: true },
  {
    name: "events",
    label: "webhooks.events",
    kind: "own",
    isOptional: true,
    control: ({ label, value, error, onChange }) => (
      <Suspense fallback={<Skeleton rows={6} />}>
        <TypeTree
          label={label}
          error={error}
          value={eventsOf(value)}
          onChange={(types) => onChange(types.join(","))}
        />
      </Suspense>
    ),
  },
];

/** How many events a request holds. The endpoint of the settings has no such choice. */
function requestsField({ delivery }: Pick<WebhookEndpoint, "delivery"> = {}): FormField {
  return {
    name: "requests",
    label: "webhooks.requests",
    kind: "choice",
    initial: delivery === undefined ? "one" : "several",
    choices: [
      { value: "one", label: t("webhooks.oneEvent") },
      { value: "several", label: t("webhooks.severalEvents") },
    ],
  };
}

const batchFields =
  ({ delivery }: Pick<WebhookEndpoint, "delivery"> = {}) =>
  ({ requests }: FormValues): readonly FormField[] =>
    requests !== "several"
      ? []
      : [
          {
            name: "maxEvents",
            label: "webhooks.maxEvents",
            hint: t("webhooks.maxEventsHint"),
            kind: "text",
            initial: String(delivery?.maxEvents ?? 100),
            field: "delivery.maxEvents",
          },
          {
            name: "maxWaitMs",
            label: "webhooks.maxWait",
            hint: t("webhooks.maxWaitHint"),
            kind: "text",
            initial: String(delivery?.maxWaitMs ?? 200),
            field: "delivery.maxWaitMs",
          },
        ];

/** Null for one event a request. */
function deliveryOf({ requests, maxEvents = "100", maxWaitMs = "200" }: FormValues) {
  if (requests !== "several") return null;
  return { maxEvents: Number(maxEvents), maxWaitMs: Number(maxWaitMs) };
}

/** An empty list subscribes the endpoint to every type. */
function eventsOf(text: string): readonly string[] {
  return text
    .split(/[,\s]+/)
    .map((type) => type.trim())
    .filter((type) => type !== "");
}

export const newEndpoint: ActSpec<"createWebhookEndpoint"> = {
  title: t("webhooks.new"),
  verb: t("webhooks.new"),
  fields: [
    ...fields,
    {
      name: "signature",
      label: "webhooks.signature",
      kind: "choice",
      initial: "P256",
      choices: ["P256", "STANDARD_WEBHOOKS"].map((value) => ({
        value,
        label: wordOf("signature", value),
      })),
    },
    requestsField(),
  ],
  fieldsFor: batchFields(),
  toCall: ({ url = "", description = "", events = "", signature = "P256", ...values }) => ({
    method: "POST",
    path: ["webhook-endpoints"],
    body: {
      url,
      events: eventsOf(events),
      signature: signature as "P256",
      ...(description === "" ? {} : { description }),
      delivery: deliveryOf(values) ?? undefined,
    },
  }),
  after: ({ secret, publicKey }) => (
    <>
      <p className="text-form">
        {t(secret === undefined ? "webhooks.made" : "webhooks.secretOnce")}
      </p>
      <CodeBlock code={secret ?? publicKey ?? ""} what={t("webhooks.key")} />
    </>
  ),
};

export function NewEndpoint() {
  return (
    <ActButton spec={newEndpoint} act="new" weight="primary">
      {t("webhooks.new")}
    </ActButton>
  );
}

export function EndpointActs({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const mayWrite = useMay("webhooks.write");
  const mayMove = useMay("webhooks.write", "pii.read");
  if (!mayWrite) return undefined;
  return (
    <>
      <ActButton spec={test(endpoint)}>{t("webhooks.test")}</ActButton>
      {!endpoint.isDefault && (
        <>
          {mayMove && <ActButton spec={edit(endpoint)}>{t("act.edit")}</ActButton>}
          <ActButton spec={rotate(endpoint)}>{t("webhooks.rotate")}</ActButton>
          <ActButton spec={remove(endpoint)} weight="danger">
            {t("act.delete")}
          </ActButton>
        </>
      )}
    </>
  );
}

function test({ id, url }: WebhookEndpoint): ActSpec<"testWebhookEndpoint"> {
  return {
    title: t("webhooks.test"),
    verb: t("webhooks.test"),
    intro: t("webhooks.testIntro", { url }),
    fields: [],
    toCall: () => ({ method: "POST", path: ["webhook-endpoints", id, "test"] }),
    after: ({ responseStatus, responseBody, latencyMs }) => (
      <>
        <p className="flex flex-wrap items-center gap-2 text-form">
          {t("webhooks.tested", { status: responseStatus })}
          <Pill word={t("unit.ms", { ms: latencyMs })} tone={statusTone(responseStatus)} />
        </p>
        {responseBody === "" ? (
          <p className="text-body text-soft">{t("webhooks.emptyAnswer")}</p>
        ) : (
          <CodeBlock code={responseBody} what={t("deliveries.answer")} />
        )}
      </>
    ),
  };
}

function edit(endpoint: WebhookEndpoint): ActSpec<"updateWebhookEndpoint"> {
  const initial: Readonly<Record<string, string>> = {
    url: endpoint.url,
    description: endpoint.description ?? "",
    events: endpoint.events.join(", "),
  };
  return {
    title: t("act.edit"),
    verb: t("act.save"),
    fields: [
      ...fields.map((field) => ({ ...field, initial: initial[field.name] })),
      requestsField(endpoint),
    ],
    fieldsFor: batchFields(endpoint),
    toCall: ({ url = "", description = "", events = "", ...values }) => ({
      method: "PATCH",
      path: ["webhook-endpoints", endpoint.id],
      body: { url, description, events: eventsOf(events), delivery: deliveryOf(values) },
    }),
  };
}

function rotate({ id, url }: WebhookEndpoint): ActSpec<"rotateWebhookEndpointKey"> {
  return {
    title: t("webhooks.rotate"),
    verb: t("webhooks.rotate"),
    intro: t("webhooks.rotateIntro"),
    typedName: url,
    fields: [{ name: "overlapHours", label: "webhooks.overlap", kind: "text", initial: "24" }],
    toCall: ({ overlapHours = "24" }) => ({
      method: "POST",
      path: ["webhook-endpoints", id, "rotate-key"],
      body: { overlapHours: Number(overlapHours) },
    }),
    after: ({ secret, next, publicKey }) => (
      <CodeBlock code={secret ?? next?.publicKey ?? publicKey ?? ""} what={t("webhooks.key")} />
    ),
  };
}

function remove({ id, url }: WebhookEndpoint): ActSpec<"deleteWebhookEndpoint"> {
  return {
    title: t("webhooks.delete"),
    verb: t("act.delete"),
    intro: t("webhooks.deleteIntro", { url }),
    isDanger: true,
    typedName: url,
    fields: [],
    toCall: () => ({ method: "DELETE", path: ["webhook-endpoints", id] }),
    onDone: () => history.back(),
  };
}

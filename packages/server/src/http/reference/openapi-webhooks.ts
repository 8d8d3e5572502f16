/** The `webhooks` section of the OpenAPI document. */
import Type from "typebox";
import type { WebhookAnswerNote, WebhookNote } from "../../wire/events/webhooks.ts";
import type {
  DocumentedAnswer,
  DocumentedWebhook,
  OpenApiDocument,
  Ref,
} from "./openapi-document.ts";
import type { SchemaCollector } from "./openapi-schemas.ts";

/** The named schemas and the answers shared by all events. */
interface Components {
  readonly schemas: SchemaCollector;
  readonly responses: Record<string, DocumentedAnswer>;
}

export function documentWebhooks(
  notes: readonly WebhookNote[],
  components: Components,
): OpenApiDocument["webhooks"] {
  return Object.fromEntries(
    notes.map((note) => [note.type, { post: documentWebhook(note, components) }]),
  );
}

function documentWebhook(note: WebhookNote, components: Components): DocumentedWebhook {
  const { type, meaning, data, example, answers = {} } = note;
  const body = Type.Object({
    id: Type.String({ description: "The same on every attempt: tell repeats by it." }),
    type: Type.Literal(type),
    timestamp: Type.String({ format: "date-time", description: "When it happened." }),
    data,
  });
  const own = Object.entries(answers).map(([status, answer]) => [
    status,
    toAnswer(answer, components.schemas),
  ]);
  return {
    summary: type,
    description: meaning,
    security: [],
    parameters: [
      { $ref: "#/components/parameters/WebhookSignature" },
      { $ref: "#/components/parameters/EventSequence" },
      { $ref: "#/components/parameters/Redelivery" },
      { $ref: "#/components/parameters/WebhookKeyId" },
      { $ref: "#/components/parameters/NextWebhookSignature" },
    ],
    requestBody: {
      required: true,
      content: { "application/json": { schema: components.schemas.place(body), example } },
    },
    responses: { ...shareAnswers(components.responses), ...Object.fromEntries(own) },
  };
}

function toAnswer(
  { description, schema, example }: WebhookAnswerNote,
  schemas: SchemaCollector,
): DocumentedAnswer {
  const plain = { description, headers: {} };
  if (schema === undefined) return plain;
  return { ...plain, content: { "application/json": { schema: schemas.place(schema), example } } };
}

/** The answers that a platform's endpoint may give to any event. */
function shareAnswers(components: Record<string, DocumentedAnswer>): Record<string, Ref> {
  const answers: Record<string, Ref> = {};
  for (const [status, { name, description }] of Object.entries(sharedAnswers)) {
    components[name] = { description, headers: {} };
    answers[status] = { $ref: `#/components/responses/${name}` };
  }
  return answers;
}

const sharedAnswers = {
  "2XX": { name: "EventTaken", description: "The event is taken and not sent again." },
  "409": {
    name: "EventKnown",
    description: "The event was there already; it is not sent again.",
  },
  "410": {
    name: "EndpointGone",
    description: "Nothing more is sent until `PATCH /config` sets the endpoint again.",
  },
  default: {
    name: "EventSentAgain",
    description:
      "With any other answer, or none within 15 seconds, the event is sent again: after 5 s, 30 s, 2 min, 10 min, and then " +
      "every 30 min for seven days. Redirects are not followed.",
  },
};

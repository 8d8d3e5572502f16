import { type ApiDocument, type DocumentedEvent, nameIn, type Operation } from "../api/document.ts";
import { nounHref, slugOf } from "../api/nouns.ts";
import type { Block, Page, Section } from "../blocks/blocks.ts";

export const EVENTS_PATH = "/docs/events";

/** The event's anchor in earlier versions of the reference. */
export function eventAnchor(type: string): string {
  return `event-${type.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
}

export function eventHref(type: string): string {
  return `${EVENTS_PATH}#${eventAnchor(type)}`;
}

/** The page of all event types, each with an example, the answers that it accepts, and the calls that cause it. */
export function eventsPage(document: ApiDocument, operations: readonly Operation[]): Page {
  const events = Object.entries(document.webhooks);
  return {
    path: EVENTS_PATH,
    title: "Events",
    description:
      "Every event type that webhooks deliver, with its body and the calls that lead to it.",
    intro: [
      {
        kind: "prose",
        markdown:
          "A webhook's body is `{id, type, timestamp, data}`. `data` is what the GET of its resource answered at that moment. Delivery " +
          "is at least once and in order per resource: tell repeats by `id`. Every attempt sends the same bytes, signed.",
      },
      { kind: "fields", title: "Headers of a delivery", groups: headerFields(document) },
      answersTable(document),
      {
        kind: "prose",
        markdown: events.map(([type]) => `- [\`${type}\`](#${eventAnchor(type)})`).join("\n"),
      },
    ],
    sections: events.map(([type, { post }]) => eventSection(type, post, operations)),
  };
}

function headerFields(document: ApiDocument) {
  const names = new Set(
    Object.values(document.webhooks).flatMap(({ post }) =>
      post.parameters.map(({ $ref }) => nameIn($ref)),
    ),
  );
  const fields = [...names].flatMap((name) => {
    const header = document.components.parameters[name];
    if (header === undefined) return [];
    const { description = "", required } = header;
    return [
      {
        name: header.name,
        type: "string",
        isRequired: required,
        says: description,
        notes: [],
        groups: [],
      },
    ];
  });
  return [{ title: undefined, fields }];
}

/** The answers that every event accepts: those that are defined once, under `components`. */
function answersTable(document: ApiDocument): Block {
  const rows = new Map<string, string>();
  for (const { post } of Object.values(document.webhooks)) {
    for (const [status, answer] of Object.entries(post.responses)) {
      if (!("$ref" in answer)) continue;
      rows.set(status, document.components.responses[nameIn(answer.$ref)]?.description ?? "");
    }
  }
  return {
    kind: "table",
    title: "Your answer",
    head: ["Status", "What follows"],
    rows: [...rows]
      .toSorted()
      .map(([status, says]) => [status === "default" ? "any other" : status, says]),
    isFolded: false,
  };
}

function eventSection(
  type: string,
  event: DocumentedEvent,
  operations: readonly Operation[],
): Section {
  const causes = operations.filter(({ events }) => events.includes(type));
  const own = Object.entries(event.responses).flatMap(([status, answer]) =>
    "$ref" in answer ? [] : [[status, answer.description]],
  );
  const main: Block[] = [
    { kind: "prose", markdown: event.description },
    {
      kind: "prose",
      markdown: `**Calls that lead to it.** ${causes
        .map(({ id, title, tag }) => `[${title}](${nounHref({ slug: slugOf(tag) })}#${id})`)
        .join(", ")}.`,
    },
  ];
  if (own.length > 0) {
    main.push({
      kind: "table",
      title: "Answers of its own",
      head: ["Status", "Meaning"],
      rows: own,
      isFolded: false,
    });
  }
  const { example } = event.requestBody.content["application/json"] ?? {};
  return {
    id: eventAnchor(type),
    title: type,
    main,
    aside: [
      { kind: "code", title: "Body", language: "json", text: JSON.stringify(example, null, 2) },
    ],
  };
}

import { type ApiDocument, follow } from "../api/document.ts";
import { fieldGroups } from "../api/fields.ts";
import { type Noun, nounHref } from "../api/nouns.ts";
import { type ObjectHomes, objectAnchor } from "../api/objects.ts";
import type { Page, Section } from "../blocks/blocks.ts";
import { operationSection } from "./operation-section.ts";

/** The page of a noun: its operations, and the objects that they answer with. */
export function nounPage(document: ApiDocument, noun: Noun, homes: ObjectHomes): Page {
  const sections = noun.operations.map((operation) => operationSection(document, operation, homes));
  const objects = (homes.byNoun.get(noun.name) ?? []).map((name) =>
    objectSection(document, name, homes),
  );
  const links = noun.operations.map(({ id, method, path, title }) => ({
    method,
    path,
    title,
    href: `#${id}`,
  }));
  return {
    path: nounHref(noun),
    title: noun.name,
    description: noun.says,
    intro: [
      { kind: "prose", markdown: noun.says },
      { kind: "endpoints", links },
    ],
    sections: [...sections, ...objects],
  };
}

function objectSection(document: ApiDocument, name: string, homes: ObjectHomes): Section {
  const schema = document.components.schemas[name] ?? {};
  const { description } = follow(document, schema);
  // Nested objects are links to their own descriptions. The object itself is removed from the links, because it is described here.
  const hrefs = new Map([...homes.hrefs].filter(([other]) => other !== name));
  const groups = fieldGroups({ document, homes: hrefs, side: "ANSWER" }, schema);
  const prose =
    typeof description === "string" ? [{ kind: "prose", markdown: description } as const] : [];
  return {
    id: objectAnchor(name),
    title: `The ${name} object`,
    main: [...prose, { kind: "fields", title: "Fields", groups }],
    aside: [],
  };
}

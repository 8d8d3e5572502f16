/**
 * What two recordings of the same program have in common: ids are numbered, and a value that differs (a secret, a signature, a
 * figure that depends on when a worker ran) is `~`.
 */

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Numbers the ids of one answer in the order in which they occur, so that an id in a wrong place is a difference. */
export function withNumberedIds(answer: Json): Json {
  const numbers = new Map<string, number>();
  const text = JSON.stringify(answer).replaceAll(UUID, (id) => {
    const number = numbers.get(id) ?? numbers.size + 1;
    numbers.set(id, number);
    return `id-${number}`;
  });
  return JSON.parse(text);
}

/** Members that tell how long something took, when the process started, how far a worker is, or how many commands workers made. */
const MEASURED = new Set([
  "appliedAt",
  "attempts",
  "commandSeq",
  "dataKeySince",
  "deliveries",
  "headSeq",
  "lastAttemptAt",
  "links",
  "p95LatencyMs",
  "position",
  "row",
  "seq",
  "since",
  "to",
]);

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The first value, with `~` in the places where the second one differs. Members keep their order. */
export function common(one: Json, other: Json): Json {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.map((item, index) => common(item, other[index]));
  if (isObject(one) && isObject(other)) {
    const names = Object.keys(one);
    if (names.join("\n") !== Object.keys(other).join("\n")) return "~";
    return Object.fromEntries(
      names.map((name) => [name, common(one[name] ?? null, other[name] ?? null)]),
    );
  }
  return JSON.stringify(one) === JSON.stringify(other) ? one : "~";
}

const showsTwo = (one: Json, other: Json) => [
  `- ${JSON.stringify(one)}`,
  `+ ${JSON.stringify(other)}`,
];

/** Where two recordings differ, one answer a list; `~` equals everything. */
export function differences(one: Json, other: Json): readonly string[] {
  if (one === "~" || other === "~") return [];
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.flatMap((item, index) => differences(item, other[index]));
  if (isObject(one) && isObject(other)) {
    const names = Object.keys(one);
    if (names.join("\n") !== Object.keys(other).join("\n")) return showsTwo(one, other);
    return names
      .filter((name) => !MEASURED.has(name))
      .flatMap((name) =>
        differences(one[name] ?? null, other[name] ?? null).map((line) => `${name} ${line}`),
      );
  }
  return JSON.stringify(one) === JSON.stringify(other) ? [] : showsTwo(one, other);
}

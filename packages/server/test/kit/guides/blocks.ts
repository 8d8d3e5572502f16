/** A guide as its front matter and its blocks of code, in order. */

const LANGUAGES = ["bash", "ts", "python", "json", "text"] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * Words behind a fence's language. `background`: runs in a terminal of its own until the guide ends; on a `text` block: was
 * printed there. `refused`: a call of the block is answered with 400 or more. `python3`: needs Python, as `python` blocks do.
 * `no-run`: is not run; a comment above gives the reason.
 */
const WORDS = ["background", "refused", "python3", "no-run"] as const;
type Word = (typeof WORDS)[number];

export interface Block {
  readonly language: Language;
  readonly words: ReadonlySet<Word>;
  readonly text: string;
  /** The line of the fence, from 1. */
  readonly line: number;
  /** Of a block that is not run. */
  readonly reason?: string;
}

export interface Guide {
  readonly title: string;
  readonly description: string;
  readonly order: number;
  readonly blocks: readonly Block[];
  /** Without the front matter. */
  readonly text: string;
}

const NO_RUN = /^<!-- no-run: (.+) -->$/;

export function readGuide(text: string): Guide {
  const [, front = ""] = /^---\n(.*?)\n---\n/s.exec(text) ?? [];
  const fields = new Map(
    front.split("\n").map((line): [string, string] => {
      const at = line.indexOf(": ");
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  );
  const known = ["title", "description", "order"];
  if ([...fields.keys()].join() !== known.join())
    throw new Error(`the front matter has ${[...fields.keys()].join()}, not ${known.join()}`);
  const order = Number(fields.get("order"));
  if (!Number.isInteger(order)) throw new Error("order is a whole number");
  return {
    title: fields.get("title") ?? "",
    description: fields.get("description") ?? "",
    order,
    blocks: readBlocks(text.split("\n")),
    text: text.slice(front.length + 9),
  };
}

function readBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, info] = /^```(.*)$/.exec(lines[at] ?? "") ?? [];
    if (info === undefined) continue;
    const end = lines.indexOf("```", at + 1);
    if (end === -1) throw new Error(`line ${at + 1}: the block has no end`);
    const [language, ...words] = info.split(" ");
    const isNoRun = words.includes("no-run");
    const reason = NO_RUN.exec(lines[at - 1] ?? "")?.[1];
    if (isNoRun !== (reason !== undefined))
      throw new Error(`line ${at + 1}: no-run and its reason go together`);
    blocks.push({
      language: oneOf(LANGUAGES, language, at),
      words: new Set(words.map((word) => oneOf(WORDS, word, at))),
      text: lines.slice(at + 1, end).join("\n"),
      line: at + 1,
      ...(reason === undefined ? {} : { reason }),
    });
    at = end;
  }
  return blocks;
}

function oneOf<T extends string>(known: readonly T[], word: string | undefined, at: number): T {
  const found = known.find((each) => each === word);
  if (found === undefined) throw new Error(`line ${at + 1}: "${word}" is none of ${known.join()}`);
  return found;
}

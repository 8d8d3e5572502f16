/** Highlights code with a class for each kind of token, because the pages' content security policy forbids inline styles. */
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import bash from "shiki/langs/bash.mjs";
import json from "shiki/langs/json.mjs";
import python from "shiki/langs/python.mjs";
import typescript from "shiki/langs/typescript.mjs";
import { escapeHtml, type Markup } from "./markup.ts";

/** Renders a text as a code block in a known language, otherwise plain. */
export type Highlight = (text: string, language: string) => Markup;

const ALIASES: Readonly<Record<string, string>> = {
  sh: "bash",
  shell: "bash",
  ts: "typescript",
  js: "typescript",
  javascript: "typescript",
  py: "python",
};

export async function createHighlight(): Promise<Highlight> {
  const theme = createCssVariablesTheme({
    name: "classes",
    variablePrefix: "--",
    fontStyle: false,
  });
  const highlighter = await createHighlighterCore({
    themes: [theme],
    langs: [bash, json, python, typescript],
    engine: createJavaScriptRegexEngine(),
  });
  const known = new Set(highlighter.getLoadedLanguages());
  const cache = new Map<string, Markup>();
  return (text, language) => {
    const lang = ALIASES[language] ?? language;
    const key = `${lang}\n${text}`;
    const made = cache.get(key) ?? codeBlock(highlighter, text, known.has(lang) ? lang : undefined);
    cache.set(key, made);
    return made;
  };
}

function codeBlock(highlighter: HighlighterCore, text: string, lang: string | undefined): Markup {
  const code = text.trimEnd();
  const inner = lang === undefined ? escapeHtml(code) : coloured(highlighter, code, lang);
  return { html: `<div class="code"><pre tabindex="0"><code>${inner}</code></pre></div>` };
}

function coloured(highlighter: HighlighterCore, code: string, lang: string): string {
  // Without a time limit: with the default one, a busy machine leaves long lines plain, and builds would differ.
  const options = { lang, theme: "classes", tokenizeTimeLimit: 0 };
  const lines = highlighter.codeToTokensBase(code, options);
  return lines.map((line) => merged(line).map(toSpan).join("")).join("\n");
}

interface Token {
  readonly content: string;
  readonly kind: string;
}

/** Merges neighbouring tokens of one kind, which saves more than half of the elements. */
function merged(line: readonly { readonly content: string; readonly color?: string }[]): Token[] {
  const tokens: Token[] = [];
  for (const { content, color = "" } of line) {
    const kind = CLASSES[color.replace(/^var\(--(?:token-)?([a-z-]+)\)$/, "$1")] ?? "";
    const last = tokens.at(-1);
    if (last !== undefined && (last.kind === kind || content.trim() === "")) {
      tokens[tokens.length - 1] = { content: last.content + content, kind: last.kind };
    } else tokens.push({ content, kind });
  }
  return tokens;
}

const CLASSES: Readonly<Record<string, string>> = {
  keyword: "k",
  string: "s",
  "string-expression": "s",
  constant: "n",
  parameter: "p",
  function: "f",
  comment: "c",
};

function toSpan({ content, kind }: Token): string {
  const text = escapeHtml(content);
  return kind === "" ? text : `<span class="${kind}">${text}</span>`;
}

/** Every text of the console, from two catalogues that are compiled into the build: that of the first page, and that of everything else. */
import { LocalizedStringDictionary, LocalizedStringFormatter } from "@internationalized/string";
import type others from "../../messages/en.json";
import first from "../../messages/en-first.json";
import { visibleText } from "../std/outside-text.ts";

type Texts = typeof first & typeof others;
export type MessageKey = keyof Texts;

/** The texts that are not of the first page are missing until `allTexts` has added them. */
const english = { ...first } as Texts;
const dictionary = new LocalizedStringDictionary<MessageKey, string>({ en: english }, "en");
const formatter = new LocalizedStringFormatter<MessageKey, string>("en", dictionary);

/** Adds the texts that are not of the first page. */
export async function allTexts(): Promise<void> {
  const { default: texts } = await import("../../messages/en.json");
  Object.assign(english, texts);
}

/** Loads a module that is not in the first files. Its texts come first: modules call `t` while they are evaluated. */
export async function later<Module>(load: () => Promise<Module>): Promise<Module> {
  await allTexts();
  return load();
}

export type MessageValues = Readonly<Record<string, string | number>>;

/** Values may come from outside, so hidden characters in them are made visible. */
export function t(key: MessageKey, values?: MessageValues): string {
  if (values === undefined) return formatter.format(key);
  const visible = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "string" ? visibleText(value) : value,
  ]);
  return formatter.format(key, Object.fromEntries(visible));
}

/** The text for a value of the API, or the value in plain words when the catalogue has no text. */
export function wordOf(prefix: string, value: string): string {
  const key = `${prefix}.${value}`;
  return hasText(key) ? t(key) : plainWord(value);
}

export function hasText(key: string): key is MessageKey {
  return Object.hasOwn(english, key);
}

/** Formats `PENDING_MANUAL_REVIEW` as `Pending manual review`. Abbreviations keep their capitals. */
function plainWord(value: string): string {
  if (!/^[A-Z][A-Z0-9_]+$/.test(value) || value.length <= 4) return value;
  const words = value.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

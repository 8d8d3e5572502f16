/** Every text of the console, from a catalogue that is compiled into the build. */
import { LocalizedStringDictionary, LocalizedStringFormatter } from "@internationalized/string";
import english from "../../messages/en.json";
import { visibleText } from "../std/outside-text.ts";

export type MessageKey = keyof typeof english;

const dictionary = new LocalizedStringDictionary<MessageKey, string>({ en: english }, "en");
const formatter = new LocalizedStringFormatter<MessageKey, string>("en", dictionary);

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
  return Object.hasOwn(english, key) ? t(key as MessageKey) : plainWord(value);
}

/** Formats `PENDING_MANUAL_REVIEW` as `Pending manual review`. Abbreviations keep their capitals. */
function plainWord(value: string): string {
  if (!/^[A-Z][A-Z0-9_]+$/.test(value) || value.length <= 4) return value;
  const words = value.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

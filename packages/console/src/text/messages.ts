/** Every text of the console, from one catalogue that is compiled when the console is built. */
import { LocalizedStringDictionary, LocalizedStringFormatter } from "@internationalized/string";
import english from "../../messages/en.json";
import { visibleText } from "../std/outside-text.ts";

export type MessageKey = keyof typeof english;

const dictionary = new LocalizedStringDictionary<MessageKey, string>({ en: english }, "en");
const formatter = new LocalizedStringFormatter<MessageKey, string>("en", dictionary);

export type MessageValues = Readonly<Record<string, string | number>>;

/** Values may come from outside: what they hide is shown. */
export function t(key: MessageKey, values?: MessageValues): string {
  if (values === undefined) return formatter.format(key);
  const visible = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "string" ? visibleText(value) : value,
  ]);
  return formatter.format(key, Object.fromEntries(visible));
}

/** A text whose key is made from a value of the API; the value in words where the catalogue has none. */
export function wordOf(prefix: string, value: string): string {
  const key = `${prefix}.${value}`;
  return Object.hasOwn(english, key) ? t(key as MessageKey) : plainWord(value);
}

/** `PENDING_MANUAL_REVIEW` as `Pending manual review`. Names that are abbreviations keep their capitals. */
function plainWord(value: string): string {
  if (!/^[A-Z][A-Z0-9_]+$/.test(value) || value.length <= 4) return value;
  const words = value.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

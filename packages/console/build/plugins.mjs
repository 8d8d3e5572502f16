import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { compileStrings } from "@internationalized/string-compiler";

const CATALOGUE = /\/messages\/([a-z-]+\.json)$/;
const MARK = "\0florin-messages:";
const messages = new URL("../messages/", import.meta.url);

/** Compiles a catalogue of texts to functions: no parser and no `eval` in the browser. */
export function messagesPlugin() {
  return {
    name: "florin-messages",
    enforce: "pre",
    resolveId(source) {
      const [, file] = CATALOGUE.exec(source) ?? [];
      return file === undefined ? null : MARK + file;
    },
    async load(id) {
      if (!id.startsWith(MARK)) return null;
      const path = fileURLToPath(new URL(id.slice(MARK.length), messages));
      const compiled = compileStrings(JSON.parse(await readFile(path, "utf8")));
      return { code: compiled.replace(/^module\.exports =/, "export default"), moduleType: "js" };
    },
  };
}

/** Trusted Types refuse text for `innerHTML`, also the empty one by which the widget library clears its announcements. */
export function announcerPlugin() {
  return {
    name: "florin-announcer",
    transform(code, id) {
      if (!id.includes("LiveAnnouncer")) return null;
      return { code: code.replaceAll(/\.innerHTML = (""|'')/g, ".textContent = ''"), map: null };
    },
  };
}

/** The program in this process, with a home of its own and what it wrote. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Host } from "../../src/host.ts";
import { run } from "../../src/main.ts";

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly bytes: Buffer;
  readonly errors: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** What a person types; without it nobody can be asked. */
  readonly typed?: string;
  readonly rewritesLines?: boolean;
  readonly fetch?: Host["fetch"];
  readonly stopped?: AbortSignal;
  readonly onOutput?: (text: string) => void;
}

export interface Shell {
  readonly home: string;
  run(words: readonly string[], options?: RunOptions): Promise<Ended>;
  remove(): void;
}

export function openShell(env: Readonly<Record<string, string>> = {}): Shell {
  const home = mkdtempSync(join(tmpdir(), "florin-cli-"));
  return {
    home,
    async run(words, options = {}) {
      const out: Buffer[] = [];
      const errors: string[] = [];
      const host: Host = {
        env: { ...env, ...options.env },
        homeDirectory: home,
        isTerminal: false,
        isColoured: false,
        rewritesLines: options.rewritesLines === true,
        canAsk: options.typed !== undefined,
        stopped: options.stopped ?? new AbortController().signal,
        writeOut: (bytes) => {
          out.push(Buffer.from(bytes as Uint8Array));
          options.onOutput?.(Buffer.from(bytes as Uint8Array).toString());
        },
        writeError: (text) => {
          errors.push(text);
          options.onOutput?.(text);
        },
        readInput: () => Promise.resolve(options.input ?? ""),
        ask: () => Promise.resolve(options.typed ?? ""),
        fetch: options.fetch ?? ((url, init) => fetch(url, init)),
        now: () => Date.now(),
        pause: shortPause,
        newKey: () => crypto.randomUUID(),
      };
      const code = await run(host, words);
      const bytes = Buffer.concat(out);
      return { code, bytes, out: bytes.toString("utf8"), errors: errors.join("") };
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** At most 20 ms: long enough for what is waited for, and for a loop that waits to let others run. */
function shortPause(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(delayMs, 20));
    signal?.addEventListener("abort", end);
  });
}

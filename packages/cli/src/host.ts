/** The interface to the machine, which tests replace. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  /** Whether standard output is a terminal that shows colours. */
  readonly isColoured: boolean;
  readonly isTerminal: boolean;
  /** Whether standard error is a terminal, where a line can be written over. */
  readonly rewritesLines: boolean;
  /** Whether a person can answer a question. */
  readonly canAsk: boolean;
  /** Aborts requests, pauses, and commands that run until they are stopped, such as `listen`. */
  readonly stopped: AbortSignal;
  writeOut(bytes: string | Uint8Array): void;
  writeError(text: string): void;
  readInput(): Promise<string>;
  ask(question: string, options?: { readonly isSecret?: boolean }): Promise<string>;
  fetch(url: string, init: RequestInit): Promise<Response>;
  now(): number;
  pause(delayMs: number, signal?: AbortSignal): Promise<void>;
  newKey(): string;
}

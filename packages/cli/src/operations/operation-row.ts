/** An operation of the API as a command: `florin <noun> <verb>`. */
export interface OperationRow {
  readonly id: string;
  readonly noun: string;
  readonly verb: string;
  readonly method: Method;
  /** Below the version segment, with parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** Whose credentials the call carries; `open` has none. */
  readonly access: "platform" | "agent" | "open";
  readonly isPaged?: true;
  readonly takesKey?: true;
  readonly query?: readonly FlagRow[];
  readonly headers?: readonly FlagRow[];
  readonly body?: BodyRow;
}

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

export interface BodyRow {
  readonly kind: "json" | "form";
  readonly isRequired?: true;
  readonly fields: readonly FlagRow[];
}

export interface FlagRow {
  /** As the API spells it. */
  readonly name: string;
  /** As the shell spells it, without dashes. */
  readonly flag: string;
  /** `texts` is a list of texts, `json` is anything that is written as JSON, `file` is a path. */
  readonly type: "string" | "number" | "boolean" | "texts" | "json" | "file";
  readonly isRequired?: true;
  readonly values?: readonly string[];
  readonly says?: string;
}

/** Runs operator commands on the database of a test server. */
import { vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import { TEST_MASTER_KEY, type TestServer } from "./test-server.ts";

type Shell<Options> = (config: ReturnType<typeof readConfig>, options: Options) => Promise<unknown>;

interface OperatedOn {
  readonly database: Pick<TestServer["database"], "url">;
  readonly masterKey?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Returns the output of the command; throws its refusal. */
export async function operatorRuns<Options>(
  { database, masterKey = TEST_MASTER_KEY, settings = {} }: OperatedOn,
  command: Shell<Options>,
  options: Options,
): Promise<string> {
  const config = readConfig({
    DATABASE_URL: database.url,
    MASTER_KEY: masterKey,
    LOG_LEVEL: "silent",
    PUBLIC_URL: "https://api.deployment.example",
    ...settings,
  });
  const written = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    await command(config, options);
    return written.mock.calls.map(([text]) => String(text)).join("");
  } finally {
    written.mockRestore();
  }
}

/** Starts the PostgreSQL of a run, on tmpfs when there is one, so that fsync is free. */
import type { TestProject } from "vitest/node";
import { placeInMemory, startRunPostgres } from "./run-postgres.ts";
import type { ProvidedPostgres } from "./test-database.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly postgres: ProvidedPostgres;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { provided, stop } = await startRunPostgres(await placeInMemory());
  project.provide("postgres", provided);
  return stop;
}

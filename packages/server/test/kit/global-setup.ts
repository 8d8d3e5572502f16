/** Starts the PostgreSQL of a run, on tmpfs when there is one, so that fsync is free. */
import type { TestProject } from "vitest/node";
import { placeInMemory, startRunPostgres } from "./run-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly postgres: { readonly host: string; readonly port: number };
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { address, stop } = await startRunPostgres(await placeInMemory());
  project.provide("postgres", address);
  return stop;
}

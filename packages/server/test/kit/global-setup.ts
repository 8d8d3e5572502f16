/** The PostgreSQL of a run, without waits for a disk where the machine has a file system in memory. */
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

/** Starts the PostgreSQL of the fault tests on a disk, as in production. */
import { tmpdir } from "node:os";
import type { TestProject } from "vitest/node";
import { startRunPostgres } from "./run-postgres.ts";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { provided, stop } = await startRunPostgres(tmpdir());
  project.provide("postgres", provided);
  return stop;
}

/** The PostgreSQL of the run is one that somebody started, at the URL of TEST_DATABASE_URL. */
import type { TestProject } from "vitest/node";
import { useOutsidePostgres } from "./outside-postgres.ts";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { provided, stop } = await useOutsidePostgres(process.env.TEST_DATABASE_URL ?? "");
  project.provide("postgres", provided);
  return stop;
}

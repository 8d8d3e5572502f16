import { it } from "vitest";
import { isDistributed } from "./test-database.ts";

/**
 * A test that a coordinator of a cluster cannot pass: it reads the statistics of a table, waits for a lock, makes a trigger or takes a
 * constraint away, of which the nodes know nothing; or it repeats migrations that are older than the distribution.
 */
export const onOne = it.runIf(!isDistributed());

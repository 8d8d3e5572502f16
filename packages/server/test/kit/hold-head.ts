import type { TestDatabase } from "./test-database.ts";

/** Locks the platform's head row until the returned function is called, so that batches wait for the lock. */
export async function holdHead(
  place: TestDatabase,
  platformId: string,
): Promise<() => Promise<void>> {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let done: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve) => {
    done = place.asSuperuser(async (client) => {
      await client.query("begin");
      await client.query("select 1 from platform_heads where platform_id = $1 for update", [
        platformId,
      ]);
      resolve();
      await held;
      await client.query("rollback");
    });
  });
  return () => {
    letGo();
    return done;
  };
}

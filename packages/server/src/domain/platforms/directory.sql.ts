import type { Reads } from "../../postgres/database.ts";

const byHandle = {
  name: "directory/get",
  text: "select platform_id from directory where handle = $1::text",
};

/** The platform that has claimed a name in the deployment's directory. */
export async function platformOfHandle(reads: Reads, handle: string): Promise<string | undefined> {
  const [led] = await reads.cells(byHandle, [handle]);
  return led?.[0] ?? undefined;
}

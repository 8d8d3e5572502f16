import type { Reads } from "../../../postgres/database.ts";

const named = {
  name: "rail_entries/is-named",
  text: "select 1 from rail_entries t where t.platform_id = $1::uuid and t.bank_reference = $2::text limit 1",
};

/** Whether an entry of the platform has the bank reference. */
export async function hasEntryNamed(
  reads: Reads,
  platformId: string,
  bankReference: string,
): Promise<boolean> {
  return (await reads.cells(named, [platformId, bankReference])).length > 0;
}

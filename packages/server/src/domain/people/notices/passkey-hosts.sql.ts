import type { Reads } from "../../../postgres/database.ts";

export interface CountOfHost {
  readonly host: string;
  readonly count: number;
}

const elsewhere = {
  name: "person_passkeys/elsewhere",
  text:
    "select k.rp_id, count(*) from person_passkeys k where k.deleted_at is null and k.rp_id <> $1::text " +
    "group by k.rp_id order by count(*) desc, k.rp_id limit 5",
};

/** Counts the passkeys of the deployment that were made for other hosts than this one, for the five hosts with the most. */
export async function countPasskeysElsewhere(
  reads: Reads,
  host: string,
): Promise<readonly CountOfHost[]> {
  const found = await reads.withPermit("deployment", (cells) => cells(elsewhere, [host]));
  return found.map(([name, count]) => ({ host: name ?? "", count: Number(count) }));
}

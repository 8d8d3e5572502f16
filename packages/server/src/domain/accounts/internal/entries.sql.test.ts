/** Pages of a ledger with some thousand postings read about as many rows as they show, on each page of a connection. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CountedReads, countedReads } from "../../../../test/kit/sql/rows-read.ts";
import { createTestDatabase, type TestDatabase } from "../../../../test/kit/test-database.ts";
import { findProof } from "../../reading/proofs/proofs.sql.ts";
import { listEntries, listPostings } from "./entries.sql.ts";

const PLATFORM = "018f0000-0000-7000-8000-00000000000a";
const OTHER = "018f0000-0000-7000-8000-00000000000b";
const ACCOUNTS = ["11", "22"].map((digits) => `018f0000-0000-7000-8000-0000000000${digits}`);
/** Each second command has a posting of two legs and tells of two transactions and an account; the others tell of a customer. */
const COMMANDS = 6_000;
const LIMIT = 100;
const PAGES = 14;

let place: TestDatabase;
beforeAll(async () => {
  place = await createTestDatabase();
  await place.asSuperuser(async (client) => {
    for (const platform of [PLATFORM, OTHER])
      for (const statement of rowsOf(platform)) await client.query(statement);
    await client.query("analyze");
  });
});
afterAll(() => place.drop());

function rowsOf(platform: string): readonly string[] {
  const each = `from generate_series(1, ${COMMANDS}) c`;
  const at = "to_timestamp(1700000000 + c)";
  return [
    `insert into platform_heads (platform_id) values ('${platform}')`,
    `insert into command_log (platform_id, seq, id, name, actor, at, clock_offset_ms, status, answer_sealed, answer_digest, effects_digest, hash)
     select '${platform}', c, gen_random_uuid(), 'pay', 'worker', ${at}, 0, 200, false, '', '', sha256(c::text::bytea) ${each}`,
    `insert into events (platform_id, seq, id, command_seq, type, subject, at, body)
     select '${platform}', row_number() over (order by c, e), gen_random_uuid(), c, 'INTERNAL_ACCOUNT.BALANCE_UPDATED',
       case when c % 2 = 1 then 'Customer:' || c when e = 2 then 'InternalAccount:1' else 'Transaction:' || c || '-' || (5 - e) end, ${at}, '{}'
     ${each}, generate_series(1, 3) e where e = 1 or c % 2 = 0`,
    `insert into ledger_entries (platform_id, command_seq, line, account_id, version, posting, reason, currency, amount_minor,
       balance_after_minor, at)
     select '${platform}', c, l, (array['${ACCOUNTS.join("','")}'])[l + 1]::uuid, c / 2, 0, 'book.transfer', 'USD', 2 * l - 1, 0, ${at}
     ${each}, generate_series(0, 1) l where c % 2 = 0`,
    `update platform_heads set seq = ${COMMANDS}, event_seq = ${COMMANDS * 2} where platform_id = '${platform}'`,
  ];
}

/** Twenty rows for each that a page shows, and a thousand besides. */
const bound = (shown: number) => 20 * shown + 1_000;

const counted = <T>(work: (counted: CountedReads) => Promise<T>) =>
  place.asSuperuser(async (client) => work(await countedReads(client)));

const none = { reason: undefined, since: undefined, until: undefined };

describe("a ledger of a few thousand entries", () => {
  it("is paged by postings, each with its least transaction", async () => {
    await counted(async ({ reads, during }) => {
      let after: { readonly commandSeq: bigint; readonly posting: number } | undefined;
      for (let page = 0; page < PAGES; page++) {
        const query = { ...none, accountId: undefined, transactionId: undefined, after };
        const read = await during(async () => {
          const { rows } = await listPostings(reads, {
            ...query,
            platformId: PLATFORM,
            limit: LIMIT,
          });
          const newest = COMMANDS - page * LIMIT * 2;
          expect(rows.map(({ commandSeq }) => Number(commandSeq))).toEqual(
            Array.from({ length: LIMIT }, (_, index) => newest - 2 * index),
          );
          for (const { commandSeq, legs } of rows) {
            expect(legs.map(({ transactionId }) => transactionId)).toEqual(
              Array(2).fill(`Transaction:${commandSeq}-2`),
            );
          }
          after = rows.at(-1);
        });
        expect([page, read]).toEqual([page, expect.toSatisfy((n) => n <= bound(2 * LIMIT))]);
      }
    });
  });

  it.each(["asc", "desc"] as const)("is paged by the entries of an account, %s", async (order) => {
    await counted(async ({ reads, during }) => {
      let after: string | undefined;
      for (let page = 0; page < PAGES; page++) {
        const read = await during(async () => {
          const { rows } = await listEntries(reads, {
            ...none,
            platformId: PLATFORM,
            accountId: ACCOUNTS[0] ?? "",
            order,
            after,
            limit: LIMIT,
          });
          expect(rows).toHaveLength(LIMIT);
          for (const { commandSeq, transactionId } of rows)
            expect(transactionId).toBe(`Transaction:${commandSeq}-2`);
          after = String(rows.at(-1)?.version);
        });
        expect([page, read]).toEqual([page, expect.toSatisfy((n) => n <= bound(LIMIT))]);
      }
    });
  });

  it("proves a command with its own events", async () => {
    await counted(async ({ reads, during }) => {
      for (let seq = 2n; seq <= 24n; seq += 2n) {
        const read = await during(async () => {
          const proof = await findProof(reads, PLATFORM, { seq, withEffects: true });
          expect(proof?.effects?.map(({ table }) => table)).toEqual([
            ...Array(2).fill("ledger_entries"),
            ...Array(3).fill("events"),
          ]);
        });
        expect(read).toBeLessThanOrEqual(bound(5));
      }
    });
  });
});

describe("the events of commands", () => {
  const ranges = (commands: readonly number[]) =>
    place.asSuperuser(async (client) => {
      const { rows } = await client.query(
        "select command_seq::int4, first_seq::int4, end_seq::int4 from event_ranges($1, $2)",
        [PLATFORM, commands],
      );
      return rows.map(({ command_seq, first_seq, end_seq }) => [command_seq, first_seq, end_seq]);
    });

  it("are next to each other, wherever the commands are", async () => {
    expect(await ranges([])).toEqual([]);
    expect(await ranges([1])).toEqual([[1, 1, 2]]);
    expect(await ranges([COMMANDS, 2, 3, 2, 2_999])).toEqual([
      [2, 2, 5],
      [3, 5, 6],
      [2_999, 5_997, 5_998],
      [COMMANDS, COMMANDS * 2 - 2, COMMANDS * 2 + 1],
    ]);
  });

  it("are none for commands that there are not", async () => {
    expect(await ranges([0, COMMANDS + 1, COMMANDS + 9])).toEqual([
      [0, 1, 1],
      [COMMANDS + 1, COMMANDS * 2 + 1, COMMANDS * 2 + 1],
      [COMMANDS + 9, COMMANDS * 2 + 1, COMMANDS * 2 + 1],
    ]);
  });
});

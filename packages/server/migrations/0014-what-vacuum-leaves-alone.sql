-- Rows of `command_log`, `events` and `ledger_entries` are added and hardly ever changed, so there is next to nothing to clear
-- away. Vacuum after so many new rows would only mark their pages as seen by all, and with checksums each mark writes a whole
-- page to the log again: under load half as much as all payments wrote. Vacuum still comes for what failed batches left, and when
-- transactions get old.
alter table command_log set (autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 1);
alter table events set (autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 1);
alter table ledger_entries reset (autovacuum_vacuum_insert_scale_factor);
alter table ledger_entries set (autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 1);

-- The three are read by key or by time, in one way each. A small sample says enough of them, and holds a snapshot for a tenth
-- of the time: as long as one is held, the rows of ended jobs cannot be passed over.
do $$
declare
  place record;
begin
  for place in
    select attrelid::regclass as "table", attname as "column" from pg_attribute
    where attrelid in ('command_log'::regclass, 'events'::regclass, 'ledger_entries'::regclass)
      and attnum > 0 and not attisdropped
  loop
    execute format('alter table %s alter column %I set statistics 10', place."table", place."column");
  end loop;
end $$;

-- A queue: what ends makes room for what comes. Giving empty pages back to the disk takes a lock that every payment waits for.
alter table jobs set (vacuum_truncate = off);

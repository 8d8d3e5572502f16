-- Each index of events and of entries is written with every payment. These four cost more than they give: events are found by their id
-- through the time in it and by their command through the sequence, which both rise with each event. Types and reasons that payments
-- write in numbers are found by walking the newest rows; the rare ones keep an index.
drop index events_id;
drop index events_command;
drop index events_type;
drop index ledger_entries_reason;

-- The condition is repeated in domain/webhooks/event-list.sql.ts: PostgreSQL uses the index only for a query that has it.
create index events_rare_type on events (platform_id, type, seq)
where type <> all (array['OUTGOING_PAYMENT.PENDING', 'OUTGOING_PAYMENT.PROCESSING', 'OUTGOING_PAYMENT.COMPLETED', 'INCOMING_PAYMENT.COMPLETED', 'INTERNAL_ACCOUNT.BALANCE_UPDATED']);

-- The same of domain/ledger/entries.sql.ts.
create index ledger_entries_rare_reason on ledger_entries (platform_id, reason, command_seq, line)
where reason <> all (array['payout.hold', 'payout.settle', 'pull.settle', 'book.transfer', 'quote.hold', 'quote.convert']);

-- The events of a command, which are next to each other: commands and events are numbered in one order.
create function events_of_command(of_platform uuid, command int8) returns setof events language plpgsql stable as $$
declare
  low int8 := 1;
  high int8;
  middle int8;
  found events;
begin
  select h.event_seq + 1 into high from platform_heads h where h.platform_id = of_platform;
  while low < high loop
    middle := (low + high) / 2;
    if (select e.command_seq < command from events e where e.platform_id = of_platform and e.seq = middle) then
      low := middle + 1;
    else
      high := middle;
    end if;
  end loop;
  for found in select * from events e where e.platform_id = of_platform and e.seq >= low order by e.seq loop
    exit when found.command_seq <> command;
    return next found;
  end loop;
end $$;

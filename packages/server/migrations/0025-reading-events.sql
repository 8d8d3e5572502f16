-- Reads of events by id, by the object that they are about, and by type. Each index is walked in the order of the sequence.
create unique index events_id on events (platform_id, id);
create index events_subject on events (platform_id, subject, seq);
create index events_type on events (platform_id, type, seq);

-- The first sequence whose event is at this moment or later; one past the last event when there is none. Events are numbered
-- without gaps and their times never go back, so a binary search over the primary key finds it without an index on the time.
create function event_seq_at(of_platform uuid, moment timestamptz) returns int8 language plpgsql stable as $$
declare
  low int8 := 1;
  high int8;
  middle int8;
begin
  select h.event_seq + 1 into high from platform_heads h where h.platform_id = of_platform;
  while low < high loop
    middle := (low + high) / 2;
    if (select e.at < moment from events e where e.platform_id = of_platform and e.seq = middle) then
      low := middle + 1;
    else
      high := middle;
    end if;
  end loop;
  return low;
end $$;

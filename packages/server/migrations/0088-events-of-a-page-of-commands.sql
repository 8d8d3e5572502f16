-- Where the events of commands are: they are next to each other, because commands and events are numbered in one order. The commands are taken in
-- ascending order, and each search goes on where the one before ended with steps that double. So a page of neighbouring commands costs a few
-- reads by key for each, and one of commands that are far apart at most twice the logarithm of the distance.
create function event_ranges(of_platform uuid, commands int8[])
returns table (command_seq int8, first_seq int8, end_seq int8) language plpgsql stable as $$
declare
  beyond int8;
  wanted int8;
  low int8 := 1;
  high int8;
  middle int8;
  step int8;
begin
  select h.event_seq + 1 into beyond from platform_heads h where h.platform_id = of_platform;
  for command_seq in select distinct c from unnest(commands) c order by c loop
    first_seq := null;
    foreach wanted in array array[command_seq, command_seq + 1] loop
      high := low;
      step := 1;
      while high < beyond and (select e.command_seq < wanted from events e where e.platform_id = of_platform and e.seq = high) loop
        low := high + 1;
        high := high + step;
        step := step * 2;
      end loop;
      high := least(high, beyond);
      while low < high loop
        middle := (low + high) / 2;
        if (select e.command_seq < wanted from events e where e.platform_id = of_platform and e.seq = middle) then
          low := middle + 1;
        else
          high := middle;
        end if;
      end loop;
      first_seq := coalesce(first_seq, low);
      end_seq := low;
    end loop;
    return next;
  end loop;
end $$;

-- It read all later events of the platform and sorted them, because nothing in its query told where to stop.
create or replace function events_of_command(of_platform uuid, command int8) returns setof events language plpgsql stable as $$
declare
  place record;
begin
  select r.first_seq, r.end_seq into place from event_ranges(of_platform, array[command]) r;
  return query select * from events e
    where e.platform_id = of_platform and e.seq >= place.first_seq and e.seq < place.end_seq order by e.seq;
end $$;

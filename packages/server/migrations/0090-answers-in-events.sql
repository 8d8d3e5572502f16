-- The text of a stored answer. An answer that is the data of an event of its command is stored as `@` and the number of that event. The digest in
-- the row is that of the text, so another number does not pass for it.
create function stored_answer(of_platform uuid, answer text) returns text language sql stable as $$
  select case when answer ~ '^@[0-9]{1,18}$' then (
    select substr(e.body, strpos(e.body, '"data":') + 7, length(e.body) - strpos(e.body, '"data":') - 7)
    from events e where e.platform_id = of_platform and e.seq = substr(answer, 2)::int8
  ) else answer end
$$;

-- How far the answers of a platform have been forgotten: of every command up to this one. Kept by the sweeper, which goes on
-- from there by key, so that a step costs the same however much was forgotten before.
create table forgotten_answers (
  platform_id uuid not null,
  until_seq int8 not null,
  constraint forgotten_answers_pkey primary key (platform_id)
) with (fillfactor = 50);

-- By it the sweeper found the old ones among all.
drop index command_log_at;

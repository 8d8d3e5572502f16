-- The zone whose days are the periods of statements that are ordered from now on. A statement keeps the zone it was ordered in.
alter table platforms add column statement_time_zone text not null default 'UTC';

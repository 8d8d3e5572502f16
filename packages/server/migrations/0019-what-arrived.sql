-- What came in for a quote, when that was not what it asked for.
alter table quotes add column arrived_minor bigint;

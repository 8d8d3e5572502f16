-- Who asked for a quote whose payer is told where to pay to: a line that its maker types in, or confirms, does not fund it. Null of every other quote,
-- and of those that were made before.
alter table quotes add column maker json;

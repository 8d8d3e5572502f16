-- Orders that the rail is asked to give back: few, and looked for by the people who ask.
create index rail_payments_recalled on rail_payments (platform_id, connection_id, id) where recall ->> 'state' = 'REQUESTED';

-- The people who count as an agent: who made it, and who issued the code by which it connected.
alter table agents add column people json not null default '[]';
alter table agents alter column people drop default;
alter table agent_device_codes add column people json not null default '[]';
alter table agent_device_codes alter column people drop default;
-- The people who count as the one that asked for a mark.
alter table rail_marks add column requester_people json not null default '[]';
alter table rail_marks alter column requester_people drop default;

-- People who count as one human with a person until a time: those who invited or re-enrolled them, changed their roles, or set the issuer by
-- which they signed in.
alter table people add column joined json not null default '[]';

-- Everybody behind a token: the person or the token at the beginning of the chain of its creators, with the people who counted as that person.
alter table tokens add column lineage json not null default '[]';
update tokens t set lineage = json_build_array(json_build_object('id', t.person_id, 'until', null)) where t.person_id is not null;
-- Of a token made by a token of the operator, the token that made it; then what that one was made by, and so on, twice as far each time.
update tokens t set lineage = json_build_array(json_build_object('id', substr(t.created_by, 7), 'until', null))
  where t.person_id is null and t.created_by like 'Token:%';
update tokens t set lineage = c.lineage from tokens c
  where c.platform_id = t.platform_id and c.id::text = t.lineage -> 0 ->> 'id' and json_array_length(c.lineage) > 0 and t.person_id is null;
update tokens t set lineage = c.lineage from tokens c
  where c.platform_id = t.platform_id and c.id::text = t.lineage -> 0 ->> 'id' and json_array_length(c.lineage) > 0 and t.person_id is null;
update tokens t set lineage = c.lineage from tokens c
  where c.platform_id = t.platform_id and c.id::text = t.lineage -> 0 ->> 'id' and json_array_length(c.lineage) > 0 and t.person_id is null;
update tokens t set lineage = c.lineage from tokens c
  where c.platform_id = t.platform_id and c.id::text = t.lineage -> 0 ->> 'id' and json_array_length(c.lineage) > 0 and t.person_id is null;

-- Who counted as the one who asked when the order was asked for.
alter table approvals add column requester_people json not null default '[]';

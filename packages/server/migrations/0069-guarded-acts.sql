-- From here on `florin verify` expects an approval for each guarded act of a person. Acts before an upgrade had rules of their own.
insert into deployment_facts (name, value)
values ('guarded acts since', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));

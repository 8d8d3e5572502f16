-- Whether a body with an unknown field is refused. Platforms that exist already go on ignoring such fields; new ones refuse them.
alter table platforms add column unknown_fields text not null default 'IGNORE';

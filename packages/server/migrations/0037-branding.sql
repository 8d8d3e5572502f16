-- How a platform's hosted pages look: its name, its colour and its logo. Null: they look as they do without a platform.
alter table platforms add column branding json;
-- Whether the page of an invitation names the inviter in full.
alter table invitations add column shows_inviter_name boolean not null default false;

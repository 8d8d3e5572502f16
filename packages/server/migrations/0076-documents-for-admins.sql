-- An owner may let the ADMINs of the workspace read documents.
alter table workspaces add column admins_read_documents boolean not null default false;

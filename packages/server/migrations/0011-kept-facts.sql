-- What a verification has taken up stays when its document is replaced: as a row that nobody is shown, with its file.
alter table documents
  add column superseded_by uuid,
  add constraint documents_superseded check (superseded_by is null or deleted_at is not null);
-- The sweeper of files looks for these as for documents that are shown.
create index documents_superseded_file on documents (platform_id, file_id) where superseded_by is not null;

-- Whether the sealed identifier is written as a social security number is; null when nobody knows.
alter table customers add column identity_has_ssn_form bool;
-- UMA addresses that the customer had before: still its own, so that it may take one back.
alter table customers add column former_uma_addresses json not null default '[]';
alter table customers alter column former_uma_addresses drop default;

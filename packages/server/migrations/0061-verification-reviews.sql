-- A person takes a case before deciding it; until taken_until no other person decides it. The name is that of the moment.
alter table verifications add column taken_by uuid, add column taken_by_name text, add column taken_until timestamptz;
alter table verifications add constraint verifications_taken check (
  (taken_by is null) = (taken_until is null) and (taken_by is null) = (taken_by_name is null)
);
-- The queue of the reviewers, the oldest first.
create index verifications_queue on verifications (platform_id, id) where status in ('IN_PROGRESS', 'PENDING_MANUAL_REVIEW');

-- What people of the workspace noted about a customer. Append-only. The name is that of the moment.
create table customer_notes (
  platform_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  author_id uuid not null,
  author_name text not null,
  note text not null,
  created_at timestamptz not null,
  constraint customer_notes_pkey primary key (platform_id, id)
);
create index customer_notes_customer on customer_notes (platform_id, customer_id, id);
create trigger customer_notes_append_only before update or delete on customer_notes
  for each row execute function refuse_change();
create trigger customer_notes_no_truncate before truncate on customer_notes
  for each statement execute function refuse_change();
revoke update, delete, truncate on customer_notes from current_user;

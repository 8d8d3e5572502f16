-- What customers said when they were submitted for their checks, so that a reviewer sees what changed. Append-only. Identifiers are not in
-- it, but for the ends of those of owners.
create table verification_submissions (
  platform_id uuid not null,
  id uuid not null,
  verification_id uuid not null,
  customer_id uuid not null,
  said json not null,
  created_at timestamptz not null,
  constraint verification_submissions_pkey primary key (platform_id, id)
);
create index verification_submissions_customer on verification_submissions (platform_id, customer_id, id);
create index verification_submissions_verification on verification_submissions (platform_id, verification_id, id);
create trigger verification_submissions_append_only before update or delete on verification_submissions
  for each row execute function refuse_change();
create trigger verification_submissions_no_truncate before truncate on verification_submissions
  for each statement execute function refuse_change();
revoke update, delete, truncate on verification_submissions from current_user;

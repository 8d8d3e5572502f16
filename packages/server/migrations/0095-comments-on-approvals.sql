-- Comments of people on orders that wait.
create table approval_comments (
  platform_id uuid not null,
  id uuid not null,
  approval_id uuid not null,
  author_id uuid not null,
  author_name text not null,
  comment text not null,
  created_at timestamptz not null,
  constraint approval_comments_pkey primary key (platform_id, id)
);
create index approval_comments_approval on approval_comments (platform_id, approval_id, id);
create trigger approval_comments_append_only before update or delete on approval_comments
  for each row execute function refuse_change();
create trigger approval_comments_no_truncate before truncate on approval_comments
  for each statement execute function refuse_change();
revoke update, delete, truncate on approval_comments from current_user;

-- The amount of an order that has one; null for orders of earlier versions.
alter table approvals add column amount_minor int8, add column amount_currency text;

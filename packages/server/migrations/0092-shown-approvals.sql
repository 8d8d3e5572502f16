-- What a person was shown when they agreed to an order. Agreements of earlier versions have none: they are signed over the content alone.
create table approval_showings (
  platform_id uuid not null,
  id uuid not null,
  approval_id uuid not null,
  person_id uuid not null,
  digest text not null,
  -- Sealed under seal_id.
  text_sealed text not null,
  seal_id uuid not null,
  created_at timestamptz not null,
  constraint approval_showings_pkey primary key (platform_id, id)
);
create unique index approval_showings_once on approval_showings (platform_id, approval_id, person_id);
-- A new master key seals the text again, so it may be updated.
create trigger approval_showings_kept before delete on approval_showings
  for each row execute function refuse_change();
create trigger approval_showings_no_truncate before truncate on approval_showings
  for each statement execute function refuse_change();
revoke delete, truncate on approval_showings from current_user;

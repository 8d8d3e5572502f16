-- Failed sign-ins of people in the last minutes, by a keyed hash of what they named or where they came from. It belongs to the deployment: a passkey that
-- nobody has is of no workspace. began_at is the host's time of the first failure that is counted.
create table failed_proofs (
  key_hash text not null,
  failures int4 not null,
  began_at timestamptz not null,
  constraint failed_proofs_pkey primary key (key_hash)
);
create index failed_proofs_began_at on failed_proofs (began_at);

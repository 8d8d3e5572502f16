-- When the counter of a passkey first went back, as that of a copy does.
alter table person_passkeys add column counter_back_at timestamptz;

-- When a person was asked for a second passkey and put it off. It is kept here, so that no other browser asks again.
alter table people add column passkey_put_off_at timestamptz;

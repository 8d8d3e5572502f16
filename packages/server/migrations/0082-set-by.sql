-- Who set the address or the client of an issuer last, and when. Null for issuers that were set before.
alter table sso_issuers add column set_by uuid, add column set_at timestamptz;

-- Businesses as customers, the people behind them, and what became of their checks.

alter table customers
  add column business_info json,
  add column infers_currencies bool not null default false,
  add constraint customers_type check (customer_type in ('INDIVIDUAL', 'BUSINESS')),
  add constraint customers_business check ((customer_type = 'BUSINESS') = (business_info is not null)),
  add constraint customers_standing check ((kyc_status is null) <> (kyb_status is null)),
  add constraint customers_kyc_status check (kyc_status in ('UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED')),
  add constraint customers_kyb_status check (kyb_status in ('UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED'));
alter table customers alter column infers_currencies drop default;
-- For a platform that enables a currency: its customers who use whatever there is.
create index customers_infers_currencies on customers (platform_id, id) where infers_currencies and deleted_at is null;

create table beneficial_owners (
  platform_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  roles json not null,
  ownership_percentage int4 not null,
  personal_info json not null,
  kyc_status text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint beneficial_owners_pkey primary key (platform_id, id),
  constraint beneficial_owners_percentage check (ownership_percentage between 0 and 100),
  constraint beneficial_owners_kyc_status check (kyc_status in ('UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED'))
);
create index beneficial_owners_customer on beneficial_owners (platform_id, customer_id, id);

create table verifications (
  platform_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  status text not null,
  errors json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint verifications_pkey primary key (platform_id, id),
  constraint verifications_status check (
    status in ('RESOLVE_ERRORS', 'IN_PROGRESS', 'PENDING_MANUAL_REVIEW', 'APPROVED', 'REJECTED'))
);
create index verifications_customer on verifications (platform_id, customer_id, id);
-- A customer has at most one check under way.
create unique index verifications_open on verifications (platform_id, customer_id)
  where status in ('IN_PROGRESS', 'PENDING_MANUAL_REVIEW');

-- A stopped endpoint stays so until the platform sets one, be it the same again: each time counts.
alter table platforms add column webhook_setting int8 not null default 0;
alter table platforms alter column webhook_setting drop default;
alter table webhook_streams add column stopped_setting int8;
update webhook_streams s set stopped_setting = 0 from platforms p
  where p.platform_id = s.platform_id and p.id = s.platform_id and s.stopped_at is not null
  and s.stopped_since_event_seq = p.webhook_since_event_seq;
update webhook_streams set stopped_at = null where stopped_setting is null;
alter table webhook_streams drop column stopped_since_event_seq;

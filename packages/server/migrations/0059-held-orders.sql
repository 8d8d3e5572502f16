-- What an order is about, where one order at a time may wait about it: a wire id.
alter table approvals add column subject_id text;
create index approvals_subject on approvals (platform_id, subject_id) where state = 'PENDING' and subject_id is not null;
-- Which of the two amounts was asked for; null for quotes of earlier versions.
alter table quotes add column locked_side text;

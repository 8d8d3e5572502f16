-- An order about an owner that no other person can decide is carried out in time, unless it is rejected: it needs no agreement.
alter table approvals drop constraint approvals_needed;
alter table approvals add constraint approvals_needed
  check (approvals_needed between 1 and 2 or approvals_needed = 0 and kind = 'OWNER_CHANGE');

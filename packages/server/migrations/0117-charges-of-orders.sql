-- The order whose charge an entry is, as the connector names it. Such a debit is booked to own funds up to the ceiling of its connection.
alter table rail_entries add column fee_of uuid;
alter table rail_entries drop constraint rail_entries_booked_as;
alter table rail_entries add constraint rail_entries_booked_as
  check (booked_as in ('PAYMENT', 'RETURN', 'DEPOSIT', 'FUNDING', 'INVOICE', 'FEE', 'SUSPENSE'));
alter table rail_entries add constraint rail_entries_fee
  check (booked_as <> 'FEE' or (fee_of is not null and direction = 'DEBIT'));

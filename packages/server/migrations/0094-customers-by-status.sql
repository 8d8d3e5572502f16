-- Customers by the status of their verification, and those that are frozen. Payments write no customers.
create index customers_verification on customers (platform_id, (coalesce(kyc_status, kyb_status)), id);
create index customers_frozen on customers (platform_id, id) where frozen is not null;

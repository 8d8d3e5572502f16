-- By these the lists of a large platform find the rows of a customer, of an address, of a platform's own name for a customer.
create index external_accounts_customer on external_accounts (platform_id, customer_id, id) where deleted_at is null;
create index customers_deleted_platform_customer_id on customers (platform_id, platform_customer_id)
  where deleted_at is not null;

-- An address is in the JSON. A transfer is in neither of the two, and its insert does not look into the JSON for them.
create index transactions_from_uma on transactions (platform_id, (source ->> 'umaAddress'), id)
  where type = 'INCOMING' and source ->> 'umaAddress' is not null;
create index transactions_to_uma on transactions (platform_id, (destination ->> 'umaAddress'), id)
  where (type = 'INCOMING' or quote_id is not null) and destination ->> 'umaAddress' is not null;

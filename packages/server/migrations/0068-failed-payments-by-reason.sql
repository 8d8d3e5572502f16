-- By this the list of payments finds those that failed for one reason. Only failed payments are in it. An update of another payment
-- changes no column of it, so it stays within its page.
create index transactions_failed on transactions (platform_id, (failure ->> 'code'), id) where failure is not null;

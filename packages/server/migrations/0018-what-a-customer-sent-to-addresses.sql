-- By this the list of what an address sent finds, among all that its customer paid, what went to an address. No transfer is in it.
create index transactions_sent_to_uma on transactions (platform_id, customer_id, id)
  where type = 'OUTGOING' and quote_id is not null and destination ->> 'umaAddress' is not null;

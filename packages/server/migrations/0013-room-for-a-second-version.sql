-- A transaction or a quote is written once and changed once or twice soon after, often a page's worth of them in one
-- commit. With room for a second version of each on its page, no index has to be told.
alter table transactions set (fillfactor = 45);
alter table quotes set (fillfactor = 45);

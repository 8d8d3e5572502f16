-- A logged call enters two indexes: that of its id and that of request ids. The partial ones hold calls about an object, refusals,
-- replays and slow calls. What has no index is found by a walk of bounded length, and old rows are found by their ids, which hold the time.
drop index request_logs_created;
drop index request_logs_actor;
drop index request_logs_operation;
drop index request_logs_key;

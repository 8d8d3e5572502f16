-- A page of customers of a region, and how many there are. Without it both read every customer. The count is answered by the index alone, also by
-- type and without the deleted ones.
create index customers_region on customers (platform_id, region, deleted_at, customer_type, id) where region is not null;

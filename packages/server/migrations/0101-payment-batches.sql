-- Batches of payments. The items of a batch are made in the command that makes the batch: their ids lie between its id and last_item_id.
create table payment_batches (
  platform_id uuid not null,
  id uuid not null,
  name text,
  mode text not null,
  status text not null,
  actor_id uuid not null,
  is_person bool not null,
  last_item_id uuid not null,
  -- The last item that has run.
  ran_item_id uuid,
  total int4 not null,
  accepted int4 not null,
  refused int4 not null,
  completed int4 not null,
  failed int4 not null,
  currency_totals json not null,
  metadata json,
  job_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  constraint payment_batches_pkey primary key (platform_id, id),
  constraint payment_batches_mode check (mode in ('INDEPENDENT', 'ALL_OR_NOTHING')),
  constraint payment_batches_status check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'CANCELLED')),
  constraint payment_batches_counts check (accepted + refused <= total and completed + failed <= accepted),
  constraint payment_batches_ended check ((status in ('COMPLETED', 'CANCELLED')) = (completed_at is not null)),
  constraint payment_batches_all_ran check (status <> 'COMPLETED' or accepted + refused = total)
);

-- An item of a cancelled batch that has not run stays WAITING here; the API shows it as CANCELLED.
create table payment_batch_items (
  platform_id uuid not null,
  id uuid not null,
  batch_id uuid not null,
  position int4 not null,
  reference text not null,
  kind text not null,
  source_id uuid not null,
  destination_id uuid not null,
  amount_minor int8 not null,
  terms json,
  status text not null,
  transaction_id uuid,
  error json,
  constraint payment_batch_items_pkey primary key (platform_id, id),
  constraint payment_batch_items_kind check (kind in ('TRANSFER_OUT', 'BOOK')),
  constraint payment_batch_items_status check (status in ('WAITING', 'CREATED', 'REFUSED')),
  constraint payment_batch_items_created check ((status = 'CREATED') = (transaction_id is not null)),
  constraint payment_batch_items_refused check ((status = 'REFUSED') = (error is not null))
);
create index payment_batch_items_refused on payment_batch_items (platform_id, batch_id, id) where status = 'REFUSED';

-- Files that were uploaded, in sealed chunks. Written before the command that refers to the file, and swept when none does:
-- the one table beside the bookkeeping of deliveries and leases that the engine does not write.
create table file_chunks (
  platform_id uuid not null,
  file_id uuid not null,
  number int4 not null,
  written_at timestamptz not null,
  sealed bytea not null,
  constraint file_chunks_pkey primary key (platform_id, file_id, number),
  constraint file_chunks_number check (number >= 0)
);
-- Ciphertext does not compress.
alter table file_chunks alter column sealed set storage external;
-- Led by time, not by platform: the sweeper looks at the files of all platforms of its own database, in their order.
create index file_chunks_first on file_chunks (written_at, file_id) where number = 0;

create table documents (
  platform_id uuid not null,
  id uuid not null,
  holder_kind text not null,
  holder_id uuid not null,
  document_type text not null,
  side text,
  country text not null,
  document_number text,
  issuing_authority text,
  file_name text not null,
  file_id uuid not null,
  file_bytes int4 not null,
  media_type text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint documents_pkey primary key (platform_id, id),
  constraint documents_file_bytes check (file_bytes > 0)
);
create index documents_holder on documents (platform_id, holder_id, id) where deleted_at is null;
create index documents_file on documents (platform_id, file_id) where deleted_at is null;

create table bulk_jobs (
  platform_id uuid not null,
  id uuid not null,
  token_id uuid not null,
  status text not null,
  file_id uuid,
  total int4 not null,
  processed int4 not null,
  successful int4 not null,
  failed int4 not null,
  position int4 not null,
  listed_errors int4 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  constraint bulk_jobs_pkey primary key (platform_id, id),
  constraint bulk_jobs_status check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  constraint bulk_jobs_counts check (processed = successful + failed and processed <= total),
  constraint bulk_jobs_ended check ((status in ('COMPLETED', 'FAILED')) = (completed_at is not null))
) with (fillfactor = 70);
create index bulk_jobs_unfinished on bulk_jobs (platform_id) where status in ('PENDING', 'PROCESSING');
create index bulk_jobs_file on bulk_jobs (platform_id, file_id) where file_id is not null;

create table bulk_job_errors (
  platform_id uuid not null,
  id uuid not null,
  job_id uuid not null,
  line int4 not null,
  correlation_id text not null,
  code text not null,
  message text not null,
  details json,
  constraint bulk_job_errors_pkey primary key (platform_id, id)
);
create index bulk_job_errors_job on bulk_job_errors (platform_id, job_id, line, id);

-- The queue of the operators reads the platforms that leave their verifications to them, and of each platform its first open cases.
create index platforms_reviewed_by_operators on platforms (platform_id) where reviewers = 'OPERATOR';
-- The open cases that a person has taken.
create index verifications_taken on verifications (platform_id, taken_by, id)
  where status in ('IN_PROGRESS', 'PENDING_MANUAL_REVIEW') and taken_by is not null;

-- The person who decided a verification by `florin verification decide`, and that person's note.
alter table verifications add column decided_by text, add column decision_note text;

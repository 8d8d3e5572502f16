-- An answer that is the data of an event of its command is stored as `@` and the number of that event. A server of an earlier version would replay the
-- number, so the version of the schema keeps it from running beside.
comment on column command_log.answer is 'the text of the answer, or @ and the number of the event whose data it is';

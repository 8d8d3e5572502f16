create index invitations_pending on invitations (platform_id, id) where status = 'PENDING';

/** Compares the checkpoints of the platform $1 with the commands that they are about; rows as in reconciliation.sql.ts. */
export const CHECKPOINTS_AND_LOG = `
  select 'chain_checkpoints', c.id::text, 'its hash is not that of command ' || c.seq
  from chain_checkpoints c left join command_log l on l.platform_id = $1::uuid and l.seq = c.seq
  where c.platform_id = $1::uuid and c.seq > 0 and l.hash is distinct from c.chain_hash`;

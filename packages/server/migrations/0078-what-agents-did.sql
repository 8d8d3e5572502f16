-- Why an action waited for approval. Null when it did not wait, and for actions that were submitted before.
alter table agent_actions add column approval_reason text
  constraint agent_actions_approval_reason check (approval_reason in ('EXECUTION_MODE', 'ACCOUNT_RULE', 'THRESHOLD'));

-- When the agent submitted its newest action. An order that its policy refused is no action.
alter table agents add column last_action_at timestamptz;
update agents a set last_action_at = (
  select max(t.created_at) from agent_actions t where t.platform_id = a.platform_id and t.agent_id = a.id
);

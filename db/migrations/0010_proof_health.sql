-- How long what was sealed can be shown by its time stamps, and when something is to be done about it.
alter table seal
  -- end of the latest stamp that holds; null in seals of before it was calculated
  add column stamped_until timestamptz,
  -- when its stamps should be renewed: calculated whenever one is added; null: none holds any more that could be
  add column renew_at timestamptz,
  -- when the authorities that gave no token are asked again; null: none is missing, or they were given up
  add column ask_again_at timestamptz,
  add column asked_again integer not null default 0,
  add constraint seal_health check (renew_at is null or stamped_until is not null);
update seal set ask_again_at = sealed_at where jsonb_array_length(summary -> 'pending_authorities') > 0;
create index seal_renew on seal (renew_at) where renew_at is not null;
create index seal_not_assessed on seal (evidence_id) where stamped_until is null;
create index seal_ask_again on seal (ask_again_at) where ask_again_at is not null;

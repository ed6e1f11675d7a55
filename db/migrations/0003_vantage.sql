-- The second vantage of an evidence: another capture server that captures the same address at the same moment.

create table evidence_vantage (
  evidence_id uuid primary key references evidence (id) on delete cascade,
  -- the server that was asked for; null: any public one but the first
  asked_server text references capture_server (id),
  server_id text references capture_server (id),
  status text not null default 'waiting' check (status in ('waiting', 'capturing', 'captured', 'failed')),
  lease_owner text,
  lease_until timestamptz,
  -- fencing token, as that of the evidence
  fence bigint not null default 0,
  -- when each stood before the blank page, ready, and when each set out: all on this database's clock
  first_ready_at timestamptz,
  second_ready_at timestamptz,
  first_left_at timestamptz,
  second_left_at timestamptz,
  failure text,
  facts jsonb,
  -- the pieces, already in the scope of the evidence in the blob store
  files jsonb,
  check ((lease_owner is null) = (lease_until is null)),
  check ((lease_owner is not null) = (status = 'capturing')),
  check ((facts is not null) = (status = 'captured') and (facts is null) = (files is null)),
  check ((failure is not null) = (status = 'failed'))
);
create index evidence_vantage_waiting on evidence_vantage (evidence_id) where status = 'waiting';

-- The first begins anew: what the second has, or had, is of another moment.
create function evidence_vantage_restart() returns trigger language plpgsql as $$
begin
  update evidence_vantage set status = 'waiting', fence = fence + 1, server_id = null, lease_owner = null, lease_until = null,
    first_ready_at = null, second_ready_at = null, first_left_at = null, second_left_at = null,
    failure = null, facts = null, files = null
    where evidence_id = new.id;
  return null;
end $$;
create trigger evidence_vantage_restart after update on evidence
  for each row when (new.status = 'queued' and old.status <> 'queued') execute function evidence_vantage_restart();

-- The first was taken up: now the others may look for the second.
create function evidence_vantage_announce() returns trigger language plpgsql as $$
begin
  if exists (select 1 from evidence_vantage where evidence_id = new.id) then
    perform pg_notify('evidence', 'work');
  end if;
  return null;
end $$;
create trigger evidence_vantage_announce after update on evidence
  for each row when (new.status = 'preparing' and old.status = 'queued') execute function evidence_vantage_announce();

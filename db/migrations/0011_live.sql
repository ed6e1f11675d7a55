-- Interactive sessions: who may take one, how a viewer reaches it, who else may look on, how it moves to another device.

alter table evidence
  drop constraint evidence_action_check,
  add constraint evidence_action_check check (action in ('static', 'interactive')),
  -- what the visitor's browser is to pass for
  add column device text not null default 'desktop' check (device in ('desktop', 'mobile')),
  -- keyed hash of the block of addresses that asked for a session: kept only while that waits or runs
  add column live_source bytea check (length(live_source) = 32),
  add constraint evidence_device_interactive check (device = 'desktop' or action = 'interactive'),
  add constraint evidence_live_source_interactive check (live_source is null or action = 'interactive');

-- Each kind of capture has a queue of its own.
drop index evidence_queue;
drop index evidence_queue_automatic;
drop index evidence_queue_asked;
create index evidence_queue on evidence (action, created_at, id) where status = 'queued';
create index evidence_queue_automatic on evidence (action, created_at, id) where status = 'queued' and asked_server is null;
create index evidence_queue_asked on evidence (asked_server, action, created_at, id) where status = 'queued' and asked_server is not null;
create index evidence_live_source on evidence (live_source) where live_source is not null;

create or replace function evidence_before_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> 'queued' then
      raise exception 'an evidence begins as queued, not %', new.status using errcode = 'check_violation';
    end if;
  else
    if new.status <> old.status then
      if not exists (select 1 from evidence_transition where from_status = old.status and to_status = new.status)
        -- what a visitor did cannot be done again by the queue
        or (new.action = 'interactive' and old.status = 'capturing' and new.status = 'queued') then
        raise exception 'evidence %: % may not become %', old.id, old.status, new.status using errcode = 'check_violation';
      end if;
      if new.status = 'queued' then
        new.queued_at := clock_timestamp();
        new.server_id := null;
      end if;
      if new.status not in ('queued', 'preparing', 'capturing') then
        new.live_source := null;
      end if;
    end if;
    old.lease_until := case when old.lease_until is null then null else new.lease_until end;
    if new is distinct from old then
      new.version := old.version + 1;
    end if;
  end if;
  return new;
end $$;

-- A session that viewers may join: where it listens, and the key of that door. Gone with the lease of its capture.
create table live_session (
  evidence_id uuid primary key references evidence (id) on delete cascade,
  -- of the claim that it belongs to
  fence bigint not null,
  address text not null check (length(address) between 3 and 300),
  key bytea not null check (length(key) = 32),
  -- how long the visitor has, from when the evidence became `capturing`
  session_ms integer not null check (session_ms > 0),
  opened_at timestamptz not null default clock_timestamp()
);

-- Who follows the evidence learns that it can be joined.
create function live_session_announce() returns trigger language plpgsql as $$
begin
  update evidence set version = version + 1 where id = new.evidence_id;
  return null;
end $$;
create trigger live_session_announce after insert on live_session
  for each row execute function live_session_announce();

-- Somebody invited to look on, and to countersign. The token is known to whoever was given the link.
create table live_witness (
  id uuid primary key,
  evidence_id uuid not null references evidence (id) on delete cascade,
  label text not null check (length(label) between 1 and 80),
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz
);
create index live_witness_evidence on live_witness (evidence_id, created_at);

-- The token of a draft on its way to another device, enciphered with a key that never comes here.
create table live_hand_off (
  evidence_id uuid primary key references evidence (id) on delete cascade,
  code_hash bytea not null unique check (length(code_hash) = 32),
  sealed_token text not null check (length(sealed_token) between 1 and 500),
  expires_at timestamptz not null
);
create index live_hand_off_expiry on live_hand_off (expires_at);

create function evidence_close_live() returns trigger language plpgsql as $$
begin
  if new.status not in ('preparing', 'capturing') then
    delete from live_session where evidence_id = new.id;
  end if;
  if new.status not in ('queued', 'preparing', 'capturing') then
    delete from live_witness where evidence_id = new.id;
  end if;
  return null;
end $$;
create trigger evidence_close_live after update on evidence
  for each row when (new.action = 'interactive' and new.status <> old.status) execute function evidence_close_live();

alter table capture_process
  -- sessions at a time; what it takes of the others is `capacity`
  add column interactive_capacity integer not null default 0 check (interactive_capacity between 0 and 1000);

create or replace view capture_server_state as
select s.id, s.name, s.country, s.city, s.kind, s.owner_group, s.manifest_sha256, s.image_digest, s.browser,
  host(s.public_address) as public_address, s.asn, s.network_name, s.preflight_at, s.preflight_matched,
  case
    when p.ready > 0 then 'ready'
    when p.starting > 0 then 'starting'
    when p.set_aside > 0 then 'set_aside'
    when p.last_status = 'stopped' then 'stopped'
    else 'lost'
  end as status,
  p.capacity, p.seen_at, p.alive_until,
  (select count(*) from evidence e where e.server_id = s.id and e.action = 'static' and e.lease_until > clock_timestamp()) as running,
  p.interactive_capacity,
  (select count(*) from evidence e where e.server_id = s.id and e.action = 'interactive' and e.lease_until > clock_timestamp()) as interactive_running
from capture_server s
cross join lateral (
  select
    count(*) filter (where alive and status = 'ready') as ready,
    count(*) filter (where alive and status = 'starting') as starting,
    count(*) filter (where alive and status = 'set_aside') as set_aside,
    coalesce(sum(capacity) filter (where alive and status = 'ready'), 0)::integer as capacity,
    coalesce(sum(interactive_capacity) filter (where alive and status = 'ready'), 0)::integer as interactive_capacity,
    max(seen_at) as seen_at,
    max(alive_until) as alive_until,
    (array_agg(status order by alive_until desc))[1] as last_status
  from (select *, alive_until > clock_timestamp() and status <> 'stopped' as alive from capture_process where server_id = s.id) each_process
) p;

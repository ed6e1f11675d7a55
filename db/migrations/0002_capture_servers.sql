-- Capture servers: where captures are made, whether they are what was pinned, and who may take which capture.

create table capture_server (
  id text primary key check (id ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  name text not null check (length(name) between 1 and 100),
  country text check (country ~ '^[A-Z]{2}$'),
  city text check (length(city) between 1 and 100),
  kind text not null check (kind in ('public', 'dedicated')),
  -- whose it is; null: the installation's own
  owner_group uuid,
  -- what the preflight compares with, and what was measured last
  manifest_sha256 text check (manifest_sha256 ~ '^[0-9a-f]{64}$'),
  image_digest text check (image_digest ~ '^[0-9a-f]{64}$'),
  browser text,
  public_address inet,
  asn bigint check (asn between 1 and 4294967295),
  network_name text,
  preflight_at timestamptz,
  preflight_matched boolean,
  registered_at timestamptz not null default clock_timestamp(),
  check (owner_group is null or kind = 'dedicated'),
  check ((preflight_at is null) = (preflight_matched is null))
);

-- The processes that make up a server. Each keeps its own row alive: a process that stops saying so is lost.
create table capture_process (
  owner text primary key,
  server_id text not null references capture_server (id) on delete cascade,
  capacity integer not null check (capacity between 1 and 1000),
  status text not null check (status in ('starting', 'ready', 'set_aside', 'stopped')),
  status_changed_at timestamptz not null default clock_timestamp(),
  -- while set aside: what differs from the manifest
  differences jsonb,
  started_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  alive_until timestamptz not null,
  check ((differences is not null) = (status = 'set_aside'))
);
create index capture_process_server on capture_process (server_id, alive_until);

-- Ready again, or fewer than before: whoever waits learns it, and whoever works looks for work.
create function capture_process_announce() returns trigger language plpgsql as $$
begin
  perform pg_notify('evidence', 'queue');
  if tg_op <> 'DELETE' and new.status = 'ready' then
    perform pg_notify('evidence', 'work');
  end if;
  return null;
end $$;
create trigger capture_process_announce after insert or update of status on capture_process
  for each row execute function capture_process_announce();

alter table evidence
  -- the server that was asked for; null: chosen automatically among the public ones
  add column asked_server text references capture_server (id),
  -- the server that makes, or made, the capture
  add column server_id text references capture_server (id),
  -- since when it waits, on the database's clock
  add column queued_at timestamptz not null default clock_timestamp();
create index evidence_queue_automatic on evidence (created_at, id) where status = 'queued' and asked_server is null;
create index evidence_queue_asked on evidence (asked_server, created_at, id) where status = 'queued' and asked_server is not null;
create index evidence_server_load on evidence (server_id) where lease_until is not null;

-- What happened to a server: set aside, back again, pinned anew. The evidence is the one that waited for it.
create table capture_server_event (
  id bigint generated always as identity primary key,
  server_id text not null references capture_server (id) on delete cascade,
  at timestamptz not null default clock_timestamp(),
  kind text not null check (kind in ('registered', 'pinned', 'set_aside', 'returned', 'stopped')),
  evidence_id uuid references evidence (id) on delete set null,
  manifest_sha256 text check (manifest_sha256 ~ '^[0-9a-f]{64}$'),
  differences jsonb not null default '[]'
);
create index capture_server_event_server on capture_server_event (server_id, id);
create index capture_server_event_evidence on capture_server_event (evidence_id) where evidence_id is not null;

/*
 * A server as its living processes make it: ready when one of them is, else starting, else set aside. Without a living
 * process it is stopped when the last one went in order, and lost when it fell silent.
 */
create view capture_server_state as
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
  (select count(*) from evidence e where e.server_id = s.id and e.lease_until > clock_timestamp()) as running
from capture_server s
cross join lateral (
  select
    count(*) filter (where alive and status = 'ready') as ready,
    count(*) filter (where alive and status = 'starting') as starting,
    count(*) filter (where alive and status = 'set_aside') as set_aside,
    coalesce(sum(capacity) filter (where alive and status = 'ready'), 0)::integer as capacity,
    max(seen_at) as seen_at,
    max(alive_until) as alive_until,
    (array_agg(status order by alive_until desc))[1] as last_status
  from (select *, alive_until > clock_timestamp() and status <> 'stopped' as alive from capture_process where server_id = s.id) each_process
) p;

-- A renewed lease is no news: neither the version grows nor is anybody told.
create or replace function evidence_before_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> 'queued' then
      raise exception 'an evidence begins as queued, not %', new.status using errcode = 'check_violation';
    end if;
  else
    if new.status <> old.status then
      if not exists (select 1 from evidence_transition where from_status = old.status and to_status = new.status) then
        raise exception 'evidence %: % may not become %', old.id, old.status, new.status using errcode = 'check_violation';
      end if;
      if new.status = 'queued' then
        new.queued_at := clock_timestamp();
        new.server_id := null;
      end if;
    end if;
    old.lease_until := case when old.lease_until is null then null else new.lease_until end;
    if new is distinct from old then
      new.version := old.version + 1;
    end if;
  end if;
  return new;
end $$;

drop trigger evidence_announce on evidence;
create trigger evidence_announce_new after insert on evidence
  for each row execute function evidence_announce();
create trigger evidence_announce_change after update on evidence
  for each row when (new.version <> old.version) execute function evidence_announce();

-- Machines of an installation (decision 0470): capture servers that join, are drained and removed, and every process of every role.

alter table capture_server
  -- takes nothing new since
  add column drained_at timestamptz,
  -- not of the installation since: it was removed, or has not joined yet. It takes nothing, and nobody may ask for it.
  add column outside_since timestamptz,
  -- Ed25519, SubjectPublicKeyInfo: which machine it is
  add column public_key bytea check (length(public_key) = 44);

-- Lets one machine join, once.
create table server_invitation (
  token_hash bytea primary key check (length(token_hash) = 32),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index server_invitation_expiry on server_invitation (expires_at);

-- Every process of the installation, by its own word: it keeps its row alive.
create table role_process (
  id uuid primary key,
  roles text[] not null check (cardinality(roles) > 0 and roles <@ array['web', 'worker', 'capture']),
  -- what the machine calls itself
  host text not null check (length(host) between 1 and 255),
  version text not null check (length(version) between 1 and 100),
  -- of a capture process
  server_id text references capture_server (id) on delete set null,
  -- mean number of runnable tasks of the last minute, for each processor
  load_per_core real check (load_per_core >= 0),
  started_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  alive_until timestamptz not null
);
create index role_process_server on role_process (server_id) where server_id is not null;

-- Whoever waits learns that a server came or went; whoever works looks for work.
create function capture_server_announce() returns trigger language plpgsql as $$
begin
  perform pg_notify('evidence', 'queue');
  perform pg_notify('evidence', 'work');
  return null;
end $$;
create trigger capture_server_announce after update of drained_at, outside_since on capture_server
  for each row when (new.drained_at is distinct from old.drained_at or new.outside_since is distinct from old.outside_since)
  execute function capture_server_announce();

-- `drained`: it lives, finishes what it has, and takes nothing new. What is outside is not there.
create or replace view capture_server_state as
select s.id, s.name, s.country, s.city, s.kind, s.owner_group, s.manifest_sha256, s.image_digest, s.browser,
  host(s.public_address) as public_address, s.asn, s.network_name, s.preflight_at, s.preflight_matched,
  case
    when s.drained_at is not null and p.ready + p.starting + p.set_aside > 0 then 'drained'
    when p.ready > 0 then 'ready'
    when p.starting > 0 then 'starting'
    when p.set_aside > 0 then 'set_aside'
    when p.last_status = 'stopped' then 'stopped'
    else 'lost'
  end as status,
  p.capacity, p.seen_at, p.alive_until,
  (select count(*) from evidence e where e.server_id = s.id and e.action = 'static' and e.lease_until > clock_timestamp()) as running,
  p.interactive_capacity,
  (select count(*) from evidence e where e.server_id = s.id and e.action = 'interactive' and e.lease_until > clock_timestamp()) as interactive_running,
  p.differences,
  s.drained_at,
  s.public_key,
  (select r.version from role_process r where r.server_id = s.id order by r.seen_at desc limit 1) as version
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
    (array_agg(status order by alive_until desc))[1] as last_status,
    (array_agg(differences order by alive_until desc) filter (where alive and status = 'set_aside'))[1] as differences
  from (select *, alive_until > clock_timestamp() and status <> 'stopped' as alive from capture_process where server_id = s.id) each_process
) p
where s.outside_since is null;

-- Why a server that is set aside is: what the living process of it that was heard last found to differ.
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
  (select count(*) from evidence e where e.server_id = s.id and e.action = 'interactive' and e.lease_until > clock_timestamp()) as interactive_running,
  p.differences
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
) p;

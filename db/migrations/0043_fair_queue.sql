-- A queue that is fair between those who ask, and lets accounts before strangers (decision 0335).

-- Who asked, for as long as it waits or runs: a keyed hash of the account, or of the block of addresses.
alter table evidence drop constraint evidence_live_source_interactive;
alter table evidence rename column live_source to asker;
drop index evidence_live_source;
create index evidence_asker on evidence (asker) where asker is not null;

alter table evidence
  -- whether an account asked for it; stays when a stranger's draft is taken over
  add column lane text not null default 'stranger' check (lane in ('account', 'stranger')),
  -- the round of its queue in which it is taken; see evidence_take_turn
  add column turn bigint not null default 0,
  -- when a capture process last began it, on the database's clock
  add column begun_at timestamptz;

update evidence set lane = 'account' where status in ('queued', 'preparing', 'capturing') and owner_id is not null;

-- A queue is those of one action and lane that asked for the same server, or for none.
drop index evidence_queue;
drop index evidence_queue_automatic;
drop index evidence_queue_asked;
create index evidence_queue_turn on evidence (action, lane, coalesce(asked_server, ''), turn, created_at, id) where status = 'queued';
create index evidence_queue_age on evidence (action, lane, coalesce(asked_server, ''), queued_at) where status = 'queued';
create index evidence_begun on evidence (server_id, action, lane, begun_at) where begun_at is not null;

/*
 * Start-time fair queueing (Goyal, Vin, Cheng 1996), each capture counting as one: of each asker one a round. Whoever asks anew
 * joins the round that is being served: that of what is under way, or of what has waited longest, so that nobody's second is
 * passed by newcomers for ever. `domain/queue-order.ts` is the same rule.
 */
create function evidence_take_turn() returns trigger language plpgsql as $$
declare
  queue text := coalesce(new.asked_server, '');
begin
  new.lane := case when new.owner_id is null then 'stranger' else 'account' end;
  if new.asker is not null then
    -- of one asker, one after the other
    perform pg_advisory_xact_lock(hashtextextended(encode(new.asker, 'hex'), 43));
  end if;
  -- what one asker has waiting is as old as its turns say
  new.queued_at := clock_timestamp();
  new.turn := greatest(
    0,
    (select w.turn from evidence w
     where w.status = 'queued' and w.action = new.action and w.lane = new.lane and coalesce(w.asked_server, '') = queue
     order by w.queued_at limit 1),
    (select max(r.turn) from evidence r
     where r.lease_until is not null and r.action = new.action and r.lane = new.lane and coalesce(r.asked_server, '') = queue),
    (select max(own.turn) + 1 from evidence own
     where own.asker = new.asker and own.status = 'queued' and own.action = new.action and own.lane = new.lane
       and coalesce(own.asked_server, '') = queue));
  return new;
end $$;
create trigger evidence_take_turn before insert on evidence
  for each row execute function evidence_take_turn();

create or replace function evidence_before_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> 'queued' then
      raise exception 'an evidence begins as queued, not %', new.status using errcode = 'check_violation';
    end if;
    new.search_text := left(new.requested_url, 2000) || ' ' || new.label;
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
        new.asker := null;
      end if;
    end if;
    -- somebody's evidence never becomes another's, nor nobody's
    if old.owner_id is not null and new.owner_id is distinct from old.owner_id then
      raise exception 'evidence % has an owner', old.id using errcode = 'check_violation';
    end if;
    if new.label <> old.label or new.requested_url <> old.requested_url or new.facts is distinct from old.facts then
      new.search_text := left(new.requested_url, 2000) || ' ' || new.label || ' ' || left(coalesce(new.facts ->> 'title', ''), 500);
    end if;
  end if;
  new.category := case
    when new.trashed_at is not null or new.status in ('rejected', 'expired') then 'trash'
    when new.status = 'final' then 'completed'
    else 'draft'
  end;
  if tg_op = 'UPDATE' then
    old.lease_until := case when old.lease_until is null then null else new.lease_until end;
    if new is distinct from old then
      new.version := old.version + 1;
    end if;
  end if;
  return new;
end $$;

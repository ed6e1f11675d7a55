-- The country of the account that asked, for as long as its capture waits or runs: servers that stand there come first (decision 0339).
alter table evidence add column asker_country text check (asker_country ~ '^[A-Z]{2}$');

-- What a server has under way is counted by kind.
drop index evidence_server_load;
create index evidence_server_load on evidence (server_id, action) where lease_until is not null;

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
        new.asker_country := null;
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

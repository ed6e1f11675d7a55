-- Whose an evidence is, where it stands in lists, and how many of them there are.

-- Finds parts of words (decision 0254). A trusted extension: the owner of the database may create it.
create extension if not exists pg_trgm;

alter table evidence
  -- whose it is; null: whoever holds the token
  add column owner_id uuid references account_user (id),
  -- of which the owner was a member when it became his: its managers reach it, and it stays when he leaves
  add column group_id uuid references account_group (id),
  -- who asked for it; null: a visitor without account
  add column created_by uuid references account_user (id),
  -- by whom and when a draft that was asked for without account was taken over
  add column claimed_by uuid references account_user (id),
  add column claimed_at timestamptz,
  -- whose it becomes when he confirms the address with which he registered
  add column pending_owner uuid references account_user (id) on delete set null,
  add column label text not null default '' check (length(label) <= 200),
  add column trashed_at timestamptz,
  -- when the files of a trashed one, or of a closed account, were deleted; row and seal stay
  add column content_deleted_at timestamptz,
  -- of the list; see evidence_before_change
  add column category text not null default 'draft' check (category in ('draft', 'completed', 'trash')),
  -- what lists are searched by: address, label, title
  add column search_text text not null default '',
  add constraint evidence_owned check (owner_id is not null or (group_id is null and created_by is null and claimed_at is null)),
  add constraint evidence_claimed check ((claimed_at is null) = (claimed_by is null)),
  add constraint evidence_pending_unowned check (pending_owner is null or owner_id is null),
  add constraint evidence_trash_final check (trashed_at is null or status = 'final');

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
        new.live_source := null;
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

-- Where those of before stand, and what they are found by once they are somebody's.
update evidence set search_text = left(requested_url, 2000) || ' ' || ' ' || left(coalesce(facts ->> 'title', ''), 500);

-- A page of a list is read from one stretch of one of these for each category and status, newest first or last.
create index evidence_owned_list on evidence (owner_id, group_id, category, status, created_at, id) where owner_id is not null;
create index evidence_group_list on evidence (group_id, category, status, created_at, id) where group_id is not null;
create index evidence_search on evidence using gin (search_text gin_trgm_ops) where owner_id is not null;
create index evidence_pending on evidence (pending_owner) where pending_owner is not null;
create index evidence_trash on evidence (trashed_at) where trashed_at is not null and content_deleted_at is null;

-- How many evidences an account has, by category and month: changes are only ever added, so that nobody waits for anybody;
-- now and then the lines of one key are folded into one. Their sum is the number, exactly, at any moment.
create table evidence_tally (
  owner_id uuid not null,
  group_id uuid,
  category text not null,
  -- became final, wherever it is now: what statistics count
  sealed boolean not null,
  -- `2026-11`, UTC: in which it became final, or was asked for
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  change integer not null,
  folded boolean not null default false
);
create index evidence_tally_owner on evidence_tally (owner_id);
create index evidence_tally_group on evidence_tally (group_id) where group_id is not null;
create index evidence_tally_unfolded on evidence_tally (owner_id) where not folded;

create function evidence_month(finalized_at timestamptz, created_at timestamptz) returns text language sql stable as $$
  select to_char(coalesce(finalized_at, created_at) at time zone 'UTC', 'YYYY-MM')
$$;

create function evidence_count() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.owner_id is not null then
    insert into evidence_tally (owner_id, group_id, category, sealed, month, change)
    values (old.owner_id, old.group_id, old.category, old.status = 'final', evidence_month(old.finalized_at, old.created_at), -1);
  end if;
  if tg_op <> 'DELETE' and new.owner_id is not null then
    insert into evidence_tally (owner_id, group_id, category, sealed, month, change)
    values (new.owner_id, new.group_id, new.category, new.status = 'final', evidence_month(new.finalized_at, new.created_at), 1);
  end if;
  return null;
end $$;
create trigger evidence_count_new after insert on evidence
  for each row when (new.owner_id is not null) execute function evidence_count();
create trigger evidence_count_change after update on evidence
  for each row when (
    (old.owner_id, old.group_id, old.category, old.status = 'final') is distinct from
    (new.owner_id, new.group_id, new.category, new.status = 'final')
  ) execute function evidence_count();
create trigger evidence_count_gone after delete on evidence
  for each row when (old.owner_id is not null) execute function evidence_count();

-- What visitors without account, and accounts, may ask for, and how often a host is visited (decisions 0336, 0337).

-- Previews asked for by one block of addresses, by the hour: a keyed hash, which no evidence keeps (decision 0219).
create table preview_count (
  asker bytea not null check (length(asker) = 32),
  hour timestamptz not null,
  previews integer not null check (previews > 0),
  primary key (asker, hour)
);
create index preview_count_hour on preview_count (hour);

-- Proofs of work that were taken: each counts once, in whichever process.
create table spent_work (
  id uuid primary key,
  expires_at timestamptz not null
);
create index spent_work_expiry on spent_work (expires_at);

-- Drafts of an account that count.
create index evidence_open_drafts on evidence (owner_id)
  where owner_id is not null and replaced_by is null and status in ('queued', 'preparing', 'capturing', 'completing', 'to_validate');

alter table evidence
  add column target_host text not null default '',
  -- which of the captures that its host may have at once it is, while it is under way
  add column target_slot smallint;
create unique index evidence_target_slot on evidence (target_host, target_slot) where target_slot is not null;
create index evidence_begun_lately on evidence (begun_at) where begun_at is not null;

create function evidence_keep_target() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    -- of an address as the WHATWG URL Standard writes it
    new.target_host := coalesce(substring(new.requested_url from '^[^:]+://(\[[^]]+\]|[^/:?#]+)'), '');
  elsif new.lease_until is null then
    new.target_slot := null;
  end if;
  return new;
end $$;
create trigger evidence_keep_target before insert or update on evidence
  for each row execute function evidence_keep_target();
update evidence set target_host = coalesce(substring(requested_url from '^[^:]+://(\[[^]]+\]|[^/:?#]+)'), '')
  where status in ('queued', 'preparing', 'capturing');

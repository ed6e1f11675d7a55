-- Evidence: its life, its lease, the entries of its package, its seal.

create table evidence (
  id uuid primary key,
  token_hash bytea not null check (length(token_hash) = 32),
  action text not null check (action in ('static')),
  requested_url text not null,
  locale text not null check (locale in ('en', 'fr')),
  status text not null,
  status_changed_at timestamptz not null,
  created_at timestamptz not null,
  captured_at timestamptz,
  finalized_at timestamptz,
  expires_at timestamptz,
  -- how often a capture process has begun it
  attempts integer not null default 0,
  lease_owner text,
  lease_until timestamptz,
  -- fencing token: grows at each claim; a write with an older one changes nothing
  fence bigint not null default 0,
  progress jsonb,
  failure jsonb,
  facts jsonb,
  replaced_by uuid unique references evidence (id),
  version bigint not null default 0,
  check ((lease_owner is null) = (lease_until is null)),
  check ((failure is not null) = (status = 'failed') or status in ('expired')),
  check ((finalized_at is not null) = (status = 'final'))
);
create index evidence_queue on evidence (created_at, id) where status = 'queued';
create index evidence_leases on evidence (lease_until) where lease_until is not null;
create index evidence_expiry on evidence (expires_at) where expires_at is not null;
create index evidence_token on evidence (token_hash);

create table evidence_transition (
  from_status text not null,
  to_status text not null,
  primary key (from_status, to_status)
);
insert into evidence_transition (from_status, to_status) values
  ('queued', 'preparing'), ('queued', 'failed'),
  ('preparing', 'capturing'), ('preparing', 'completing'), ('preparing', 'failed'), ('preparing', 'queued'),
  ('capturing', 'completing'), ('capturing', 'failed'), ('capturing', 'queued'),
  ('completing', 'to_validate'), ('completing', 'failed'),
  ('to_validate', 'finalizing'), ('to_validate', 'rejected'), ('to_validate', 'expired'),
  ('finalizing', 'final'),
  ('rejected', 'expired'), ('failed', 'expired');

create function evidence_before_change() returns trigger language plpgsql as $$
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
    end if;
    new.version := old.version + 1;
  end if;
  return new;
end $$;
create trigger evidence_before_change before insert or update on evidence
  for each row execute function evidence_before_change();

create function evidence_announce() returns trigger language plpgsql as $$
begin
  perform pg_notify('evidence', new.id::text);
  -- capture processes wait for this word alone: progress and renewed leases are none of their business
  if new.status = 'queued' and (tg_op = 'INSERT' or old.status <> 'queued') then
    perform pg_notify('evidence', 'work');
  end if;
  -- those that wait behind it have moved up
  if tg_op = 'UPDATE' and old.status = 'queued' and new.status <> 'queued' then
    perform pg_notify('evidence', 'queue');
  end if;
  return null;
end $$;
create trigger evidence_announce after insert or update on evidence
  for each row execute function evidence_announce();

-- Every file of the package. The bytes are in the blob store, in the scope of the evidence, under their SHA-256.
create table evidence_file (
  evidence_id uuid not null references evidence (id) on delete cascade,
  path text not null check (path ~ '^[A-Za-z0-9._/-]+$'),
  section text not null check (section in ('piece', 'seal', 'core', 'cover_core', 'cover_pieces')),
  role text,
  media_type text not null,
  bytes bigint not null check (bytes >= 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  crc32 bigint not null check (crc32 between 0 and 4294967295),
  position integer not null,
  primary key (evidence_id, path),
  check ((role is not null) = (section = 'piece'))
);

-- One seal per evidence, for ever: the primary key is what makes a second one impossible.
create table seal (
  evidence_id uuid primary key references evidence (id) on delete cascade,
  root text not null unique check (root ~ '^[0-9a-f]{64}$'),
  summary jsonb not null,
  sealed_at timestamptz not null
);

-- Deposits of fingerprints: what is time-stamped is a file that nobody here has seen.

-- What is sealed at once: one signature, one time stamp, one place in the log over the root of a hash tree (RFC 4998 section 4.2).
create table document_batch (
  id uuid primary key,
  owner_id uuid not null references account_user (id),
  state text not null default 'stamping' check (state in ('stamping', 'sealed', 'failed')),
  -- deposits, of which several may be of one fingerprint
  size integer not null check (size between 1 and 10000),
  -- whether authorities outside the installation are asked (E-55), as the account had it when it agreed
  outside_stamps boolean not null,
  -- what the root is hashed with before it goes into the log: of a batch of one the root is a fingerprint, and nobody learns who has deposited it
  blind bytea not null check (octet_length(blind) = 32),
  created_at timestamptz not null,
  -- until then it is tried
  give_up_at timestamptz not null,
  attempts integer not null default 0,
  -- code of why there is no seal, of the last attempt
  failure text check (length(failure) <= 100),
  -- of the tree; what follows is there once it is sealed
  root bytea check (octet_length(root) = 32),
  summary jsonb,
  sealed_at timestamptz,
  -- the first anchor of the log that covers it
  anchored_at timestamptz,
  anchor_id uuid references log_anchor (id),
  -- whether its way to the block can be told as Chainpoint
  chainpoint boolean not null default false,
  check ((state = 'sealed') = (sealed_at is not null)),
  check ((state = 'sealed') = (root is not null and summary is not null)),
  check (state <> 'failed' or failure is not null),
  check ((anchored_at is null) = (anchor_id is null)),
  check (anchored_at is null or state = 'sealed')
);
create index document_batch_waiting on document_batch (give_up_at) where state = 'stamping';
create index document_batch_unanchored on document_batch (id) where state = 'sealed' and anchored_at is null;

-- Sealed once, and for ever.
create function document_batch_stays() returns trigger language plpgsql as $$
begin
  if old.state <> 'stamping' and (new.state <> old.state or new.root is distinct from old.root or new.summary is distinct from old.summary
      or new.sealed_at is distinct from old.sealed_at) then
    raise exception 'batch % is %', old.id, old.state using errcode = 'check_violation';
  end if;
  if new.blind <> old.blind or new.owner_id <> old.owner_id or new.size <> old.size or old.anchored_at is not null
      and new.anchored_at is distinct from old.anchored_at then
    raise exception 'batch % stays as it is', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger document_batch_stays before update on document_batch for each row execute function document_batch_stays();

create table document (
  id uuid primary key,
  owner_id uuid not null references account_user (id),
  -- of which the owner was a member when he deposited it: its managers reach it, and it stays when he leaves
  group_id uuid references account_group (id),
  -- who deposited it: the owner, or a delegate
  created_by uuid not null references account_user (id),
  -- name of the key that a program deposited it with; null: somebody signed in
  api_key text check (length(api_key) <= 200),
  -- the depositor's own mark
  client_id uuid,
  batch_id uuid references document_batch (id) deferrable initially deferred,
  -- as the depositor sent them
  sha256 bytea not null check (octet_length(sha256) = 32),
  sha512 bytea check (octet_length(sha512) = 64),
  -- as he declares it; null: not told
  name text check (length(name) <= 255),
  label text not null default '' check (length(label) <= 200),
  description text not null default '' check (length(description) <= 2000),
  -- whether the file itself is to be kept too (E-33)
  store boolean not null,
  -- the earlier deposit that he declares it replaces
  replaces uuid references document (id) on delete set null,
  status text not null,
  status_changed_at timestamptz not null,
  created_at timestamptz not null,
  sealed_at timestamptz,
  -- of a draft
  expires_at timestamptz,
  reminded_at timestamptz,
  trashed_at timestamptz,
  -- when the copy of a trashed one, or the words of one whose account was closed, went; fingerprint and proofs stay
  content_deleted_at timestamptz,
  -- of the address of its read-only page: what it is derived from, and what it is found by
  share_nonce bytea check (octet_length(share_nonce) = 16),
  share_hash bytea unique check (octet_length(share_hash) = 32),
  -- of the list; see document_before_change
  category text not null default 'pending' check (category in ('pending', 'completed', 'trash')),
  search_text text not null default '',
  name_key text,
  version bigint not null default 0,
  check ((status = 'final') = (sealed_at is not null)),
  check ((status = 'draft') = (expires_at is not null)),
  check (status not in ('stamping', 'final') or batch_id is not null),
  check ((share_nonce is null) = (share_hash is null)),
  check (share_hash is null or status = 'final'),
  check (trashed_at is null or status = 'final'),
  check (replaces <> id)
);
create unique index document_client on document (owner_id, client_id) where client_id is not null;
create index document_batch_members on document (batch_id) where batch_id is not null;
create index document_replaces on document (replaces) where replaces is not null;
create index document_drafts on document (expires_at) where status = 'draft';
create index document_trash on document (trashed_at) where trashed_at is not null and content_deleted_at is null;
create index document_expired on document (status_changed_at) where status = 'expired';
-- A page of a list is read from one stretch of one of these for each category and status, by age or by name.
create index document_owned_list on document (owner_id, group_id, category, status, created_at, id);
create index document_group_list on document (group_id, category, status, created_at, id) where group_id is not null;
create index document_owned_names on document (owner_id, group_id, category, status, name_key, created_at, id);
create index document_group_names on document (group_id, category, status, name_key, created_at, id) where group_id is not null;
-- By fingerprint, whole or its beginning; the earliest of it first.
create index document_owned_sha256 on document (owner_id, sha256, created_at, id);
create index document_group_sha256 on document (group_id, sha256, created_at, id) where group_id is not null;
create index document_owned_sha512 on document (owner_id, sha512) where sha512 is not null;
create index document_group_sha512 on document (group_id, sha512) where group_id is not null and sha512 is not null;
-- Parts of words, within what somebody has (decision 0274).
create index document_search on document using gin (owner_id, group_id, created_by, search_text gin_trgm_ops)
  with (gin_pending_list_limit = 512);

create table document_transition (
  from_status text not null,
  to_status text not null,
  primary key (from_status, to_status)
);
insert into document_transition (from_status, to_status) values
  ('draft', 'stamping'), ('draft', 'expired'),
  ('stamping', 'final'), ('stamping', 'failed'),
  ('failed', 'stamping'), ('failed', 'expired');

create function document_before_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status not in ('draft', 'stamping') then
      raise exception 'a deposit begins as draft or stamping, not %', new.status using errcode = 'check_violation';
    end if;
  else
    if new.status <> old.status then
      if not exists (select 1 from document_transition where from_status = old.status and to_status = new.status) then
        raise exception 'document %: % may not become %', old.id, old.status, new.status using errcode = 'check_violation';
      end if;
    end if;
    -- what was deposited, when and by whom, is never another; once it is agreed to, neither is what was declared of it
    if (new.owner_id, new.created_by, new.sha256, new.created_at) is distinct from (old.owner_id, old.created_by, old.sha256, old.created_at)
      or new.sha512 is distinct from old.sha512 then
      raise exception 'document % stays as it was deposited', old.id using errcode = 'check_violation';
    end if;
    if old.status = 'final' and (new.batch_id is distinct from old.batch_id or new.sealed_at is distinct from old.sealed_at) then
      raise exception 'document % is sealed', old.id using errcode = 'check_violation';
    end if;
  end if;
  new.category := case
    when new.trashed_at is not null or new.status = 'expired' then 'trash'
    when new.status = 'final' then 'completed'
    else 'pending'
  end;
  new.search_text := coalesce(new.name, '') || ' ' || new.label || ' ' || new.description;
  new.name_key := nullif(lower(new.name), '');
  if tg_op = 'UPDATE' and new is distinct from old then
    new.version := old.version + 1;
  end if;
  return new;
end $$;
create trigger document_before_change before insert or update on document
  for each row execute function document_before_change();

-- How many there are, by category and month: changes are only ever added, and folded now and then (decision 0254). Many rows change
-- at once here, so each statement adds one line for each key.
create table document_tally (
  owner_id uuid not null,
  group_id uuid,
  category text not null,
  -- is final, wherever it is in lists: what statistics count
  sealed boolean not null,
  -- `2026-11`, UTC: in which it became final, or was deposited
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  change integer not null,
  folded boolean not null default false
);
create index document_tally_owner on document_tally (owner_id);
create index document_tally_group on document_tally (group_id) where group_id is not null;
create index document_tally_unfolded on document_tally (owner_id) where not folded;

create function document_month(sealed_at timestamptz, created_at timestamptz) returns text language sql stable as $$
  select to_char(coalesce(sealed_at, created_at) at time zone 'UTC', 'YYYY-MM')
$$;

create function document_count_new() returns trigger language plpgsql as $$
begin
  insert into document_tally (owner_id, group_id, category, sealed, month, change)
  select owner_id, group_id, category, status = 'final', document_month(sealed_at, created_at), count(*)
  from fresh group by 1, 2, 3, 4, 5;
  return null;
end $$;
create function document_count_change() returns trigger language plpgsql as $$
begin
  insert into document_tally (owner_id, group_id, category, sealed, month, change)
  select owner_id, group_id, category, sealed, month, sum(change) from (
    select owner_id, group_id, category, status = 'final' as sealed, document_month(sealed_at, created_at) as month, 1 as change from fresh
    union all
    select owner_id, group_id, category, status = 'final', document_month(sealed_at, created_at), -1 from gone) changes
  group by 1, 2, 3, 4, 5 having sum(change) <> 0;
  return null;
end $$;
create function document_count_gone() returns trigger language plpgsql as $$
begin
  insert into document_tally (owner_id, group_id, category, sealed, month, change)
  select owner_id, group_id, category, status = 'final', document_month(sealed_at, created_at), -count(*)
  from gone group by 1, 2, 3, 4, 5;
  return null;
end $$;
create trigger document_count_new after insert on document
  referencing new table as fresh for each statement execute function document_count_new();
create trigger document_count_change after update on document
  referencing old table as gone new table as fresh for each statement execute function document_count_change();
create trigger document_count_gone after delete on document
  referencing old table as gone for each statement execute function document_count_gone();

-- Whoever follows a deposit looks again; of many at once, everybody does.
create function document_announce() returns trigger language plpgsql as $$
begin
  if (select count(*) from fresh) > 100 then
    perform pg_notify('document', 'many');
  else
    perform pg_notify('document', id::text) from fresh;
  end if;
  return null;
end $$;
create trigger document_announce after update on document
  referencing new table as fresh for each statement execute function document_announce();

-- The way from a fingerprint to the root of its batch, 32 octets for each step, nearest first; none where it is the root itself.
create table document_path (
  document_id uuid primary key references document (id) on delete cascade,
  path bytea not null check (octet_length(path) > 0 and octet_length(path) % 32 = 0 and octet_length(path) <= 544)
);

-- Proofs that all deposits of a batch share: a few kilobytes each, in the very transaction that makes them final.
create table document_batch_file (
  batch_id uuid not null references document_batch (id) on delete cascade,
  name text not null check (name ~ '^[a-z0-9.-]{1,60}$'),
  media_type text not null,
  data bytea not null check (octet_length(data) between 1 and 1048576),
  primary key (batch_id, name)
);

-- Certificates of each. The bytes are in the blob store, in the scope of the deposit, under their SHA-256.
create table document_certificate (
  document_id uuid not null references document (id) on delete cascade,
  locale text not null check (locale in ('en', 'fr')),
  -- 1 for the first; the later ones say more, of an anchor for example
  edition integer not null check (edition > 0),
  -- whether it says that the deposit is anchored
  anchored boolean not null,
  -- SHA-256 of the facts that it states: while they are the same, none is made anew
  says text not null check (says ~ '^[0-9a-f]{64}$'),
  bytes bigint not null check (bytes > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  made_at timestamptz not null,
  primary key (document_id, locale, edition)
);

-- One line for each mail to one person about deposits of an account: the line and the job that sends it commit with what it tells of
-- (decision 0278). Several drafts that end together, and all that one block covers, are told of in one.
create table document_notification (
  id uuid primary key,
  user_id uuid not null references account_user (id) on delete cascade,
  owner_id uuid not null references account_user (id) on delete cascade,
  kind text not null check (kind in ('draft_ending', 'anchored')),
  -- when the first of the drafts ends; or the anchor
  occasion text not null check (length(occasion) <= 60),
  created_at timestamptz not null,
  -- when it was sent, or found to be wanted by nobody
  settled_at timestamptz,
  sent boolean,
  unique (owner_id, user_id, kind, occasion),
  check ((settled_at is null) = (sent is null))
);
create index document_notification_user on document_notification (user_id);

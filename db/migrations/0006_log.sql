-- The public log of sealed roots (modules/sealing/server/log). What stands in it stands for ever: the database itself
-- refuses to change or remove a leaf, a hash of the tree or a checkpoint.

create function log_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- Public: the entry tells nobody which root it stands for.
create table log_leaf (
  index bigint primary key check (index >= 0),
  entry bytea not null unique check (octet_length(entry) = 32),
  -- SHA-256(0x00 || entry)
  leaf_hash bytea not null check (octet_length(leaf_hash) = 32),
  at timestamptz not null
);
create trigger log_leaf_append_only before update or delete or truncate on log_leaf
  for each statement execute function log_is_append_only();

-- Hashes of complete subtrees of 256^level leaves, level 1 and above: what the tiles of C2SP tlog-tiles are made of.
create table log_subtree (
  level smallint not null check (level between 1 and 6),
  index bigint not null check (index >= 0),
  hash bytea not null check (octet_length(hash) = 32),
  primary key (level, index)
);
create trigger log_subtree_append_only before update or delete or truncate on log_subtree
  for each statement execute function log_is_append_only();

-- The primary key is what makes two roots for one size impossible.
create table log_checkpoint (
  size bigint primary key check (size > 0),
  root_hash bytea not null check (octet_length(root_hash) = 32),
  -- the signed note as first published, without the cosignatures that come later
  note bytea not null,
  at timestamptz not null
);
create trigger log_checkpoint_append_only before update or delete or truncate on log_checkpoint
  for each statement execute function log_is_append_only();

-- The one row whose lock orders whoever appends, in whatever process.
create table log_head (
  one boolean primary key default true check (one),
  -- null until the first leaf, then fixed: it is the identity of the log
  origin text check (length(origin) between 1 and 512),
  size bigint not null default 0,
  -- root hashes of the complete subtrees that the leaves form, largest first
  frontier bytea not null default '',
  check (octet_length(frontier) = 32 * bit_count(size::bit(64)))
);
insert into log_head default values;

create function log_head_before_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' or new.size < old.size or (old.origin is not null and new.origin is distinct from old.origin) then
    raise exception 'the log does not go back' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger log_head_before_change before update or delete on log_head
  for each row execute function log_head_before_change();

-- Private: which leaf stands for which root. A root is never a second leaf.
create table log_root (
  root bytea primary key check (octet_length(root) = 32),
  salt bytea not null check (octet_length(salt) = 32),
  index bigint not null unique references log_leaf (index),
  logged_at timestamptz not null
);

-- Signature lines of witnesses under our checkpoints, as C2SP tlog-cosignature writes them.
create table log_cosignature (
  size bigint not null references log_checkpoint (size),
  name text not null,
  key_id bytea not null check (octet_length(key_id) = 4),
  signature bytea not null check (octet_length(signature) = 72),
  -- the instant that the witness signed
  cosigned_at timestamptz not null,
  primary key (size, name, key_id)
);

-- The last answer of each witness that is asked to cosign.
create table log_witness (
  name text primary key,
  asked_at timestamptz not null,
  -- cosigned, or why not
  answer text not null check (answer in ('cosigned', 'unreachable', 'refused', 'conflict', 'ahead', 'not_valid')),
  -- the size that it cosigned last, as far as we know
  size bigint not null default 0 check (size >= 0)
);

-- What this installation, as a witness, last cosigned for each log: the row lock orders whoever asks at once.
create table witnessed_log (
  origin text primary key,
  size bigint not null check (size >= 0),
  root_hash bytea not null check (octet_length(root_hash) = 32),
  -- the checkpoint with the log's signature and ours
  note bytea not null,
  cosigned_at timestamptz not null
);

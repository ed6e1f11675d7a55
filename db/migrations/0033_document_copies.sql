-- Copies of deposited files, for those who wish one kept (E-33): enciphered in pieces, under a key of their own.
create table document_copy (
  id uuid primary key,
  -- null once the deposit is gone: its bytes are then cleared
  document_id uuid unique references document (id) on delete set null,
  -- whose allowance it counts in
  owner_id uuid not null references account_user (id),
  state text not null check (state in ('receiving', 'comparing', 'stored', 'refused', 'deleted')),
  -- of the file, as told before its first piece came
  bytes bigint not null check (bytes >= 0),
  -- wrapped by the master key for this row alone; once it is gone, nothing opens the pieces
  sealed_key bytea check (octet_length(sealed_key) between 32 and 200),
  begun_at timestamptz not null,
  -- when a piece came last
  touched_at timestamptz not null,
  stored_at timestamptz,
  -- as was promised when it was stored
  kept_until timestamptz,
  ended_at timestamptz,
  ended_by text check (ended_by in ('differs', 'owner', 'retention', 'trash', 'closing', 'abandoned', 'anew')),
  -- of a refused one: what its bytes gave
  found_sha256 bytea check (octet_length(found_sha256) = 32),
  check ((state in ('receiving', 'comparing', 'stored')) = (sealed_key is not null)),
  check ((state in ('refused', 'deleted')) = (ended_at is not null)),
  check ((ended_at is null) = (ended_by is null)),
  check (state <> 'stored' or stored_at is not null),
  check ((stored_at is null) = (kept_until is null)),
  check ((state = 'refused') = (found_sha256 is not null))
);
create index document_copy_held on document_copy (owner_id) include (bytes) where sealed_key is not null;
create index document_copy_due on document_copy (kept_until) where state = 'stored';
create index document_copy_touched on document_copy (touched_at) where state in ('receiving', 'comparing');

-- The ciphertext of each piece is in the blob store, in the scope of the copy.
create table document_copy_part (
  copy_id uuid not null references document_copy (id) on delete cascade,
  part integer not null check (part >= 0),
  blob text not null check (blob ~ '^[0-9a-f]{64}$'),
  primary key (copy_id, part)
);

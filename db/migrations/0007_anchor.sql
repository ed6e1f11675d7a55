-- Commitments to checkpoints of the public log on their way into the Bitcoin chain, and what of it reached which package.

-- One row per checkpoint and way out. One that was given up makes room for another under the same checkpoint.
create table log_anchor (
  id uuid primary key,
  way text not null check (way in ('calendar', 'node')),
  tree_size bigint not null check (tree_size > 0),
  tree_root bytea not null check (octet_length(tree_root) = 32),
  -- SHA-256 of the checkpoint note
  note_hash bytea not null check (octet_length(note_hash) = 32),
  -- SHA-256("probant-anchor/1\n" || tree_root || note_hash)
  commitment bytea not null check (octet_length(commitment) = 32),
  status text not null check (status in ('pending', 'mined', 'confirmed', 'given_up')),
  created_at timestamptz not null,
  -- grows at each write: a slower worker's answer changes nothing
  version bigint not null default 0,
  -- failures in a row, for the delay; and when it is looked at again
  failures integer not null default 0,
  next_try_at timestamptz,
  -- OpenTimestamps tree from the commitment to what calendars promised
  promise bytea,
  -- transactions signed for it, the newest last: {txid, raw, fee, rate, made_at, height}
  transactions jsonb not null default '[]',
  -- OpenTimestamps tree from the commitment to the Merkle root of the block
  proof bytea,
  height integer check (height >= 0),
  -- as explorers write it
  block_hash text check (block_hash ~ '^[0-9a-f]{64}$'),
  -- the 80 octets of its header, and who gave them
  header bytea check (octet_length(header) = 80),
  header_sources text[],
  block_time timestamptz,
  mined_at timestamptz,
  confirmed_at timestamptz,
  check ((status in ('mined', 'confirmed')) = (proof is not null and height is not null and block_hash is not null
    and header is not null and header_sources is not null and block_time is not null and mined_at is not null)),
  check ((status = 'confirmed') = (confirmed_at is not null)),
  check ((status in ('pending', 'mined')) = (next_try_at is not null))
);
create unique index log_anchor_once on log_anchor (tree_size, way) where status <> 'given_up';
create index log_anchor_due on log_anchor (next_try_at) where next_try_at is not null;
create index log_anchor_confirmed on log_anchor (tree_size) where status = 'confirmed';

-- What happened to an anchor, for whoever asks why it takes its time.
create table log_anchor_event (
  id bigint generated always as identity primary key,
  anchor_id uuid not null references log_anchor (id),
  at timestamptz not null,
  kind text not null check (kind in ('begun', 'submitted', 'sent', 'replaced', 'failed', 'mined', 'reorganised', 'confirmed', 'given_up')),
  data jsonb not null default '{}'
);
create index log_anchor_event_anchor on log_anchor_event (anchor_id, id);

-- RFC 3161 tokens over the checkpoint notes that were anchored.
create table log_checkpoint_stamp (
  size bigint not null,
  number smallint not null check (number between 1 and 9),
  -- TimeStampResp, DER
  response bytea not null,
  authority text not null,
  gen_time timestamptz not null,
  primary key (size, number)
);

-- Headers of blocks deep enough not to change any more, by who gave them.
create table bitcoin_header (
  height integer not null check (height >= 0),
  source text not null,
  header bytea not null check (octet_length(header) = 80),
  at timestamptz not null,
  primary key (height, source)
);

-- When the anchor of its log leaf was confirmed and the package made anew with it. The package as it was before stays valid.
alter table evidence
  add column anchored_at timestamptz,
  add constraint evidence_anchored_final check (anchored_at is null or status = 'final');
create index evidence_unanchored on evidence (id) where status = 'final' and anchored_at is null;

create table evidence_anchor (
  evidence_id uuid primary key references evidence (id) on delete cascade,
  anchor_id uuid not null references log_anchor (id),
  height integer not null,
  block_hash text not null,
  block_time timestamptz not null,
  header_sources text[] not null
);

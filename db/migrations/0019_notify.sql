-- What an account is written about, and for how long the files of a report are kept.

alter table account_settings
  add column notify_anchored boolean not null default false,
  add column notify_proof_weakening boolean not null default true;

-- One line for each mail to one person about one thing: the line and the job that sends it commit with what it tells of (decision 0278).
create table notification (
  id uuid primary key,
  user_id uuid not null references account_user (id) on delete cascade,
  evidence_id uuid not null references evidence (id) on delete cascade,
  kind text not null check (kind in ('report_ready', 'draft_ending', 'download_reminder', 'anchored', 'proof_weakening')),
  -- which of several of one kind: of which term and how many days before its end, of which end of the stamps; else empty
  occasion text not null default '' check (length(occasion) <= 60),
  created_at timestamptz not null,
  -- when it was sent, or found to be wanted by nobody
  settled_at timestamptz,
  sent boolean,
  unique (evidence_id, user_id, kind, occasion),
  check ((settled_at is null) = (sent is null))
);
create index notification_user on notification (user_id);

alter table evidence
  -- E-24, decision H-15: whether the files of the report stay; only of somebody's, who can be reminded
  add column store boolean not null default true,
  -- when the term of those that do not stay began, and when it ends
  add column unstored_at timestamptz,
  add column keep_files_until timestamptz,
  -- when its whole package was last sent to its last byte
  add column downloaded_at timestamptz,
  -- E-55: whether authorities outside the installation are asked for its time stamps
  add column outside_stamps boolean not null default true,
  add constraint evidence_unstored_owned check (store or owner_id is not null),
  add constraint evidence_unstored_term check ((unstored_at is null) = (keep_files_until is null)),
  add constraint evidence_unstored_final check (keep_files_until is null or (not store and status = 'final'));
create index evidence_keep_files on evidence (keep_files_until) where keep_files_until is not null and content_deleted_at is null;

-- The time authorities that this installation is set up with, each as a token of its own was judged by the trusted lists (decision 0279).
create table time_authority (
  -- address without credentials, query or fragment
  name text primary key check (length(name) <= 2000),
  checked_at timestamptz not null,
  -- `silent`: it gave no token that held
  state text not null check (state in ('qualified', 'not_qualified', 'indeterminate', 'silent')),
  -- of the trusted lists, or the code of what went wrong
  reason text not null check (length(reason) <= 100),
  -- as the list writes them
  provider text check (length(provider) <= 300),
  territory text check (length(territory) <= 10)
);

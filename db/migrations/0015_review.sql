-- Identity documents and their review. Files stand in the blob store, sealed with a key of the person's own: without the row that
-- holds it they are noise (decision 0259).

create table identity_file (
  user_id uuid primary key references account_user (id) on delete cascade,
  state text not null default 'collecting' check (state in ('collecting', 'pending', 'success', 'failure')),
  -- 32 random bytes, sealed with the installation's master key; null: erased, with all that it opened
  sealed_key bytea,
  -- of sendings
  round integer not null default 0 check (round >= 0),
  submitted_at timestamptz,
  decided_at timestamptz,
  -- to the person, over the whole of the last decision
  note text check (length(note) <= 1000),
  -- kinds that a reviewer asked for besides what rules ask for
  asked text[] not null default '{}',
  -- keyed hashes by field of what was typed when it was sent, so that later changes are seen; never the values
  typed jsonb,
  claimed_by uuid references account_user (id),
  claimed_until timestamptz,
  -- the first of two agreements upon this sending
  agreed_by uuid references account_user (id),
  -- last act of the person; of retention
  touched_at timestamptz not null,
  -- how many files he sent in that hour
  uploads integer not null default 0,
  uploads_since timestamptz not null,
  check ((claimed_by is null) = (claimed_until is null)),
  check (claimed_by <> user_id),
  check (agreed_by is null or state = 'pending'),
  check (claimed_by is null or state = 'pending'),
  check (state = 'collecting' or submitted_at is not null),
  check ((state in ('success', 'failure')) = (decided_at is not null))
);
-- The queue, and what is due for erasure.
create index identity_file_queue on identity_file (state, submitted_at, user_id);
create index identity_file_age on identity_file (submitted_at, user_id) where submitted_at is not null;
create index identity_file_due on identity_file (state, touched_at) where sealed_key is not null;
-- One reviewer holds one file.
create unique index identity_file_claim on identity_file (claimed_by) where claimed_by is not null;
create index identity_file_agreed on identity_file (agreed_by) where agreed_by is not null;

create table identity_document (
  id uuid primary key,
  user_id uuid not null references identity_file (user_id) on delete cascade,
  kind text not null check (kind in
    ('id_front', 'id_back', 'passport', 'driving_licence', 'registration_proof', 'articles_of_association')),
  version integer not null check (version > 0),
  state text not null default 'ready' check (state in ('ready', 'pending', 'success', 'failure')),
  media_type text not null check (media_type in ('image/jpeg', 'image/png', 'image/webp', 'application/pdf')),
  -- of the file as it was sent
  bytes integer not null check (bytes > 0),
  -- the sealed file as it was sent, in the scope of this document
  blob text not null check (blob ~ '^[0-9a-f]{64}$'),
  uploaded_at timestamptz not null,
  decided_at timestamptz,
  reason text check (reason in ('unreadable', 'not_accepted', 'expired', 'incomplete', 'missing', 'mismatch_user_data',
    'mismatch_account_data', 'falsified', 'underage')),
  note text check (length(note) <= 1000),
  -- as the reviewer read it on the document
  expires_on text check (expires_on ~ '^\d{4}-\d{2}-\d{2}$'),
  erased_at timestamptz,
  unique (user_id, kind, version),
  check ((state in ('success', 'failure')) = (decided_at is not null)),
  check ((state = 'failure') = (reason is not null)),
  check (erased_at is null or decided_at is not null)
);
-- One version of a kind may change; what was decided upon never does.
create unique index identity_document_open on identity_document (user_id, kind) where state in ('ready', 'pending');
create index identity_document_user on identity_document (user_id);

create function identity_document_stays() returns trigger language plpgsql as $$
begin
  if old.state in ('success', 'failure') and
     (new.state, new.kind, new.version, new.bytes, new.blob, new.reason, new.note, new.decided_at) is distinct from
     (old.state, old.kind, old.version, old.bytes, old.blob, old.reason, old.note, old.decided_at) then
    raise exception 'document % was decided upon', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger identity_document_stays before update on identity_document
  for each row execute function identity_document_stays();

-- What is looked at: pictures that were made of the file.
create table identity_page (
  document_id uuid not null references identity_document (id) on delete cascade,
  number integer not null check (number between 1 and 100),
  media_type text not null check (media_type in ('image/jpeg', 'image/png')),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  -- sealed, in the scope of its document
  blob text not null check (blob ~ '^[0-9a-f]{64}$'),
  primary key (document_id, number)
);

create table identity_decision (
  id uuid primary key,
  user_id uuid not null references identity_file (user_id) on delete cascade,
  round integer not null check (round > 0),
  decided_by uuid not null references account_user (id),
  decided_at timestamptz not null,
  outcome text not null check (outcome in ('accepted', 'refused')),
  -- false: the first of two agreements
  final boolean not null,
  note text check (length(note) <= 1000),
  missing text[] not null default '{}',
  check (final or outcome = 'accepted')
);
create index identity_decision_user on identity_decision (user_id, decided_at);
create unique index identity_decision_final on identity_decision (user_id, round) where final;

create table identity_verdict (
  decision_id uuid not null references identity_decision (id) on delete cascade,
  document_id uuid not null references identity_document (id) on delete cascade,
  outcome text not null check (outcome in ('accepted', 'refused')),
  reason text,
  note text check (length(note) <= 1000),
  expires_on text check (expires_on ~ '^\d{4}-\d{2}-\d{2}$'),
  primary key (decision_id, document_id),
  check ((outcome = 'refused') = (reason is not null))
);
create index identity_verdict_document on identity_verdict (document_id);

-- People are looked for by parts of names, whatever their accents and capitals.
create function review_fold(given text) returns text language sql immutable strict parallel safe as $$
  select lower(translate(given,
    'ÀÁÂÃÄÅàáâãäåÇçÈÉÊËèéêëÌÍÎÏìíîïÑñÒÓÔÕÖòóôõöÙÚÛÜùúûüÝýÿ’',
    'AAAAAAaaaaaaCcEEEEeeeeIIIIiiiiNnOOOOOoooooUUUUuuuuYyy'''))
$$;
create index account_user_name on account_user using gin (review_fold(first_name || ' ' || last_name) gin_trgm_ops);
create index profile_company on profile using gin (review_fold(company_name) gin_trgm_ops) where company_name is not null;
create index email_address_prefix on email_address (address_key text_pattern_ops);
create index account_user_created on account_user (created_at, id) where status <> 'erased';
create index account_user_last_name on account_user (lower(last_name), id) where status <> 'erased';

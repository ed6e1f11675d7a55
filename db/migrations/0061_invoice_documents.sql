-- The pages of what was issued, as signed PDF files, each made once for a language, and mails about money.

create table invoice_document (
  invoice_id uuid not null references invoice (id),
  locale text not null check (locale in ('en', 'fr')),
  wished_at timestamptz not null,
  -- what was known of its payment when the first was made: those in other languages say the same
  said jsonb,
  -- the rules that it breaks, or what the typesetter said: nobody tries again by himself
  fault text check (length(fault) <= 4000),
  bytes integer check (bytes > 0),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  made_at timestamptz,
  primary key (invoice_id, locale),
  check ((sha256 is null) = (made_at is null) and (sha256 is null) = (bytes is null)),
  check (sha256 is null or (said is not null and fault is null))
);
create index invoice_document_wished on invoice_document (wished_at) where made_at is null and fault is null;

-- A line for each mail about money, written in the transaction of what it tells of: what was sent, to whom, and when, stays here.
create table billing_notice (
  id uuid primary key,
  customer_id uuid not null references billing_customer (id),
  kind text not null check (kind ~ '^[a-z_]{1,40}$'),
  -- which of them it is about: the invoice, the entry of the journal, the day
  occasion text not null check (length(occasion) between 1 and 100),
  -- amounts and days as they were then
  told jsonb not null default '{}',
  created_at timestamptz not null,
  settled_at timestamptz,
  sent boolean,
  subject text check (length(subject) <= 250),
  unique (customer_id, kind, occasion),
  check ((settled_at is null) = (sent is null))
);
create index billing_notice_open on billing_notice (created_at) where settled_at is null;

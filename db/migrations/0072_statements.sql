-- The statement of a customer's account as a signed PDF file, made by a job when it is asked for; it goes after a month, or with the account.
create table account_statement (
  customer_id uuid not null references billing_customer (id),
  locale text not null check (locale in ('en', 'fr')),
  -- as it stood then: how many lines there were, on which day
  lines integer not null check (lines > 0),
  on_day date not null,
  wished_at timestamptz not null,
  fault text check (length(fault) <= 4000),
  bytes integer check (bytes > 0),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  made_at timestamptz,
  primary key (customer_id, locale),
  check ((sha256 is null) = (made_at is null) and (sha256 is null) = (bytes is null))
);
create index account_statement_wished on account_statement (wished_at) where made_at is null and fault is null;

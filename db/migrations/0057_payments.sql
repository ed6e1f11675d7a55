-- By what customers pay, and what the provider calls each of it. A realm is a provider under one contract: what one gave out means nothing to
-- another.

create table payment_customer (
  customer_id uuid not null references billing_customer (id),
  realm text not null check (length(realm) between 1 and 200),
  idempotency_key text not null unique check (idempotency_key ~ '^[A-Za-z0-9-]{16,36}$'),
  -- when the provider was first asked to know him
  asked_at timestamptz not null,
  -- as the provider names him; null: that is not known yet
  reference text check (length(reference) <= 200),
  -- what later invoices of the subscription are charged to; null: nothing
  renewed_by text check (renewed_by in ('card', 'mandate')),
  series_id uuid,
  primary key (customer_id, realm),
  check ((renewed_by is not distinct from 'card') = (series_id is not null))
);

create table payment_card (
  id uuid primary key,
  customer_id uuid not null references billing_customer (id),
  realm text not null,
  status text not null check (status in ('begun', 'usable', 'ended')),
  -- the provider's name of its registration
  registration text not null check (length(registration) <= 200),
  -- of what the browser is given until it is finished
  handed jsonb,
  reference text check (length(reference) <= 200),
  alias text check (length(alias) <= 40),
  -- the first day on which it no longer holds
  expires_on date,
  created_at timestamptz not null,
  check ((status = 'begun') = (handed is not null)),
  check (status <> 'usable' or (reference is not null and alias is not null and expires_on is not null))
);
create index payment_card_of on payment_card (customer_id, created_at);

-- Agreed once with the customer, charged later without him.
create table payment_series (
  id uuid primary key,
  customer_id uuid not null references billing_customer (id),
  realm text not null,
  card_id uuid not null references payment_card (id),
  idempotency_key text not null unique check (idempotency_key ~ '^[A-Za-z0-9-]{16,36}$'),
  amount_cents integer not null check (amount_cents > 0),
  reference text check (length(reference) <= 200),
  created_at timestamptz not null
);
create index payment_series_of on payment_series (card_id, created_at);
alter table payment_customer add foreign key (series_id) references payment_series (id);

create table payment_mandate (
  id uuid primary key,
  customer_id uuid not null references billing_customer (id),
  realm text not null,
  status text not null check (status in ('begun', 'action_required', 'submitted', 'active', 'failed', 'ended')),
  account_key text not null unique check (account_key ~ '^[A-Za-z0-9-]{16,36}$'),
  mandate_key text not null unique check (mandate_key ~ '^[A-Za-z0-9-]{16,36}$'),
  -- the bank account and the mandate, as the provider names them
  account_reference text check (length(account_reference) <= 200),
  reference text check (length(reference) <= 200),
  bank_reference text check (length(bank_reference) <= 200),
  redirect_url text check (length(redirect_url) <= 2000),
  -- whether the provider has been told that it ended
  told_ended boolean not null default false,
  created_at timestamptz not null,
  check (status in ('begun', 'failed', 'ended') or reference is not null)
);
-- One of use at a time.
create unique index payment_mandate_of on payment_mandate (customer_id, realm) where status in ('begun', 'action_required', 'submitted', 'active');
create index payment_mandate_named on payment_mandate (reference) where reference is not null;

alter table payment_attempt
  add column realm text check (length(realm) between 1 and 200),
  add column means text check (means in ('card', 'mandate', 'transfer')),
  add column card_id uuid references payment_card (id),
  add column series_id uuid references payment_series (id),
  add column mandate_id uuid references payment_mandate (id),
  -- what the customer's browser says of itself and where he comes back to; it goes when the outcome is known
  add column present jsonb,
  add column redirect_url text check (length(redirect_url) <= 2000),
  add column expected_on date,
  -- the provider's own code of a refusal
  add column failure_code text check (length(failure_code) <= 200),
  -- the bank took it back
  add column reversed_at timestamptz,
  -- when the provider is asked after it next, and how often he was; null: he is not
  add column ask_at timestamptz,
  add column asked integer not null default 0,
  add column last_asked_at timestamptz,
  -- V-44: who looks after the purchase
  add column referral_manager text check (referral_manager in ('none', 'referrer'));
create index payment_attempt_to_ask on payment_attempt (ask_at) where ask_at is not null;
create unique index payment_attempt_named on payment_attempt (realm, reference) where reference is not null;

-- Nothing was sent, or it is certain that nothing was taken in: it is due as it was before.
insert into billing_transition (machine, from_status, to_status) values
  ('instalment', 'collecting', 'due'), ('instalment', 'unknown', 'due'),
-- It was given up, and came in after all.
  ('attempt', 'failed', 'succeeded');

-- Up to when what the provider tells of has been read.
create table payment_reconciled (
  realm text primary key check (length(realm) between 1 and 200),
  until timestamptz not null
);

-- Transfers to the seller's own account: what customers were told, and the lines of statements that were taken in.
create table transfer_announced (
  payment text primary key check (length(payment) <= 60),
  customer text not null check (length(customer) <= 60),
  idempotency_key text not null unique,
  tag text not null,
  cents integer not null check (cents > 0),
  reference text not null unique check (reference ~ '^RF[0-9]{2}PB[0-9A-Z]{12}$')
);
create index transfer_announced_tag on transfer_announced (customer, tag);
create table transfer_receipt (
  line_id text primary key check (length(line_id) <= 2100),
  -- null: nobody knows yet what it is for
  payment text references transfer_announced (payment),
  line jsonb not null,
  imported_at timestamptz not null,
  -- whether the books know of it
  noted boolean not null default false
);
create index transfer_receipt_of on transfer_receipt (payment) where payment is not null;
create index transfer_receipt_to_note on transfer_receipt (payment) where payment is not null and not noted;

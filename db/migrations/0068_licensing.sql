-- Offers of final reports, and licences to use them.

-- E-29: what is offered, and what somebody has a licence of, is neither thrown away nor deleted.
alter table evidence add column sale text not null default 'none' check (sale in ('none', 'offered', 'licensed'));
alter table evidence add constraint evidence_sold_stays
  check (sale = 'none' or (status = 'final' and trashed_at is null and content_deleted_at is null));

-- The same as in modules/licensing/domain/status.ts.
create table licensing_transition (
  machine text not null,
  from_status text not null,
  to_status text not null,
  primary key (machine, from_status, to_status)
);
insert into licensing_transition (machine, from_status, to_status) values
  ('offer', 'draft', 'open'),
  ('offer', 'draft', 'stopped'),
  ('offer', 'open', 'stopped'),
  ('license', 'pending', 'paid'),
  ('license', 'pending', 'lapsed'),
  ('license', 'paid', 'active'),
  ('license', 'paid', 'revoked'),
  ('license', 'active', 'revoked');

create function licensing_follows() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> tg_argv[1] then
      raise exception '% begins as %, not as %', tg_argv[0], tg_argv[1], new.status using errcode = 'check_violation';
    end if;
  elsif new.status <> old.status and not exists (
      select 1 from licensing_transition where machine = tg_argv[0] and from_status = old.status and to_status = new.status) then
    raise exception '% %: % may not become %', tg_argv[0], old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end $$;

create table license_offer (
  id uuid primary key,
  seller_id uuid not null references account_user (id),
  created_by uuid not null references account_user (id),
  status text not null,
  -- without VAT, whole cents of euros
  price_cents integer not null check (price_cents between 2000 and 100000000),
  description text not null check (length(description) <= 2000),
  -- how many licences there are to be; null: any number
  most integer check (most between 1 and 100000),
  -- its address: a token that is told again and not kept (shareToken of deposits)
  nonce bytea not null check (octet_length(nonce) = 16),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  -- when the seller said that personal data of others stand in the way no more
  personal_data_reviewed_at timestamptz,
  created_at timestamptz not null,
  opened_at timestamptz,
  stopped_at timestamptz,
  check (status <> 'open' or (opened_at is not null and personal_data_reviewed_at is not null)),
  check ((status = 'stopped') = (stopped_at is not null))
);
create index license_offer_of_seller on license_offer (seller_id, created_at desc, id desc);
create trigger license_offer_follows before insert or update on license_offer
  for each row execute function licensing_follows('offer', 'draft');

create table license_offer_report (
  offer_id uuid not null references license_offer (id) on delete cascade,
  position smallint not null check (position between 1 and 20),
  evidence_id uuid not null references evidence (id),
  primary key (offer_id, position),
  unique (offer_id, evidence_id)
);
create index license_offer_report_of on license_offer_report (evidence_id);

create table license (
  id uuid primary key,
  offer_id uuid not null references license_offer (id),
  seller_id uuid not null references account_user (id),
  buyer_id uuid not null references account_user (id),
  status text not null,
  -- whose right it is; nominative, so it stays with the document that names him
  email text not null check (length(email) <= 254),
  first_name text not null check (length(first_name) between 1 and 100),
  last_name text not null check (length(last_name) between 1 and 100),
  company text not null check (length(company) <= 200),
  net_cents integer not null check (net_cents > 0),
  -- the platform's share of it
  fee_rate integer not null check (fee_rate between 0 and 10000),
  fee_cents integer not null check (fee_cents between 0 and net_cents),
  -- once it is asked to be paid: from then on its place is kept
  invoice_id uuid,
  -- what was shown and accepted: text of the licence, and that it is supplied at once (C. conso., art. L221-28, 13°)
  terms text not null,
  waived_at timestamptz not null,
  -- assigned when it is paid
  number text unique,
  -- by which anybody finds it who has its document
  nonce bytea not null check (octet_length(nonce) = 16),
  code_hash bytea not null unique check (octet_length(code_hash) = 32),
  reason text check (reason in ('payment_reversed', 'refunded')),
  created_at timestamptz not null,
  paid_at timestamptz,
  active_at timestamptz,
  ended_at timestamptz,
  check (status not in ('paid', 'active') or (number is not null and paid_at is not null)),
  check ((status = 'active') <= (active_at is not null)),
  check ((status in ('lapsed', 'revoked')) = (ended_at is not null)),
  check ((status = 'revoked') = (reason is not null)),
  check (buyer_id <> seller_id)
);
create index license_of_buyer on license (buyer_id, created_at desc, id desc);
create index license_of_seller on license (seller_id, created_at desc, id desc);
create index license_of_offer on license (offer_id, status);
create index license_waiting on license (created_at) where status = 'pending';
-- Asked for twice, it is the same.
create unique index license_pending_of on license (offer_id, buyer_id) where status = 'pending';
create trigger license_follows before insert or update on license
  for each row execute function licensing_follows('license', 'pending');

-- Of what it is, as it was sealed then.
create table license_report (
  license_id uuid not null references license (id) on delete cascade,
  position smallint not null check (position between 1 and 20),
  evidence_id uuid not null references evidence (id),
  page_url text not null,
  captured_at timestamptz not null,
  root text not null check (root ~ '^[0-9a-f]{64}$'),
  primary key (license_id, position)
);
create index license_report_of on license_report (evidence_id);

create table license_document (
  license_id uuid not null references license (id) on delete cascade,
  locale text not null check (locale in ('en', 'fr')),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes integer not null check (bytes > 0),
  made_at timestamptz not null,
  primary key (license_id, locale)
);

-- Numbers of licences, by year; a number whose transaction fails is given again.
create table license_series (
  year smallint primary key,
  last integer not null check (last > 0)
);

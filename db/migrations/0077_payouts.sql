-- What is earned by referral and by licences, and how it is paid out. Whole cents of euros; days are those of Paris.

-- Of one line of an invoice that somebody else paid: what it brings, and to whom.
create table earning (
  id uuid primary key,
  user_id uuid not null references account_user (id),
  source text not null check (source in ('referral', 'license')),
  -- the account that was referred, or the licence that was sold
  subject_id uuid not null,
  invoice_id uuid not null references invoice (id),
  line smallint not null,
  -- the rule, as it was then: of so much, so many hundredths of a percent
  base_cents integer not null check (base_cents > 0),
  rate integer not null check (rate between 0 and 10000),
  amount_cents integer not null check (amount_cents > 0 and amount_cents <= base_cents),
  -- what is left of it since payments were taken back and credit notes made
  standing_cents integer not null,
  -- what of it is in the journal
  booked_cents integer not null default 0,
  earned_on date not null,
  -- until then what was paid may go back
  matures_on date not null,
  matured_at timestamptz,
  created_at timestamptz not null,
  foreign key (invoice_id, line) references invoice_line (invoice_id, position),
  unique (source, invoice_id, line),
  check (standing_cents between 0 and amount_cents),
  check (booked_cents between 0 and amount_cents),
  check (matures_on >= earned_on),
  check (matured_at is not null or booked_cents = 0)
);
create index earning_of on earning (user_id, created_at desc, id desc);
create index earning_ripening on earning (matures_on) where matured_at is null;
create index earning_of_subject on earning (subject_id);

create function earning_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (new.id, new.user_id, new.source, new.subject_id, new.invoice_id, new.line, new.base_cents, new.rate, new.amount_cents,
      new.earned_on, new.matures_on, new.created_at) is distinct from (old.id, old.user_id, old.source, old.subject_id, old.invoice_id, old.line,
      old.base_cents, old.rate, old.amount_cents, old.earned_on, old.matures_on, old.created_at) or (old.matured_at is not null and
      new.matured_at is distinct from old.matured_at) then
    raise exception 'earning % stays what it was of', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger earning_stays before update or delete on earning for each row execute function earning_stays();

-- The same as in modules/payout/domain/status.ts.
create table payout_transition (
  from_status text not null,
  to_status text not null,
  primary key (from_status, to_status)
);
insert into payout_transition (from_status, to_status) values
  ('pending', 'success'), ('pending', 'failed'), ('success', 'returned');

create table payout (
  id uuid primary key,
  user_id uuid not null references account_user (id),
  -- first day of the month that it is of
  month date not null check (extract(day from month) = 1),
  status text not null check (status in ('pending', 'success', 'failed', 'returned')),
  net_cents integer not null check (net_cents > 0),
  vat_treatment text not null check (vat_treatment in ('standard', 'reverse_charge', 'none')),
  vat_cents integer not null check (vat_cents >= 0 and (vat_treatment = 'standard' or vat_cents = 0)),
  gross_cents integer not null check (gross_cents = net_cents + vat_cents),
  -- `transfer`: by the operator's own bank; else the provider that moves it
  realm text not null,
  -- by which it is found in a statement of the bank
  reference_text text not null unique check (reference_text ~ '^PBT-[0-9A-Z]{10}$'),
  -- the provider's idempotency keys: what is granted to the payee's purse, and what leaves it for his bank
  grant_key text not null unique check (grant_key ~ '^[A-Za-z0-9-]{16,36}$'),
  payout_key text not null unique check (payout_key ~ '^[A-Za-z0-9-]{16,36}$'),
  -- what of it was in the payee's purse before
  held_cents integer not null default 0 check (held_cents between 0 and gross_cents),
  granted_cents integer not null default 0 check (granted_cents >= 0),
  grant_reference text check (length(grant_reference) <= 200),
  reference text check (length(reference) <= 200),
  failure text check (length(failure) <= 200),
  failure_code text check (length(failure_code) <= 200),
  -- how often the provider was asked after it, and when he is next
  asked integer not null default 0,
  ask_at timestamptz,
  created_at timestamptz not null,
  settled_at timestamptz,
  returned_at timestamptz,
  -- one for each account and month
  unique (user_id, month),
  check ((status = 'pending') = (settled_at is null)),
  check ((status = 'returned') = (returned_at is not null)),
  check ((status = 'failed') <= (failure is not null))
);
create unique index payout_under_way on payout (user_id) where status = 'pending';
create index payout_of on payout (user_id, created_at desc, id desc);
create index payout_to_ask on payout (ask_at) where ask_at is not null;
create index payout_by_day on payout (created_at desc, id desc);

-- What it is made of. Less than nothing: what had been paid out already, and went back since.
create table payout_line (
  payout_id uuid not null references payout (id),
  earning_id uuid not null references earning (id),
  cents integer not null check (cents <> 0),
  primary key (payout_id, earning_id)
);
create index payout_line_of on payout_line (earning_id);
create trigger payout_line_only_grows before update or delete on payout_line for each row execute function billing_only_grows();

create function payout_follows() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'payout % stays', old.id using errcode = 'restrict_violation';
  end if;
  if tg_op = 'INSERT' then
    if new.status <> 'pending' then
      raise exception 'a payout does not begin as %', new.status using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if new.status <> old.status and not exists (
      select from payout_transition where from_status = old.status and to_status = new.status) then
    raise exception 'payout %: % may not become %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  if (new.user_id, new.month, new.net_cents, new.vat_cents, new.realm, new.grant_key, new.payout_key, new.held_cents) is distinct from
      (old.user_id, old.month, old.net_cents, old.vat_cents, old.realm, old.grant_key, old.payout_key, old.held_cents) then
    raise exception 'payout % stays what it is', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payout_follows before insert or update or delete on payout for each row execute function payout_follows();

-- At the end of the transaction that reserves it: it is the sum of its lines, and no more is paid and reserved than has matured.
create function payout_within() returns trigger language plpgsql as $$
declare
  lines bigint := (select coalesce(sum(cents), 0) from payout_line where payout_id = new.id);
  taken bigint := (select coalesce(sum(net_cents), 0) from payout where user_id = new.user_id and status in ('pending', 'success'));
  matured bigint := (select coalesce(sum(standing_cents), 0) from earning where user_id = new.user_id and matured_at is not null);
begin
  if lines <> new.net_cents then
    raise exception 'payout % is of %, and its lines of %', new.id, new.net_cents, lines using errcode = 'check_violation';
  end if;
  if taken > matured then
    raise exception 'payout %: % would be paid out of % that have matured', new.id, taken, matured using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger payout_within after insert on payout
  deferrable initially deferred for each row execute function payout_within();

-- Months whose payouts were all begun.
create table payout_run (
  month date primary key,
  begun integer not null check (begun >= 0),
  ended_at timestamptz not null
);

-- Whom the provider knows as somebody who is paid.
create table payout_payee (
  user_id uuid not null references account_user (id),
  realm text not null,
  customer_key text not null unique,
  -- as the provider names him
  reference text check (length(reference) <= 200),
  -- his bank account there, and which of ours it is
  account_key text not null unique,
  account_mark bytea check (octet_length(account_mark) = 32),
  account_reference text check (length(account_reference) <= 200),
  account_state text not null default 'none' check (account_state in ('none', 'customer_needed', 'usable', 'ended', 'refused')),
  account_address text,
  identity_state text not null default 'none' check (identity_state in ('none', 'customer_needed', 'submitted', 'verified', 'refused')),
  identity_refusal text check (length(identity_refusal) <= 200),
  identity_address text,
  asked_at timestamptz not null,
  primary key (user_id, realm)
);
-- What was handed to the provider to prove who he is.
create table payout_document (
  id uuid primary key,
  user_id uuid not null,
  realm text not null,
  -- of identity_document, or the provider's own page where it is none of ours
  document_id uuid,
  kind text not null,
  idempotency_key text not null unique,
  reference text check (length(reference) <= 200),
  state text not null check (state in ('begun', 'submitted', 'validated', 'refused')),
  refusal text check (length(refusal) <= 200),
  created_at timestamptz not null,
  foreign key (user_id, realm) references payout_payee (user_id, realm) on delete cascade
);
create index payout_document_of on payout_document (user_id, realm);

alter table journal_entry drop constraint journal_entry_kind_check;
alter table journal_entry add constraint journal_entry_kind_check check (kind in ('invoice', 'credit_note', 'payment', 'reversal', 'refund', 'fee',
  'earning', 'clawback', 'payout_granted', 'payout', 'payout_returned'));
alter table journal_entry drop constraint journal_entry_journal_check;
alter table journal_entry add constraint journal_entry_journal_check check (journal in ('VE', 'BQ', 'HA'));

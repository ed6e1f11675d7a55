-- Plans, subscriptions, invoices, instalments, and the journal. Amounts are whole cents of euros; days are those of Paris.

-- What can be had, and for how much, from a day on. Lines are only ever added: of one day the last one counts.
create table billing_plan (
  id bigint generated always as identity primary key,
  plan text not null check (plan in ('unit', 'essential', 'comfort', 'custom')),
  effective_from date not null,
  -- net; null: not to be had so
  month_cents integer check (month_cents >= 0),
  year_cents integer check (year_cents >= 0),
  report_cents integer check (report_cents >= 0),
  timestamp_cents integer check (timestamp_cents >= 0),
  -- null: any number
  reports_per_month integer check (reports_per_month >= 0),
  timestamps_per_month integer check (timestamps_per_month >= 0),
  drafts integer not null check (drafts > 0),
  seats integer not null check (seats > 0),
  added_at timestamptz not null default now()
);
create index billing_plan_in_force on billing_plan (plan, effective_from desc, id desc);
insert into billing_plan (plan, effective_from, month_cents, year_cents, report_cents, timestamp_cents, reports_per_month, timestamps_per_month,
  drafts, seats) values
  ('unit', '2026-01-01', null, null, 9900, 500, 0, 0, 5, 1),
  ('essential', '2026-01-01', 39900, 383040, 9900, 500, 5, 50, 10, 1),
  ('comfort', '2026-01-01', 49900, 479040, 9900, 500, null, null, 50, 5),
  -- by quote
  ('custom', '2026-01-01', null, null, null, null, null, null, 50, 5);

create function billing_only_grows() returns trigger language plpgsql as $$
begin
  raise exception '% only grows', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger billing_plan_only_grows before update or delete on billing_plan
  for each row execute function billing_only_grows();

-- Who is invoiced. It outlives the account, and then leads to nobody (H-38).
create table billing_customer (
  id uuid primary key,
  user_id uuid unique references account_user (id),
  -- as asked of the register of the union, with what it said; null: never asked
  vat_number text check (length(vat_number) <= 20),
  vat_check text check (vat_check in ('valid', 'invalid', 'unreachable')),
  vat_checked_at timestamptz,
  vat_answer jsonb,
  -- gross, of credit notes, to be taken off later invoices
  credit_cents integer not null default 0 check (credit_cents >= 0),
  created_at timestamptz not null,
  check ((vat_check is null) = (vat_checked_at is null))
);

create table billing_transition (
  machine text not null check (machine in ('subscription', 'document', 'settlement', 'instalment', 'attempt')),
  from_status text not null,
  to_status text not null,
  primary key (machine, from_status, to_status)
);
insert into billing_transition (machine, from_status, to_status) values
  ('subscription', 'unit', 'incomplete'), ('subscription', 'unit', 'cancelled'),
  ('subscription', 'incomplete', 'unit'), ('subscription', 'incomplete', 'active'), ('subscription', 'incomplete', 'cancelled'),
  ('subscription', 'active', 'past_due'), ('subscription', 'active', 'unit'), ('subscription', 'active', 'cancelled'),
  ('subscription', 'past_due', 'active'), ('subscription', 'past_due', 'suspended'), ('subscription', 'past_due', 'unit'),
  ('subscription', 'past_due', 'cancelled'),
  ('subscription', 'suspended', 'active'), ('subscription', 'suspended', 'cancelled'),
  ('document', 'draft', 'issued'),
  ('settlement', 'pending', 'processing'), ('settlement', 'pending', 'success'), ('settlement', 'pending', 'failed'),
  ('settlement', 'processing', 'success'), ('settlement', 'processing', 'failed'), ('settlement', 'processing', 'pending'),
  ('settlement', 'success', 'reversed'),
  ('settlement', 'failed', 'pending'), ('settlement', 'failed', 'processing'), ('settlement', 'failed', 'success'),
  ('settlement', 'reversed', 'pending'), ('settlement', 'reversed', 'processing'), ('settlement', 'reversed', 'success'),
  ('settlement', 'reversed', 'failed'),
  ('instalment', 'scheduled', 'due'), ('instalment', 'scheduled', 'dropped'),
  ('instalment', 'due', 'collecting'), ('instalment', 'due', 'paid'), ('instalment', 'due', 'failed'), ('instalment', 'due', 'dropped'),
  ('instalment', 'collecting', 'paid'), ('instalment', 'collecting', 'failed'), ('instalment', 'collecting', 'action_required'),
  ('instalment', 'collecting', 'unknown'),
  ('instalment', 'action_required', 'collecting'), ('instalment', 'action_required', 'paid'), ('instalment', 'action_required', 'failed'),
  ('instalment', 'action_required', 'unknown'),
  ('instalment', 'unknown', 'paid'), ('instalment', 'unknown', 'failed'), ('instalment', 'unknown', 'action_required'),
  ('instalment', 'failed', 'due'), ('instalment', 'failed', 'collecting'), ('instalment', 'failed', 'paid'), ('instalment', 'failed', 'dropped'),
  ('instalment', 'paid', 'due'),
  ('attempt', 'started', 'action_required'), ('attempt', 'started', 'unknown'), ('attempt', 'started', 'succeeded'),
  ('attempt', 'started', 'failed'),
  ('attempt', 'action_required', 'unknown'), ('attempt', 'action_required', 'succeeded'), ('attempt', 'action_required', 'failed'),
  ('attempt', 'unknown', 'action_required'), ('attempt', 'unknown', 'succeeded'), ('attempt', 'unknown', 'failed');

-- Arguments: the machine, and how it begins, one or several.
create function billing_follows() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if not (new.status = any (string_to_array(tg_argv[1], ','))) then
      raise exception '% does not begin as %', tg_argv[0], new.status using errcode = 'check_violation';
    end if;
  elsif new.status <> old.status and not exists (
      select 1 from billing_transition where machine = tg_argv[0] and from_status = old.status and to_status = new.status) then
    raise exception '% %: % may not become %', tg_argv[0], old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end $$;

create table subscription (
  id uuid primary key,
  customer_id uuid not null references billing_customer (id),
  status text not null,
  plan text not null default 'unit' check (plan in ('unit', 'essential', 'comfort', 'custom')),
  cycle text check (cycle in ('month', 'year')),
  instalments smallint check (instalments in (1, 4)),
  -- periods are counted from there, never one from the other
  anchored_on date,
  months_before integer not null default 0 check (months_before >= 0),
  -- of the present period, the last one excluded
  period_from date,
  period_to date,
  pending_kind text check (pending_kind in ('payment', 'term')),
  pending_plan text check (pending_plan in ('unit', 'essential', 'comfort', 'custom')),
  pending_cycle text check (pending_cycle in ('month', 'year')),
  pending_instalments smallint check (pending_instalments in (1, 4)),
  pending_on date,
  pending_until timestamptz,
  past_due_since date,
  -- when the calendar next has something to do with it; null: never, as it stands
  wake_at timestamptz,
  created_at timestamptz not null,
  version bigint not null default 0,
  check ((plan = 'unit') = (cycle is null) and (plan = 'unit') = (instalments is null)),
  check ((plan = 'unit') = (anchored_on is null) and (plan = 'unit') = (period_from is null) and (plan = 'unit') = (period_to is null)),
  check (period_to > period_from),
  check ((pending_kind is null) = (pending_plan is null) and (pending_kind is null) = (pending_on is null)),
  check ((pending_kind is not distinct from 'payment') = (pending_until is not null)),
  check (status <> 'incomplete' or pending_kind = 'payment'),
  check (status not in ('unit', 'incomplete') or plan = 'unit'),
  check (status not in ('active', 'past_due', 'suspended') or plan <> 'unit'),
  check (status not in ('past_due', 'suspended') or past_due_since is not null),
  check (status <> 'cancelled' or (pending_kind is null and wake_at is null))
);
-- One that goes on, for each customer.
create unique index subscription_current on subscription (customer_id) where status <> 'cancelled';
create index subscription_awake on subscription (wake_at) where wake_at is not null;
create trigger subscription_follows before insert or update on subscription
  for each row execute function billing_follows('subscription', 'unit');

create function subscription_before_change() returns trigger language plpgsql as $$
begin
  if (new.customer_id, new.created_at) is distinct from (old.customer_id, old.created_at) then
    raise exception 'subscription % stays its customer''s', old.id using errcode = 'restrict_violation';
  end if;
  new.version := old.version + 1;
  return new;
end $$;
create trigger subscription_before_change before update on subscription
  for each row execute function subscription_before_change();

-- What became of it, each time.
create table subscription_change (
  id bigint generated always as identity primary key,
  subscription_id uuid not null references subscription (id),
  kind text not null check (kind in ('asked', 'undone', 'lapsed', 'activated', 'renewed', 'ended', 'overdue', 'suspended', 'settled', 'cancelled')),
  at timestamptz not null,
  -- the subscription after it
  state jsonb not null
);
create index subscription_change_of on subscription_change (subscription_id, id);
create trigger subscription_change_only_grows before update or delete on subscription_change
  for each row execute function billing_only_grows();

-- A row, not a sequence: what a transaction that fails took, nobody has missed. Whoever holds it issues; the others wait.
create table number_series (
  series text primary key check (series ~ '^[A-Z]{1,2}[0-9]{4}$'),
  last_number integer not null default 0 check (last_number >= 0),
  -- no document of a series is dated before the one before it
  last_on date not null,
  -- of the last document: what the next one names
  last_sha256 bytea check (octet_length(last_sha256) = 32)
);

create table invoice (
  id uuid primary key,
  customer_id uuid not null references billing_customer (id),
  subscription_id uuid references subscription (id),
  kind text not null check (kind in ('invoice', 'credit_note')),
  category text not null check (category in ('subscription', 'evidence', 'document', 'license')),
  -- of the document; see settlement for what is paid
  status text not null,
  settlement text not null default 'pending' check (settlement in ('pending', 'processing', 'success', 'failed', 'reversed')),
  -- what a credit note takes from
  credits uuid references invoice (id),
  covers_from date,
  covers_to date,
  vat_treatment text not null check (vat_treatment in ('standard', 'reverse_charge', 'outside')),
  vat_rate integer not null check (vat_rate between 0 and 10000),
  net_cents integer not null check (net_cents >= 0),
  vat_cents integer not null check (vat_cents >= 0),
  gross_cents integer not null check (gross_cents >= 0),
  -- of a credit note's or another's, taken off what is to be paid
  credit_used_cents integer not null default 0 check (credit_used_cents between 0 and gross_cents),
  created_at timestamptz not null,
  -- of what is issued alone
  series text references number_series (series),
  number integer check (number > 0),
  issued_on date,
  due_on date,
  issued_at timestamptz,
  -- RFC 8785 JSON of all that it says, with the hash of the one before it in its series
  content bytea,
  sha256 bytea check (octet_length(sha256) = 32),
  check (gross_cents = net_cents + vat_cents),
  check ((kind = 'credit_note') = (credits is not null)),
  check ((covers_from is null) = (covers_to is null)),
  check ((status = 'issued') = (number is not null)),
  check (status = 'draft' or (series is not null and issued_on is not null and issued_at is not null and content is not null
    and sha256 is not null)),
  check (status <> 'issued' or (kind = 'invoice') = (due_on is not null)),
  check (vat_treatment = 'standard' or vat_rate = 0)
);
create unique index invoice_number on invoice (series, number) where number is not null;
create index invoice_of_customer on invoice (customer_id, created_at desc, id desc);
create index invoice_credited_by on invoice (credits) where credits is not null;
create index invoice_of_subscription on invoice (subscription_id) where subscription_id is not null;
create trigger invoice_follows before insert or update on invoice
  for each row execute function billing_follows('document', 'draft');

create function invoice_before_change() returns trigger language plpgsql as $$
declare
  credited record;
begin
  if tg_op = 'DELETE' then
    if old.status <> 'draft' then
      raise exception 'invoice % is issued', old.id using errcode = 'restrict_violation';
    end if;
    return old;
  end if;
  if new.settlement <> old.settlement and not exists (
      select 1 from billing_transition where machine = 'settlement' and from_status = old.settlement and to_status = new.settlement) then
    raise exception 'invoice %: % may not become %', old.id, old.settlement, new.settlement using errcode = 'check_violation';
  end if;
  if old.status = 'issued' then
    -- whether it is paid is not in the document
    old.settlement := new.settlement;
    if new is distinct from old then
      raise exception 'invoice % is issued and stays as it is', new.id using errcode = 'restrict_violation';
    end if;
  elsif new.status = 'issued' and new.credits is not null then
    select i.net_cents, i.vat_cents, i.status, coalesce(sum(c.net_cents), 0) as net, coalesce(sum(c.vat_cents), 0) as vat into credited
    from invoice i left join invoice c on c.credits = i.id and c.status = 'issued' where i.id = new.credits group by i.id;
    if credited.status <> 'issued' or credited.net + new.net_cents > credited.net_cents or credited.vat + new.vat_cents > credited.vat_cents then
      raise exception 'credit note % takes more than invoice % was of', new.id, new.credits using errcode = 'check_violation';
    end if;
  end if;
  return new;
end $$;
create trigger invoice_before_change before update or delete on invoice
  for each row execute function invoice_before_change();

create table invoice_line (
  invoice_id uuid not null references invoice (id) on delete cascade,
  position smallint not null check (position > 0),
  -- what it is for: the words are made of it in the customer's language
  item text not null check (item in ('plan', 'evidence', 'document', 'license')),
  plan text,
  cycle text,
  part smallint,
  parts smallint,
  covers_from date,
  covers_to date,
  quantity integer not null check (quantity > 0),
  unit_cents integer not null check (unit_cents >= 0),
  net_cents integer not null check (net_cents >= 0),
  vat_rate integer not null,
  vat_cents integer not null check (vat_cents >= 0),
  primary key (invoice_id, position)
);
create function invoice_line_stays() returns trigger language plpgsql as $$
declare
  of_invoice uuid := case when tg_op = 'DELETE' then old.invoice_id else new.invoice_id end;
begin
  if exists (select 1 from invoice where id = of_invoice and status = 'issued') then
    raise exception 'invoice % is issued and stays as it is', of_invoice using errcode = 'restrict_violation';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger invoice_line_stays before insert or update or delete on invoice_line
  for each row execute function invoice_line_stays();

-- Whom it is addressed to. The document holds its salted hash alone, so that after the ten years of the law it can go, and the chain stays.
create table invoice_buyer (
  invoice_id uuid primary key references invoice (id) on delete cascade,
  salt bytea not null check (octet_length(salt) = 16),
  buyer jsonb not null
);
create function invoice_buyer_stays() returns trigger language plpgsql as $$
begin
  if exists (select 1 from invoice where id = old.invoice_id and status = 'issued') then
    raise exception 'invoice % is issued and stays as it is', old.invoice_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger invoice_buyer_stays before update on invoice_buyer for each row execute function invoice_buyer_stays();

create table instalment (
  id uuid primary key,
  customer_id uuid not null references billing_customer (id),
  subscription_id uuid references subscription (id),
  -- null: it has none yet
  invoice_id uuid unique references invoice (id),
  part smallint not null check (part > 0),
  parts smallint not null check (parts in (1, 4) and part <= parts),
  plan text not null,
  cycle text,
  -- first day of the period that all parts are of
  period_from date,
  -- its invoice is issued as that begins
  covers_from date,
  covers_to date,
  vat_treatment text not null,
  vat_rate integer not null,
  net_cents integer not null check (net_cents >= 0),
  vat_cents integer not null check (vat_cents >= 0),
  -- what is to be paid of it, credit taken off
  to_pay_cents integer not null check (to_pay_cents between 0 and net_cents + vat_cents),
  -- of a change that waits for its payment: dropped with it
  of_change boolean not null default false,
  status text not null,
  status_changed_at timestamptz not null,
  due_on date,
  failures smallint not null default 0,
  next_attempt_on date,
  check (status = 'scheduled' or status = 'dropped' or invoice_id is not null)
);
create index instalment_of_subscription on instalment (subscription_id, status);
create index instalment_to_collect on instalment (due_on) where status in ('due', 'failed');
create trigger instalment_follows before insert or update on instalment
  for each row execute function billing_follows('instalment', 'scheduled,due');

-- Each time that a payment is asked for; the key is the provider's idempotency key.
create table payment_attempt (
  id uuid primary key,
  instalment_id uuid not null references instalment (id),
  status text not null,
  amount_cents integer not null check (amount_cents > 0),
  channel text not null check (channel in ('provider', 'bank')),
  idempotency_key text not null unique check (idempotency_key ~ '^[A-Za-z0-9-]{16,36}$'),
  -- as the provider names it
  reference text check (length(reference) <= 200),
  failure text check (length(failure) <= 200),
  created_at timestamptz not null,
  settled_at timestamptz,
  check ((status in ('succeeded', 'failed')) = (settled_at is not null))
);
-- Nobody is asked twice at the same time.
create unique index payment_attempt_live on payment_attempt (instalment_id) where status in ('started', 'action_required', 'unknown');
create index payment_attempt_of on payment_attempt (instalment_id, created_at);
create trigger payment_attempt_follows before insert or update on payment_attempt
  for each row execute function billing_follows('attempt', 'started');

create table journal_entry (
  id uuid primary key,
  journal text not null check (journal in ('VE', 'BQ')),
  -- of the year, without a gap
  year smallint not null,
  number integer not null check (number > 0),
  on_day date not null,
  customer_id uuid references billing_customer (id),
  invoice_id uuid references invoice (id),
  attempt_id uuid references payment_attempt (id),
  kind text not null check (kind in ('invoice', 'credit_note', 'payment', 'reversal')),
  created_at timestamptz not null,
  unique (year, number)
);
create index journal_entry_of_customer on journal_entry (customer_id, number);
create table journal_posting (
  entry_id uuid not null references journal_entry (id),
  position smallint not null check (position > 0),
  account text not null check (account ~ '^[0-9]{6}$'),
  -- on whose account it is besides
  customer_id uuid references billing_customer (id),
  debit_cents integer not null check (debit_cents >= 0),
  credit_cents integer not null check (credit_cents >= 0),
  primary key (entry_id, position),
  check ((debit_cents = 0) <> (credit_cents = 0))
);
create index journal_posting_of_customer on journal_posting (customer_id) where customer_id is not null;
create trigger journal_entry_only_grows before update or delete on journal_entry for each row execute function billing_only_grows();
create trigger journal_posting_only_grows before update or delete on journal_posting for each row execute function billing_only_grows();

-- At the end of the transaction: an entry that does not balance takes with it all that was done beside it.
create function journal_balances() returns trigger language plpgsql as $$
declare
  entry uuid := case when tg_table_name = 'journal_entry' then (to_jsonb(new) ->> 'id')::uuid else (to_jsonb(new) ->> 'entry_id')::uuid end;
  held record;
begin
  select count(*) as postings, coalesce(sum(debit_cents::bigint), 0) - coalesce(sum(credit_cents::bigint), 0) as off
    into held from journal_posting where entry_id = entry;
  if held.postings < 2 or held.off <> 0 then
    raise exception 'journal entry % does not balance: % postings, % cents off', entry, held.postings, held.off using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger journal_entry_balances after insert on journal_entry
  deferrable initially deferred for each row execute function journal_balances();
create constraint trigger journal_posting_balances after insert on journal_posting
  deferrable initially deferred for each row execute function journal_balances();

-- What was used of a month's quota, and by what: once each.
create table quota_use (
  subscription_id uuid not null references subscription (id),
  kind text not null check (kind in ('evidence', 'document')),
  -- of the months counted from the anchor
  month_from date not null,
  used integer not null check (used >= 0),
  quota integer not null check (quota >= 0),
  primary key (subscription_id, kind, month_from),
  check (used <= quota)
);
create table quota_taken (
  subject_id uuid primary key,
  subscription_id uuid not null references subscription (id),
  kind text not null,
  month_from date not null,
  taken_at timestamptz not null
);

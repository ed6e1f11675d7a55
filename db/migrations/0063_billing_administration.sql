-- What staff does to the books, prices that were agreed with one customer, money given back, and the indexes of lists that grow.

-- By whom, to what and why: the record of acts holds neither reasons nor references, which people type.
create table billing_intervention (
  id bigint generated always as identity primary key,
  customer_id uuid not null references billing_customer (id),
  invoice_id uuid references invoice (id),
  kind text not null check (kind in ('credit_note', 'settlement', 'refund', 'retry', 'custom_plan')),
  -- gross; null: no money is in it
  amount_cents integer check (amount_cents >= 0),
  -- of a transfer or a cheque, as the bank names it
  reference text check (length(reference) between 1 and 200),
  reason text not null check (length(reason) between 1 and 500),
  by_user uuid not null references account_user (id),
  at timestamptz not null
);
create index billing_intervention_of_customer on billing_intervention (customer_id, id desc);
create trigger billing_intervention_only_grows before update or delete on billing_intervention
  for each row execute function billing_only_grows();

-- Custom, as it was agreed with one customer; lines are only added, of one day the last one counts.
create table custom_plan (
  id bigint generated always as identity primary key,
  customer_id uuid not null references billing_customer (id),
  effective_from date not null,
  month_cents integer check (month_cents >= 0),
  year_cents integer check (year_cents >= 0),
  report_cents integer check (report_cents >= 0),
  timestamp_cents integer check (timestamp_cents >= 0),
  reports_per_month integer check (reports_per_month >= 0),
  timestamps_per_month integer check (timestamps_per_month >= 0),
  drafts integer not null check (drafts > 0),
  seats integer not null check (seats > 0),
  added_at timestamptz not null,
  check (month_cents is not null or year_cents is not null)
);
create index custom_plan_in_force on custom_plan (customer_id, effective_from desc, id desc);
create trigger custom_plan_only_grows before update or delete on custom_plan
  for each row execute function billing_only_grows();

-- Money given back by the way that it came. It is noted, and taken from what is to the customer's credit, before the provider is asked.
alter table billing_transition drop constraint billing_transition_machine_check;
alter table billing_transition add constraint billing_transition_machine_check
  check (machine ~ '^[a-z]{1,20}$');
insert into billing_transition (machine, from_status, to_status) values
  ('refund', 'started', 'unknown'), ('refund', 'started', 'succeeded'), ('refund', 'started', 'failed'),
  ('refund', 'unknown', 'succeeded'), ('refund', 'unknown', 'failed');
create table refund (
  id uuid primary key,
  customer_id uuid not null references billing_customer (id),
  attempt_id uuid not null references payment_attempt (id),
  invoice_id uuid not null references invoice (id),
  status text not null,
  amount_cents integer not null check (amount_cents > 0),
  idempotency_key text not null unique check (idempotency_key ~ '^[A-Za-z0-9-]{16,36}$'),
  -- as the provider names it
  reference text check (length(reference) <= 200),
  failure text check (length(failure) <= 200),
  created_at timestamptz not null,
  settled_at timestamptz,
  check ((status in ('succeeded', 'failed')) = (settled_at is not null))
);
-- One at a time of one payment: what is left of it is known.
create unique index refund_live on refund (attempt_id) where status in ('started', 'unknown');
create index refund_of_customer on refund (customer_id, created_at desc);
create index refund_of_attempt on refund (attempt_id);
create trigger refund_follows before insert or update on refund
  for each row execute function billing_follows('refund', 'started');
alter table journal_entry drop constraint journal_entry_kind_check;
alter table journal_entry add constraint journal_entry_kind_check
  check (kind in ('invoice', 'credit_note', 'payment', 'reversal', 'refund'));

create index billing_customer_newest on billing_customer (created_at desc, id desc);
create index subscription_of_customer on subscription (customer_id);
create index subscription_behind on subscription (status, past_due_since) where status in ('past_due', 'suspended');
create index subscription_by_plan on subscription (plan, period_to) where status in ('active', 'past_due');
create index invoice_newest on invoice (created_at desc, id desc);
create index invoice_newest_of_kind on invoice (category, created_at desc, id desc);
create index invoice_pending on invoice (created_at desc, id desc) where settlement in ('pending', 'processing', 'reversed');
create index invoice_failed on invoice (created_at desc, id desc) where settlement = 'failed';
create index billing_customer_vat on billing_customer (vat_number) where vat_number is not null;
create index instalment_open_of_customer on instalment (customer_id) where status not in ('paid', 'dropped');
create index instalment_not_paid on instalment (status, status_changed_at desc, id desc) where status in ('failed', 'unknown', 'action_required');
create index journal_entry_of_invoice on journal_entry (invoice_id) where invoice_id is not null;

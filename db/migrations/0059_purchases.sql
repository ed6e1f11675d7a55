-- What is bought by itself: a report, a deposit, a licence. A payment that is of no plan names none.
alter table instalment alter column plan drop not null;
alter table instalment add constraint instalment_of_plan check (subscription_id is null or plan is not null);

alter table billing_transition drop constraint billing_transition_machine_check;
alter table billing_transition add constraint billing_transition_machine_check
  check (machine in ('subscription', 'document', 'settlement', 'instalment', 'attempt', 'purchase'));
insert into billing_transition (machine, from_status, to_status) values
  ('purchase', 'open', 'paid'), ('purchase', 'open', 'dropped');

create table purchase (
  id uuid primary key,
  customer_id uuid not null references billing_customer (id),
  category text not null check (category in ('evidence', 'document', 'license')),
  -- what is paid for: rows of other modules
  subject_id uuid not null,
  unit_cents integer not null check (unit_cents >= 0),
  quantity integer not null check (quantity > 0),
  status text not null,
  -- of what was dropped there is none
  invoice_id uuid unique references invoice (id) on delete set null,
  -- who is said to have referred the customer, as it was chosen (H-24); null: no one
  referral text check (length(referral) between 1 and 64),
  created_at timestamptz not null,
  status_changed_at timestamptz not null,
  check (status = 'dropped' or invoice_id is not null)
);
-- Of one thing there is one purchase, but for those that came to nothing.
create unique index purchase_of_subject on purchase (category, subject_id) where status <> 'dropped';
create index purchase_of_customer on purchase (customer_id, created_at);
create trigger purchase_follows before insert or update on purchase
  for each row execute function billing_follows('purchase', 'open');

-- What a subscriber with a mandate buys beyond his plan is his at once, and stands on one invoice of the month (H-36, decision 0406).
insert into billing_transition (machine, from_status, to_status) values ('purchase', 'accrued', 'invoiced');
drop trigger purchase_follows on purchase;
create trigger purchase_follows before insert or update on purchase
  for each row execute function billing_follows('purchase', 'open,accrued');

alter table purchase
  -- first day of the month of the calendar that its invoice is of; null: it has an invoice of its own
  add column month_from date check (extract(day from month_from) = 1),
  -- as they were agreed to: what has a draft has them there
  add column net_cents integer check (net_cents >= 0),
  add column vat_cents integer check (vat_cents >= 0),
  add column vat_treatment text check (vat_treatment in ('standard', 'reverse_charge', 'outside')),
  add column vat_rate integer check (vat_rate between 0 and 10000),
  drop constraint purchase_check,
  add constraint purchase_invoiced check (status in ('accrued', 'dropped') or invoice_id is not null),
  add constraint purchase_of_month check ((status in ('accrued', 'invoiced')) = (month_from is not null)),
  add constraint purchase_amounts check (num_nulls(month_from, net_cents, vat_cents, vat_treatment, vat_rate) in (0, 5)),
  drop constraint purchase_invoice_id_key;
create unique index purchase_of_invoice on purchase (invoice_id) where status in ('open', 'paid');
create index purchase_on_invoice on purchase (invoice_id) where status = 'invoiced';
create index purchase_accrued on purchase (month_from, customer_id) where status = 'accrued';

-- The payment of such an invoice is of the subscription, whose dunning it shares, and of no plan.
alter table instalment drop constraint instalment_of_plan;

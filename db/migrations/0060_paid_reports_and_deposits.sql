-- Between the agreement and the report, or the seal of a deposit, lies the payment, where there is one (H-09). What was sealed stays for its day.
insert into evidence_transition (from_status, to_status) values
  ('to_validate', 'awaiting_payment'),
  ('awaiting_payment', 'finalizing'), ('awaiting_payment', 'to_validate'), ('awaiting_payment', 'expired');
drop index evidence_open_drafts;
create index evidence_open_drafts on evidence (owner_id)
  where owner_id is not null and replaced_by is null
    and status in ('queued', 'preparing', 'capturing', 'completing', 'to_validate', 'awaiting_payment');

insert into document_transition (from_status, to_status) values
  ('draft', 'awaiting_payment'),
  ('awaiting_payment', 'stamping'), ('awaiting_payment', 'draft'), ('awaiting_payment', 'expired');
alter table document
  -- of those that are paid for together: what their purchase is of
  add column payment_id uuid,
  drop constraint document_check1,
  add constraint document_ends check ((status in ('draft', 'awaiting_payment')) = (expires_at is not null)),
  add constraint document_paid_together check (status <> 'awaiting_payment' or payment_id is not null);
create index document_paid_for on document (payment_id) where payment_id is not null;
drop index document_drafts;
create index document_drafts on document (expires_at) where status in ('draft', 'awaiting_payment');

-- What others than the owner of an account may spend of it in a month, beyond what his plan includes. Without a line: nothing.
create table spending_limit (
  kind text not null check (kind in ('delegate', 'member', 'key')),
  -- of the delegation, the member, or the key
  holder_id uuid not null,
  ceiling_cents integer not null check (ceiling_cents between 0 and 100000000),
  changed_at timestamptz not null,
  primary key (kind, holder_id)
);
-- By whom a purchase was asked for, of those whom a ceiling holds; what they spent is counted from here.
create table purchase_spender (
  purchase_id uuid not null references purchase (id),
  kind text not null check (kind in ('delegate', 'member', 'key')),
  holder_id uuid not null,
  primary key (purchase_id, kind)
);
create index purchase_spender_of on purchase_spender (kind, holder_id);

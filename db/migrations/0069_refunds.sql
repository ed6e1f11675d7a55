-- How money is given back: by the provider that took it, or by hand, from the seller's own account.
alter table refund
  -- what was settled without an attempt has none; what was paid for a draft that is no more, no invoice
  alter column attempt_id drop not null,
  alter column invoice_id drop not null,
  add column channel text not null check (channel in ('provider', 'bank')),
  -- which provider knows of the payment
  add column realm text check (length(realm) between 1 and 200),
  -- by which it came to the customer's credit; null: more came in than was owed
  add column credit_note_id uuid references invoice (id),
  -- from when the key is known: one that the provider has forgotten is not sent again
  add column key_since timestamptz not null,
  -- when the provider is asked after it next, and how often he was; null: he is not
  add column ask_at timestamptz,
  add column asked integer not null default 0,
  add check (channel = 'bank' or (realm is not null and attempt_id is not null));
-- Of what came without an attempt too, one at a time.
create unique index refund_live_of_invoice on refund (invoice_id) where status in ('started', 'unknown') and attempt_id is null;
create unique index refund_named on refund (realm, reference) where reference is not null;
create index refund_to_ask on refund (ask_at) where ask_at is not null;
create index refund_of_invoice on refund (invoice_id) where invoice_id is not null;
create index refund_by_credit on refund (credit_note_id) where credit_note_id is not null;

-- What we are to send is known by its reference in our statement, as what is sent to us.
alter table transfer_announced add column direction text not null default 'in' check (direction in ('in', 'out'));

alter table billing_intervention drop constraint billing_intervention_kind_check;
alter table billing_intervention add constraint billing_intervention_kind_check
  check (kind in ('credit_note', 'settlement', 'refund', 'refund_paid', 'refund_dropped', 'retry', 'custom_plan'));

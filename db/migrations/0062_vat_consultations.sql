-- What the register of VAT numbers of the union answered, each time: by which an invoice without VAT is justified.
create table vat_consultation (
  id uuid primary key,
  customer_id uuid not null references billing_customer (id),
  vat_number text not null check (length(vat_number) <= 20),
  state text not null check (state in ('valid', 'invalid', 'unreachable')),
  asked_at timestamptz not null,
  -- of the register's own making; null: it gave none
  consultation text check (length(consultation) <= 100),
  -- the answer as it came, or why there was none
  answer jsonb not null
);
create index vat_consultation_of on vat_consultation (customer_id, asked_at);

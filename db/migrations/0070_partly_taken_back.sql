-- Payments of which a part is taken back, of which more came in than was owed, and those of accounts that end meanwhile.
alter table payment_attempt
  -- what the bank has taken back of it, and not given again
  add column taken_cents integer not null default 0 check (taken_cents between 0 and amount_cents),
  -- what the bank took besides
  add column fee_cents integer not null default 0 check (fee_cents >= 0),
  -- what of it was not owed, and went to the customer's credit
  add column surplus_cents integer not null default 0 check (surplus_cents between 0 and amount_cents);
update payment_attempt set taken_cents = amount_cents where reversed_at is not null;
alter table payment_attempt add check ((taken_cents > 0) = (reversed_at is not null));

-- What was paid of it, while the rest, which was taken back, is owed again.
alter table instalment add column kept_cents integer not null default 0 check (kept_cents >= 0);
alter table instalment add check (kept_cents = 0 or status not in ('paid', 'scheduled', 'dropped'));

-- Whoever closes his account buys nothing any more: what still comes in is given back.
insert into billing_transition (machine, from_status, to_status) values
  ('instalment', 'collecting', 'dropped'), ('instalment', 'action_required', 'dropped'), ('instalment', 'unknown', 'dropped');

alter table journal_entry drop constraint journal_entry_kind_check;
alter table journal_entry add constraint journal_entry_kind_check
  check (kind in ('invoice', 'credit_note', 'payment', 'reversal', 'refund', 'fee'));

-- Of a card that ended here: whether the provider has been told.
alter table payment_card add column told_ended boolean not null default true;
create index payment_card_to_end on payment_card (created_at) where not told_ended;

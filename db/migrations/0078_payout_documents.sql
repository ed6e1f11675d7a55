-- What a payout is told by: a statement of each, and, where its payee invoices VAT, the invoice that is made out for him (CGI, art. 289, I, 2).

-- As he was when it was reserved: his invoice is held to its rules then, before any money moves. Ten years after its year he goes.
alter table payout add column payee jsonb, add column payee_salt bytea check (octet_length(payee_salt) = 32),
  add check ((payee is null) = (payee_salt is null));

create function payout_payee_stays() returns trigger language plpgsql as $$
begin
  if old.payee is not null and new.payee is not null and (new.payee, new.payee_salt) is distinct from (old.payee, old.payee_salt) then
    raise exception 'payout % stays what it is', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payout_payee_stays before update on payout for each row execute function payout_payee_stays();

-- `self_billed_credit`: his bank sent the money back, so what was invoiced of it is taken back, and invoiced anew with the next payout.
create table payout_invoice (
  payout_id uuid not null references payout (id),
  kind text not null check (kind in ('self_billed', 'self_billed_credit')),
  series text not null references number_series (series),
  number integer not null check (number > 0),
  issued_on date not null,
  issued_at timestamptz not null,
  -- RFC 8785 JSON of all that it says, with the hash of the one before it in its series; of the payee a salted hash
  content bytea not null,
  sha256 bytea not null check (sha256 = sha256(content)),
  primary key (payout_id, kind),
  unique (series, number)
);
create trigger payout_invoice_only_grows before update or delete on payout_invoice for each row execute function billing_only_grows();

-- Signed PDF files, made by a job.
create table payout_paper (
  payout_id uuid not null references payout (id),
  kind text not null check (kind in ('statement', 'self_billed', 'self_billed_credit')),
  locale text not null check (locale in ('en', 'fr')),
  wished_at timestamptz not null,
  fault text check (length(fault) <= 4000),
  bytes integer check (bytes > 0),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  made_at timestamptz,
  primary key (payout_id, kind, locale),
  check ((sha256 is null) = (made_at is null) and (sha256 is null) = (bytes is null))
);
create index payout_paper_wished on payout_paper (wished_at) where made_at is null and fault is null;

-- Links and codes of a mailbox that somebody else proved first. Whoever shows one reads that mailbox, and is told that it has an account
-- (X-06, decision 0244); of what it stood for nothing is left.
create table outrun_proof (
  -- of the token that it was, which its code is derived with
  id uuid primary key,
  token_hash bytea not null unique check (length(token_hash) = 32),
  code_hash bytea check (length(code_hash) = 32),
  attempts integer not null default 0,
  -- the entry that it would have confirmed
  claim uuid not null,
  -- whose mailbox it is
  email_id uuid not null references email_address (id) on delete cascade,
  expires_at timestamptz not null
);
create index outrun_proof_claim on outrun_proof (claim);
create index outrun_proof_email on outrun_proof (email_id);
create index outrun_proof_expiry on outrun_proof (expires_at);

-- Mails that somebody asked for by an address, whether it has an account or not: the call does the same for each, and a job
-- finds out for whom there is one (decision 0350).
create table mail_request (
  id uuid primary key,
  purpose text not null check (purpose in ('reset_password', 'confirm_address')),
  address_key text not null,
  -- the registration that a confirmation is of, where it was named
  claim uuid,
  asked_at timestamptz not null
);

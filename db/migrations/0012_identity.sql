-- People, how they prove who they are, and the record of what they did.

create table account_user (
  id uuid primary key,
  -- unconfirmed: may not sign in; closing: sign-in only undoes it; erased: nothing personal is left
  status text not null default 'unconfirmed' check (status in ('unconfirmed', 'active', 'suspended', 'closing', 'erased')),
  -- PHC string of argon2id; null once erased
  password_hash text check (password_hash like '$argon2id$%'),
  password_changed_at timestamptz not null,
  first_name text not null check (length(first_name) <= 200),
  last_name text not null check (length(last_name) <= 200),
  locale text not null check (locale in ('en', 'fr')),
  referral_code text not null unique check (referral_code ~ '^[A-Z2-9]{8}$'),
  referred_by uuid references account_user (id),
  -- what the visitor had in mind when registering; binds nothing (V-11)
  formula text check (formula in ('unit', 'essential', 'comfort', 'custom')),
  -- under whose brand the account was made (decision H-07)
  brand text not null default 'probant' check (brand ~ '^[a-z0-9-]{1,40}$'),
  terms_accepted_at timestamptz not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  last_sign_in_at timestamptz,
  suspended_at timestamptz,
  -- deletion: asked for, why, and when the data go
  closing_at timestamptz,
  closing_reason text check (length(closing_reason) <= 2000),
  erase_after timestamptz,
  erased_at timestamptz,
  check ((status = 'suspended') = (suspended_at is not null)),
  check ((status = 'closing') = (erase_after is not null)),
  check ((status = 'erased') = (erased_at is not null)),
  check (password_hash is not null or status = 'erased')
);
create index account_user_unconfirmed on account_user (created_at) where status = 'unconfirmed';
create index account_user_erase on account_user (erase_after) where status = 'closing';
create index account_user_referred on account_user (referred_by, created_at) where referred_by is not null;

create table user_role (
  user_id uuid not null references account_user (id) on delete cascade,
  role text not null check (role in ('support', 'verifier', 'administrator')),
  -- null: by the operator at the command line
  granted_by uuid references account_user (id),
  granted_at timestamptz not null,
  primary key (user_id, role)
);

-- One mailbox may be claimed by several, but confirmed by one alone.
create table email_address (
  id uuid primary key,
  user_id uuid not null references account_user (id) on delete cascade,
  address text not null check (length(address) between 3 and 254),
  address_key text not null check (address_key = lower(address_key)),
  is_primary boolean not null default false,
  verified_at timestamptz,
  created_at timestamptz not null,
  unique (user_id, address_key)
);
create unique index email_address_verified on email_address (address_key) where verified_at is not null;
create unique index email_address_primary on email_address (user_id) where is_primary;
create index email_address_key on email_address (address_key);

create table user_session (
  id uuid primary key,
  user_id uuid not null references account_user (id) on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null,
  remembered boolean not null,
  browser text not null check (length(browser) <= 120),
  network text not null check (length(network) <= 60),
  second_factor boolean not null default false
);
create index user_session_user on user_session (user_id, seen_at desc);
create index user_session_expiry on user_session (expires_at);

-- What is sent by mail: the link's token, and for confirmations a code of six digits that is typed.
create table mailed_token (
  id uuid primary key,
  user_id uuid not null references account_user (id) on delete cascade,
  purpose text not null check (purpose in ('confirm_address', 'reset_password', 'undo_closing')),
  email_id uuid references email_address (id) on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  code_hash bytea check (length(code_hash) = 32),
  -- wrong codes tried
  attempts integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  check ((purpose = 'confirm_address') = (email_id is not null))
);
create index mailed_token_user on mailed_token (user_id, purpose);
create index mailed_token_expiry on mailed_token (expires_at);

-- Where registrations are by invitation (decision H-39).
create table registration_invitation (
  token_hash bytea primary key check (length(token_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_by uuid references account_user (id) on delete set null,
  used_at timestamptz
);

create table second_factor (
  user_id uuid primary key references account_user (id) on delete cascade,
  -- sealed with the installation's master key
  sealed_secret bytea not null,
  created_at timestamptz not null,
  -- null: begun, counts for nothing
  confirmed_at timestamptz,
  -- RFC 6238 §5.2: a code is good once
  last_step bigint not null default 0
);

create table recovery_code (
  user_id uuid not null references account_user (id) on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Growing delays, by account and by block of addresses; keys are keyed hashes, so that the table names nobody.
create table throttle (
  key bytea primary key check (length(key) = 32),
  failures integer not null,
  blocked_until timestamptz not null,
  updated_at timestamptz not null
);
create index throttle_age on throttle (updated_at);

-- Append-only, each line holding the hash of the one before. No names in it: ids, which lead nowhere once somebody is erased.
create table act (
  number bigint primary key,
  at timestamptz not null,
  action text not null check (action ~ '^[a-z_]+\.[a-z_]+$'),
  actor_id uuid,
  on_behalf_of uuid,
  subject_type text,
  subject_id text,
  data jsonb not null,
  previous_hash bytea not null check (length(previous_hash) = 32),
  hash bytea not null unique check (length(hash) = 32)
);
create index act_actor on act (actor_id, number desc);
create index act_behalf on act (on_behalf_of, number desc) where on_behalf_of is not null;
create index act_subject on act (subject_type, subject_id, number desc);

create function act_stays() returns trigger language plpgsql as $$
begin
  raise exception 'the record of acts only grows' using errcode = 'restrict_violation';
end $$;
create trigger act_stays before update or delete on act for each row execute function act_stays();
create trigger act_stays_whole before truncate on act for each statement execute function act_stays();

-- What an account says of itself, whom it is shared with, and how its owner wants it.

-- One row for each account that said anything; names and language stand with the account itself.
create table profile (
  user_id uuid primary key references account_user (id) on delete cascade,
  user_type text check (user_type in ('natural', 'legal')),
  civility text check (civility in ('Mister', 'Madame', 'Other')),
  birth_date text check (birth_date ~ '^\d{4}-\d{2}-\d{2}$'),
  birth_city text check (length(birth_city) <= 100),
  birth_country text check (birth_country ~ '^[A-Z]{2}$'),
  nationality text check (nationality ~ '^[A-Z]{2}$'),
  address text check (length(address) <= 300),
  zip text check (length(zip) <= 16),
  city text check (length(city) <= 100),
  region text check (length(region) <= 100),
  country text check (country ~ '^[A-Z]{2}$'),
  -- E.164
  fixed_phone text check (fixed_phone ~ '^\+[1-9]\d{1,14}$'),
  mobile_phone text check (mobile_phone ~ '^\+[1-9]\d{1,14}$'),
  company_type text check (company_type in ('business', 'organization', 'soletrader')),
  company_name text check (length(company_name) <= 200),
  company_email text check (length(company_email) <= 254),
  company_number text check (length(company_number) <= 60),
  company_address text check (length(company_address) <= 300),
  representative_first_name text check (length(representative_first_name) <= 200),
  representative_last_name text check (length(representative_last_name) <= 200),
  -- JSON, sealed with the installation's master key: whose they are is not who has the account
  sealed_owners bytea,
  owners integer not null default 0 check (owners between 0 and 4),
  updated_at timestamptz not null,
  check ((sealed_owners is null) = (owners = 0)),
  check (user_type = 'legal' or (company_type is null and company_name is null and company_email is null and
    company_number is null and company_address is null and representative_first_name is null and
    representative_last_name is null and owners = 0))
);

-- Unchangeable once saved (E-03).
create function profile_type_stays() returns trigger language plpgsql as $$
begin
  if old.user_type is not null and new.user_type is distinct from old.user_type then
    raise exception 'the kind of user of profile % stays', old.user_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger profile_type_stays before update on profile for each row execute function profile_type_stays();

create table bank_account (
  user_id uuid primary key references account_user (id) on delete cascade,
  type text not null check (type in ('IBAN', 'GB', 'US', 'CA', 'other')),
  -- last characters of its number, by which its owner knows it again
  ending text not null check (length(ending) <= 4),
  -- JSON of everything else, sealed with the installation's master key
  sealed bytea not null,
  updated_at timestamptz not null
);

create table account_settings (
  user_id uuid primary key references account_user (id) on delete cascade,
  server_location text not null default 'automatic' check (server_location in ('automatic', 'dedicated', 'public')),
  server_id text check (length(server_id) <= 200),
  close_cookies boolean not null default false,
  eidas_timestamping boolean not null default true,
  notify_report_ready boolean not null default true,
  notify_draft_ending boolean not null default true,
  notify_download_reminder boolean not null default true,
  check (server_id is null or server_location <> 'automatic')
);

-- The account of a company that others work in (decision H-23).
create table account_group (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  seats integer not null check (seats between 1 and 10000),
  created_at timestamptz not null
);

-- One group for each user; one owner for each group.
create table group_member (
  user_id uuid primary key references account_user (id) on delete cascade,
  group_id uuid not null references account_group (id) on delete cascade,
  role text not null check (role in ('owner', 'manager', 'member')),
  joined_at timestamptz not null
);
create index group_member_group on group_member (group_id, joined_at);
create unique index group_member_owner on group_member (group_id) where role = 'owner';

create table group_invitation (
  id uuid primary key,
  group_id uuid not null references account_group (id) on delete cascade,
  invited_by uuid references account_user (id) on delete set null,
  address text not null check (length(address) between 3 and 254),
  address_key text not null check (address_key = lower(address_key)),
  role text not null check (role in ('manager', 'member')),
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- accepted or withdrawn
  ended_at timestamptz
);
create unique index group_invitation_waiting on group_invitation (group_id, address_key) where ended_at is null;
create index group_invitation_by on group_invitation (invited_by, created_at);
create index group_invitation_expiry on group_invitation (expires_at);

create table access_delegation (
  id uuid primary key,
  grantor_id uuid not null references account_user (id) on delete cascade,
  -- to whom, as the grantor wrote it
  address text not null check (length(address) between 3 and 254),
  address_key text not null check (address_key = lower(address_key)),
  -- whose confirmed address that is, from when he first has the access on; never changed after
  delegate_id uuid references account_user (id) on delete cascade,
  scope text not null check (scope in ('read', 'create', 'manage')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  check (delegate_id <> grantor_id)
);
create unique index access_delegation_in_force on access_delegation (grantor_id, address_key) where ended_at is null;
create index access_delegation_grantor on access_delegation (grantor_id, created_at);
create index access_delegation_delegate on access_delegation (delegate_id, created_at) where ended_at is null;
create index access_delegation_unbound on access_delegation (address_key) where delegate_id is null and ended_at is null;
create index access_delegation_expiry on access_delegation (expires_at);

-- Requests to support and what is said about each (decision 0393); who is written to with news, and by what proof (decision 0393).

create table support_request (
  id uuid primary key,
  -- by which people name it; says nothing of who wrote when
  reference text not null unique check (reference ~ '^[A-Z2-7]{8}$'),
  -- whose box it stands in; null: of a visitor without account
  user_id uuid references account_user (id) on delete cascade,
  name text not null check (length(name) between 1 and 200),
  email text not null check (length(email) between 3 and 254),
  title text not null check (length(title) between 1 and 200),
  locale text not null check (locale in ('en', 'fr')),
  status text not null default 'open' check (status in ('open', 'answered', 'closed')),
  created_at timestamptz not null,
  -- last that was said or decided: retention counts from it
  changed_at timestamptz not null
);
create index support_request_queue on support_request (status, changed_at, id);
create index support_request_own on support_request (user_id, changed_at, id) where user_id is not null;
create index support_request_age on support_request (changed_at);

create table support_message (
  id uuid primary key,
  request_id uuid not null references support_request (id) on delete cascade,
  author text not null check (author in ('sender', 'staff')),
  -- who of the staff
  staff_id uuid references account_user (id),
  text text not null check (length(text) between 1 and 10000),
  created_at timestamptz not null,
  check ((author = 'staff') = (staff_id is not null))
);
create index support_message_of_request on support_message (request_id, created_at, id);

create table support_attachment (
  id uuid primary key,
  message_id uuid not null references support_message (id) on delete cascade,
  place smallint not null check (place >= 0),
  name text not null check (length(name) between 1 and 200),
  -- as announced, and as received
  bytes integer not null check (bytes > 0),
  -- the sealed file, in the scope of the request; null: it has not come
  blob text check (blob ~ '^[0-9a-f]{64}$'),
  received_at timestamptz,
  unique (message_id, place),
  check ((blob is null) = (received_at is null))
);

create table newsletter_subscription (
  id uuid primary key,
  address text not null check (length(address) between 3 and 254),
  address_key text not null unique,
  locale text not null check (locale in ('en', 'fr')),
  asked_at timestamptz not null,
  -- the words that were agreed to, and from which page
  asked_words text not null,
  -- when it was confirmed by the link that only the address was sent; null: nobody has, and nothing is sent to it
  confirmed_at timestamptz
);
create index newsletter_unconfirmed on newsletter_subscription (asked_at) where confirmed_at is null;

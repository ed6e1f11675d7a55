-- Keys with which programs call in somebody's name. Of the key itself, only the hash is kept.

create table api_key (
  id uuid primary key,
  user_id uuid not null references account_user (id) on delete cascade,
  -- as its owner calls it; stands with what is made with it
  name text not null check (length(name) between 1 and 100),
  token_hash bytea not null unique check (length(token_hash) = 32),
  -- how it begins, by which its owner tells it from others
  hint text not null check (hint ~ '^pbt_[A-Za-z0-9_-]{4}$'),
  scopes text[] not null check (
    cardinality(scopes) between 1 and 4
    and scopes <@ array['documents:create', 'documents:read', 'evidences:create', 'evidences:read']
  ),
  -- calls
  per_minute integer not null check (per_minute between 1 and 600),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  -- `2026-11-21`, UTC; nothing finer: it is to be seen that a key is used, not when
  last_used_on text check (last_used_on ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  last_network text check (length(last_network) <= 60),
  check ((last_used_on is null) = (last_network is null))
);
create index api_key_user on api_key (user_id, created_at);
create index api_key_expiry on api_key (expires_at);

create function api_key_erased() returns trigger language plpgsql as $$
begin
  delete from api_key where user_id = new.id;
  return null;
end $$;
create trigger api_key_erased after update on account_user for each row
  when (new.status = 'erased' and old.status <> 'erased') execute function api_key_erased();

-- How an account stands with staff, when its user last proved who he is, and from where he signs in.

alter table account_user
  add column suspended_by uuid references account_user (id),
  -- read by staff alone, and by the person where a law gives him the right to; gone with the suspension
  add column suspension_reason text check (length(suspension_reason) between 1 and 1000),
  add constraint account_user_suspension check (status = 'suspended' or (suspended_by is null and suspension_reason is null));

-- When the password, and the second factor where there is one, was last given in that session.
alter table user_session add column proven_at timestamptz;

-- Browser and network together, as a keyed hash: tells a place that is new to an account from one that is not, and names neither.
create table known_origin (
  user_id uuid not null references account_user (id) on delete cascade,
  key bytea not null check (length(key) = 32),
  seen_at timestamptz not null,
  primary key (user_id, key)
);
create index known_origin_age on known_origin (seen_at);

-- Nothing of where somebody signed in, and why he once could not, outlives the account.
create function known_origin_erased() returns trigger language plpgsql as $$
begin
  delete from known_origin where user_id = new.id;
  return null;
end $$;
create trigger known_origin_erased after update on account_user for each row
  when (new.status = 'erased' and old.status <> 'erased') execute function known_origin_erased();

-- The record of acts is also asked for by what was done, and when.
create index act_action on act (action, number desc);
create index act_at on act (at);

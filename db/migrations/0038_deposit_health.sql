-- Deposits stay provable: what is known of how long their time stamps hold, stamps that come later, and renewals (RFC 4998 section 5).

alter table document_batch
  -- authorities that gave no token when it was sealed, as [{"authority", "code"}]
  add column pending jsonb not null default '[]',
  -- when they are asked again; null: nobody is
  add column ask_again_at timestamptz,
  add column asked_again integer not null default 0,
  -- until when its time stamps hold, through their renewals: the last end of those that stand
  add column stamped_until timestamptz,
  -- when one of them is to be renewed; null: none could be
  add column renew_at timestamptz,
  -- when the two were read from the certificates of the tokens
  add column assessed_at timestamptz,
  add constraint document_batch_assessed check ((stamped_until is null) = (assessed_at is null)),
  add constraint document_batch_health check (state = 'sealed' or (stamped_until is null and ask_again_at is null));
create index document_batch_to_ask on document_batch (ask_again_at) where ask_again_at is not null;
create index document_batch_to_renew on document_batch (renew_at) where renew_at is not null;
create index document_batch_not_assessed on document_batch (id) where state = 'sealed' and assessed_at is null;

-- Sealed once, and for ever: time stamps may be added after those that are there, and nothing else of the seal is ever another.
create or replace function document_batch_stays() returns trigger language plpgsql as $$
begin
  if old.state <> 'stamping' and (new.state <> old.state or new.root is distinct from old.root
      or new.summary - 'timestamps' is distinct from old.summary - 'timestamps'
      or new.sealed_at is distinct from old.sealed_at) then
    raise exception 'batch % is %', old.id, old.state using errcode = 'check_violation';
  end if;
  if old.summary is not null and new.summary is distinct from old.summary and old.summary -> 'timestamps' is distinct from (
      select jsonb_agg(each.stamp order by each.place)
      from jsonb_array_elements(new.summary -> 'timestamps') with ordinality as each (stamp, place)
      where each.place <= jsonb_array_length(old.summary -> 'timestamps')) then
    raise exception 'batch % keeps its time stamps', old.id using errcode = 'check_violation';
  end if;
  if new.blind <> old.blind or new.owner_id <> old.owner_id or new.size <> old.size or old.anchored_at is not null
      and new.anchored_at is distinct from old.anchored_at then
    raise exception 'batch % stays as it is', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- One time stamp over the root of a hash tree, of which each leaf is the hash of a time stamp that it renews.
create table document_renewal (
  id uuid primary key,
  -- TimeStampResp
  token bytea not null check (octet_length(token) between 1 and 1048576),
  -- certificates of its issuers, PEM
  ca bytea not null check (octet_length(ca) between 1 and 1048576),
  authority text not null check (length(authority) <= 1000),
  gen_time timestamptz not null,
  serial text not null check (length(serial) <= 100),
  -- of the installation's own authority
  embedded boolean not null
);

create table document_batch_renewal (
  batch_id uuid not null references document_batch (id) on delete cascade,
  -- the time stamp of the seal that the chain begins with: `document.tsr`
  file text not null check (file ~ '^document(-[0-9]{1,2})?\.tsr$'),
  -- from 1; an evidence record has 64 time stamps at most
  number integer not null check (number between 1 and 63),
  renewal_id uuid not null references document_renewal (id),
  -- from the hash of the time stamp before it to the root, 32 octets for each step, nearest first; empty where it is the root
  path bytea not null check (octet_length(path) % 32 = 0 and octet_length(path) <= 1024),
  primary key (batch_id, file, number)
);
create index document_batch_renewal_stamp on document_batch_renewal (renewal_id);

create function document_renewal_stays() returns trigger language plpgsql as $$
begin
  raise exception 'a renewal stays as it is' using errcode = 'check_violation';
end $$;
create trigger document_renewal_stays before update on document_renewal for each row execute function document_renewal_stays();
create trigger document_batch_renewal_stays before update on document_batch_renewal for each row execute function document_renewal_stays();

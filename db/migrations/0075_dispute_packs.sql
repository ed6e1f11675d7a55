-- P-13: what the owner of a final report has written of his formal notice. It is a draft of his, kept until he, or the report's content, is gone.
create table dispute_pack (
  evidence_id uuid primary key references evidence (id) on delete cascade,
  account_id uuid not null references account_user (id),
  recipient text not null check (length(recipient) <= 600),
  delay_days smallint check (delay_days between 1 and 365),
  -- whole cents of euros
  amount_cents integer check (amount_cents between 1 and 100000000),
  claim_en text not null check (length(claim_en) <= 4000),
  claim_fr text not null check (length(claim_fr) <= 4000),
  -- null: the letter of the template
  letter_en text check (length(letter_en) <= 12000),
  letter_fr text check (length(letter_fr) <= 12000),
  kept_at timestamptz not null
);
create index dispute_pack_of_account on dispute_pack (account_id, evidence_id);

create function dispute_pack_is_forgotten() returns trigger language plpgsql as $$
begin
  delete from dispute_pack where evidence_id = new.id;
  return null;
end $$;
create trigger dispute_pack_is_forgotten after update of content_deleted_at on evidence
  for each row when (new.content_deleted_at is not null) execute function dispute_pack_is_forgotten();

-- Letters that were printed, or are to be: the newest of each language, and nothing older.
create table dispute_print (
  evidence_id uuid not null references dispute_pack (evidence_id) on delete cascade,
  locale text not null check (locale in ('en', 'fr')),
  -- of all that it says, and of its day: what says something else is printed anew
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  day date not null,
  pdf bytea check (octet_length(pdf) between 1 and 16777216),
  fault boolean not null default false,
  asked_at timestamptz not null,
  primary key (evidence_id, locale),
  check (not (fault and pdf is not null))
);

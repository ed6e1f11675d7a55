-- The report that everybody may open: a capture of a page of the installation itself, made and sealed as any other. It is of nobody.
create table sample (
  -- as its manifest names it
  id uuid primary key,
  -- what made it: another release makes another
  software text not null check (length(software) <= 100),
  facts jsonb not null,
  made_at timestamptz not null
);
create table sample_file (
  sample_id uuid not null references sample (id) on delete cascade,
  name text not null check (name in ('package.zip', 'report.en.pdf', 'report.fr.pdf', 'page.png')),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint not null check (bytes > 0),
  primary key (sample_id, name)
);

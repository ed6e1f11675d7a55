-- The report as it will be, marked as a preview and not signed, for whoever has still to decide. Not an entry of the package:
-- it is made when it is first asked for, and goes when the decision is taken.

create table report_preview (
  evidence_id uuid not null references evidence (id) on delete cascade,
  language text not null check (language in ('en', 'fr')),
  asked_at timestamptz not null,
  started_at timestamptz,
  -- the last attempt to print it failed
  failed_at timestamptz,
  -- the PDF, in the scope of the evidence in the blob store
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint check (bytes > 0),
  primary key (evidence_id, language),
  check ((sha256 is null) = (bytes is null)),
  check (sha256 is null or failed_at is null)
);

-- Certificates of the installation's own names, had from an authority by ACME (RFC 8555). Keys are enciphered by the vault.
create table tls_account (
  -- of the authority: another one knows nothing of the key
  directory text primary key check (length(directory) <= 500),
  key bytea not null,
  made_at timestamptz not null
);
create table tls_certificate (
  host text primary key check (length(host) <= 253),
  -- PEM: the certificate, then those above it
  chain text,
  key bytea,
  not_before timestamptz,
  not_after timestamptz,
  -- asked for again not before
  next_at timestamptz not null,
  -- since the last that was had
  failures integer not null default 0 check (failures >= 0),
  problem text check (length(problem) <= 1000),
  check ((chain is null) = (key is null) and (chain is null) = (not_before is null) and (chain is null) = (not_after is null))
);
-- What the authority reads over port 80, from whichever machine it meets (RFC 8555 §8.3).
create table tls_challenge (
  token text primary key check (token ~ '^[A-Za-z0-9_-]{1,200}$'),
  answer text not null check (length(answer) <= 500),
  made_at timestamptz not null
);

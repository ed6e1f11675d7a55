-- The keys that the platform publishes as its own: the exact document, and its signature over these very octets.
create table published_keys (
  one boolean primary key default true check (one),
  -- RFC 8785 (probant-keys/1)
  document text not null,
  -- CMS SignedData, detached over the document in UTF-8
  signature bytea not null,
  issued_at timestamptz not null
);

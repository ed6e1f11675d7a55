-- The European trusted lists as they were last read from their sources; the shipped snapshot stands until then.
create table trusted_list_reading (
  id smallint primary key default 1 check (id = 1),
  -- compact form (probant-trusted-lists/1), the very text that is served; null until a list of lists was read
  lists text,
  -- of each list: {territory, url, state, flaw}
  outcomes jsonb not null,
  checked_at timestamptz not null,
  -- when the lists were last read whole
  read_at timestamptz,
  check ((lists is null) = (read_at is null))
);

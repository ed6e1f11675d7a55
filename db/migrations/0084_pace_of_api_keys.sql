-- How fast a key is used, counted for all web processes together. Lost with a crash, as what was in memory: a minute later it says nothing.
create unlogged table api_key_pace (
  key_id uuid primary key references api_key (id) on delete cascade,
  -- when as many calls as were made would have been made at the key's own pace
  free_at timestamptz not null
);

-- Searches and filters that stay quick in an account of a million evidences (decision 0274).

-- Lets one index hold whose a row is beside the parts of its words. A trusted extension: the owner of the database may create it.
create extension if not exists btree_gin;

-- What is looked for by a word, a maker, a scenario, within what somebody has. Rows that are yet to be sorted into it are read by every
-- search: they stay few.
drop index evidence_search;
create index evidence_search on evidence using gin (owner_id, group_id, created_by, action, scenario, search_text gin_trgm_ops)
  with (gin_pending_list_limit = 512) where owner_id is not null;

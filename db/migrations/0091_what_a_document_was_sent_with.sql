-- A document that was accepted bears the name that was typed when it was sent: with each stands what that was, as keyed hashes, so that it is
-- compared anew where somebody is called otherwise before the rest of what he sends is decided (decision 0440).
alter table identity_document add column typed jsonb;

-- Of one sending alone it is known with what all was sent.
update identity_document d set typed = f.typed
  from identity_file f where f.user_id = d.user_id and f.round = 1 and d.state <> 'ready';

-- An accepted identity document is renewed before it ends, or after: while the new one is looked at, and where it is refused, what was accepted
-- before goes on counting (decision 0440).
alter table identity_file
  -- when that was accepted
  add column stands_since timestamptz,
  -- and what was typed when it had been sent
  add column stands_typed jsonb,
  -- last day on which what was accepted is good; of reminders
  add column ends_on text check (ends_on ~ '^\d{4}-\d{2}-\d{2}$'),
  -- of the mails about that day, how many were sent: one ahead of it, one on it
  add column reminded smallint not null default 0 check (reminded between 0 and 2),
  add check (stands_since is null or state in ('pending', 'failure')),
  add check (stands_typed is null or stands_since is not null);

update identity_file f set ends_on = (
  select min(d.expires_on) from identity_document d where d.user_id = f.user_id and d.state = 'success')
  where f.state = 'success';
create index identity_file_ends on identity_file (ends_on) where ends_on is not null and reminded < 2;

-- Of which ends the owner of a key was told by mail: that it comes within a week, and within a day.
alter table api_key add column told_week_at timestamptz;
alter table api_key add column told_day_at timestamptz;
-- Those that are to be told of.
create index api_key_untold on api_key (expires_at) where told_day_at is null;

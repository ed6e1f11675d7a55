-- Copies of deposited files: pieces in slices for slow lines, reminders before their end, keys that cannot be opened.

-- A piece is one blob, or several slices of it.
alter table document_copy_part
  add column at integer not null default 0 check (at >= 0 and at % 524288 = 0),
  add column bytes integer check (bytes between 1 and 8388608);
update document_copy_part p set bytes = least(8388608, c.bytes - p.part::bigint * 8388608) from document_copy c where c.id = p.copy_id;
alter table document_copy_part alter column bytes set not null, alter column at drop default;
alter table document_copy_part drop constraint document_copy_part_pkey, add primary key (copy_id, part, at);

alter table document_copy
  -- when its key was found not to open: of another master key, or damaged
  add column unopened_at timestamptz,
  -- when a copy of this deposit was first found to be what was deposited, and how long it was: it stays when another takes its place
  add column compared_at timestamptz,
  add column compared_bytes bigint check (compared_bytes >= 0),
  -- of the last mail that told of its end: how many days ahead, and when
  add column reminded_days smallint,
  add column reminded_at timestamptz,
  add check ((compared_at is null) = (compared_bytes is null)),
  add check ((reminded_days is null) = (reminded_at is null));
update document_copy set compared_at = stored_at, compared_bytes = bytes where stored_at is not null;
create index document_copy_reminded on document_copy (reminded_at) where state = 'stored' and reminded_at is not null;

alter table document_notification drop constraint document_notification_kind_check;
alter table document_notification add constraint document_notification_kind_check
  check (kind in ('draft_ending', 'anchored', 'download_reminder'));
comment on column document_notification.occasion is
  'when the first of the drafts ends; the anchor; of copies that end, how many days ahead and when it was written down';
comment on column document.content_deleted_at is
  'when the words of one whose account was closed went; that a copy of its file is gone is said by the copy';

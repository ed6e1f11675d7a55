-- Who has deposits is told when their time stamps were not renewed in time, and once more when they have ended.

alter table document_batch
  -- of which end of its time stamps somebody was told last, whether they had ended then, and when it was written down
  add column warned_until timestamptz,
  add column warned_ended boolean,
  add column warned_at timestamptz,
  add constraint document_batch_warned check ((warned_at is null) = (warned_until is null) and (warned_at is null) = (warned_ended is null));
create index document_batch_stamped on document_batch (stamped_until) where stamped_until is not null;
create index document_batch_warned_at on document_batch (owner_id, warned_at) where warned_at is not null;

alter table document_notification drop constraint document_notification_kind_check;
alter table document_notification add constraint document_notification_kind_check
  check (kind in ('draft_ending', 'anchored', 'download_reminder', 'proof_weakening'));
comment on column document_notification.occasion is
  'when the first of the drafts ends; the anchor; of copies that end, how many days ahead and when it was written down; of time stamps that weaken, when that was';

-- Of a closed account every word is forgotten: the host that was visited too, and what a failure says of it.
update evidence set target_host = '', failure = jsonb_set(failure, '{data}', '{}') where requested_url = '';

-- What a second server saw goes with the files.
update evidence_vantage set status = 'failed', failure = 'erased', facts = null, files = null
where facts is not null
  and exists (select from evidence where evidence.id = evidence_vantage.evidence_id and evidence.content_deleted_at is not null);

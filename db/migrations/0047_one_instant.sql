-- One fact, one instant (decision 0345): a deposit is dated by its time stamp, a capture by its beginning, as the sealed pieces say it.

-- What is sealed is never changed: but here the row, not the seal, told another moment. Tallies by month follow.
alter table document disable trigger user;
alter table document enable trigger document_count_change;
update document set sealed_at = dated.at
from (
  select distinct on (document_batch.id) document_batch.id, (stamp ->> 'gen_time')::timestamptz as at
  from document_batch, jsonb_array_elements(summary -> 'timestamps') as stamp
  where state = 'sealed'
  order by document_batch.id, (stamp ->> 'embedded')::boolean, (stamp ->> 'gen_time')::timestamptz
) as dated
where document.batch_id = dated.id and document.status = 'final' and document.sealed_at <> dated.at;
alter table document enable trigger user;

alter table evidence disable trigger user;
update evidence set captured_at = (facts ->> 'started_at')::timestamptz
where captured_at is not null and facts ->> 'started_at' is not null;
alter table evidence enable trigger user;

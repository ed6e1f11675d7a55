-- The request that asked for an evidence, and its trace: ids alone, for the lines of logs that tell of its capture.
alter table evidence add column origin jsonb;

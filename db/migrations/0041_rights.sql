-- Whatever is open hangs on what admitted it (decision 0330). Where a right ends, the table itself says so, in the transaction that
-- ends it: no code path can forget to. The notice names who or what is concerned; whoever holds something open by it asks again.

create function announce_right() returns trigger language plpgsql as $$
declare
  concerned text;
begin
  execute format('select ($1).%I::text', tg_argv[0]) into concerned using old;
  perform pg_notify('rights', concerned);
  return null;
end $$;

create trigger right_gone after delete on user_session for each row execute function announce_right('id');
create trigger right_changed after update on user_session for each row
  when (new.expires_at < old.expires_at or (old.second_factor and not new.second_factor))
  execute function announce_right('id');

create trigger right_gone after delete on api_key for each row execute function announce_right('id');
create trigger right_changed after update on api_key for each row
  when (new.expires_at < old.expires_at or new.scopes <> old.scopes) execute function announce_right('id');

create trigger right_gone after delete on access_delegation for each row execute function announce_right('id');
create trigger right_changed after update on access_delegation for each row
  when ((new.ended_at, new.scope) is distinct from (old.ended_at, old.scope) or new.expires_at < old.expires_at
    or (old.delegate_id is not null and new.delegate_id is distinct from old.delegate_id))
  execute function announce_right('id');

create trigger right_changed after update on account_user for each row
  when (new.status <> old.status) execute function announce_right('id');
create trigger right_gone after delete on user_role for each row execute function announce_right('user_id');
create trigger right_gone after delete on group_member for each row execute function announce_right('user_id');
create trigger right_changed after update on group_member for each row
  when ((new.group_id, new.role) is distinct from (old.group_id, old.role)) execute function announce_right('user_id');

create trigger right_gone after delete on evidence for each row execute function announce_right('id');
create trigger right_changed after update on evidence for each row
  when ((new.owner_id, new.group_id, new.content_deleted_at) is distinct from (old.owner_id, old.group_id, old.content_deleted_at))
  execute function announce_right('id');
create trigger right_gone after delete on document for each row execute function announce_right('id');
create trigger right_changed after update on document for each row
  when ((new.group_id, new.content_deleted_at) is distinct from (old.group_id, old.content_deleted_at)
    or (old.share_hash is not null and new.share_hash is distinct from old.share_hash))
  execute function announce_right('id');

create trigger right_gone after delete on live_witness for each row execute function announce_right('id');
create trigger right_changed after update on live_witness for each row
  when (new.revoked_at is not null and old.revoked_at is null) execute function announce_right('id');

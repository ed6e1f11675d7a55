-- Who invited a witness, and by which access to the owner's account: the invitation ends when he reaches the evidence no more. Null: the
-- holder of a draft without account.
alter table live_witness
  add column invited_by uuid references account_user (id),
  add column invited_with uuid;

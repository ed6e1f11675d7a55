-- One that is paid after its period ended begins a cycle that day. While its VAT cannot be told, it stands before that cycle, as though a
-- period ended then, and is tried again each day.
alter table subscription drop constraint subscription_months_before_check;
alter table subscription add constraint subscription_months_before_check check (months_before >= -12);

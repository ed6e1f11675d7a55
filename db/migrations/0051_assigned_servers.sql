-- A dedicated server is that of a group, or nobody's (decision 0338).
update capture_server s set owner_group = null
where owner_group is not null and not exists (select from account_group g where g.id = s.owner_group);
alter table capture_server
  add constraint capture_server_owner_group foreign key (owner_group) references account_group (id) on delete set null;
create index capture_server_owner_group on capture_server (owner_group) where owner_group is not null;

-- Who gives a licence, as he was called when its invoice was made: a contract names both, whatever becomes of the seller's account meanwhile.
alter table license add column licensor text check (length(licensor) between 1 and 250);
update license l set licensor = left(coalesce(
    (select nullif(trim(p.company_name), '') from profile p where p.user_id = l.seller_id and p.user_type = 'legal'),
    nullif(trim(u.first_name || ' ' || u.last_name), '')), 250)
  from account_user u where u.id = l.seller_id and l.status <> 'lapsed';

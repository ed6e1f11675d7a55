-- Names and companies are folded once, and not for each row that an index gives.
drop index account_user_name;
drop index profile_company;
alter table account_user add column folded_name text generated always as (review_fold(first_name || ' ' || last_name)) stored;
alter table profile add column folded_company text generated always as (review_fold(company_name)) stored;
create index account_user_name on account_user using gin (folded_name gin_trgm_ops);
create index profile_company on profile using gin (folded_company gin_trgm_ops) where folded_company is not null;

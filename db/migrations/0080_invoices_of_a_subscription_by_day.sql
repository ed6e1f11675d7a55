-- Which days of a subscription were invoiced is looked at by the day: what covers some of the same is found beside it, not among all of them.
drop index invoice_of_subscription;
create index invoice_of_subscription on invoice (subscription_id, covers_from) where subscription_id is not null;

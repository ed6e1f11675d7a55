-- A customer's invoices of one kind, of one state or with a part of a number are found and counted in the index alone: his rows lie far apart among those of all.
drop index invoice_of_customer;
create index invoice_of_customer on invoice (customer_id, created_at desc, id desc) include (category, settlement, series, number);

-- widens: sample_file_name_check
-- The sample is made in each language: of the page as whoever reads that language meets it. That of before, whose picture is a PNG, is of the
-- English page, and so is what the version before makes.
alter table sample add column locale text not null default 'en' unique check (locale in ('en', 'fr'));
alter table sample_file drop constraint sample_file_name_check;
alter table sample_file add constraint sample_file_name_check
  check (name in ('package.zip', 'report.en.pdf', 'report.fr.pdf', 'page.png', 'page.jpg'));

-- Beside the PDF of a preview: the document of which it was made, for a screen. Previews that were printed before have none.
alter table report_preview
  add column document_sha256 text check (document_sha256 ~ '^[0-9a-f]{64}$'),
  add column document_bytes bigint check (document_bytes > 0),
  add check ((document_sha256 is null) = (document_bytes is null)),
  add check (document_sha256 is null or sha256 is not null);

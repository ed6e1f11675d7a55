/** Names of docs/package-format.md. */
export const covers = [
  { xml: 'META-INF/ASiCManifest001.xml', token: 'META-INF/timestamp001.tst', chain: 'META-INF/timestamp001-ca.pem' },
  { xml: 'META-INF/ASiCManifest002.xml', token: 'META-INF/timestamp002.tst', chain: 'META-INF/timestamp002-ca.pem' },
] as const
export const [coreCover, pieceCover] = covers
export const mimetype = 'application/vnd.etsi.asic-e+zip'
export const reports = ['report.en.pdf', 'report.fr.pdf'] as const
/** What the first cover must name (docs/package-format.md), in this order; seal files of tokens come between. */
export const mustBeCovered = [
  'manifest.json',
  'README.txt',
  ...reports,
  'seal/root.bin',
  'seal/signature.p7s',
  'seal/platform-ca.pem',
  'seal/seal.json',
  'verify.html',
]
export const tokenFile = /^seal\/timestamp-[1-9]\d?\.tsr$/
export const coreFile =
  /^(?:manifest\.json|README\.txt|report\.(?:en|fr)\.pdf|verify\.html|seal\/(?:root\.bin|signature\.p7s|platform-ca\.pem|seal\.json|log-proof\.txt|keys\.json|keys\.p7s|message\.txt|message-signatures\.json|anchor\.ots|anchor\.chainpoint\.json|anchor-header\.json|timestamp-[1-9]\d?(?:\.tsr|-ca\.pem)|renewal-[1-9]\d?(?:\.json|-log-proof\.txt|\.tsr|-ca\.pem)))$/

/** Seal files that a package may have besides: when present, they too must be covered. */
export const optionalSealFile =
  /^seal\/(?:log-proof\.txt|keys\.json|keys\.p7s|message\.txt|message-signatures\.json|anchor\.ots|anchor\.chainpoint\.json|anchor-header\.json|renewal-[1-9]\d?(?:\.json|-log-proof\.txt|\.tsr|-ca\.pem))$/

export type CoverPaths = (typeof covers)[number]

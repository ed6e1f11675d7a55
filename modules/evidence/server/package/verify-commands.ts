/**
 * The commands that the report and README.txt give, each tried against real packages in tests. They run in a POSIX shell in
 * the folder where the package was unzipped, with coreutils, OpenSSL 3, xxd and poppler.
 */
import type { Locale } from '../../../../kernel/locale.ts'

/** Prints the sum of every piece, to compare with the list. */
export const sumsCommand = 'find capture environment -type f -exec sha256sum {} + | sort -k 2'

/** Compares the sum of every piece with manifest.json, whose canonical form has one fixed order of members. */
export const checkSumsCommand =
  'grep -o \'"path":"[^"]*","role":"[^"]*","sha256":"[0-9a-f]*"\' manifest.json |\n' +
  '  sed \'s/"path":"\\([^"]*\\)".*"sha256":"\\([0-9a-f]*\\)"/\\2  \\1/\' | sha256sum -c'

export const cmsCommand =
  'openssl cms -verify -binary -inform DER -in seal/signature.p7s \\\n  -content seal/root.bin -CAfile seal/platform-ca.pem -purpose any -out /dev/null'

export const keysCommand =
  'openssl cms -verify -binary -inform DER -in seal/keys.p7s \\\n  -content seal/keys.json -CAfile seal/platform-ca.pem -purpose any -out /dev/null'

export function timestampCommand(stamp: { readonly file: string; readonly ca_file: string }): string {
  return `openssl ts -verify -digest $(xxd -p -c 64 seal/root.bin) \\\n  -in ${stamp.file} -CAfile ${stamp.ca_file}`
}

/** The entry of the public log that stands for the root. */
export const logEntryCommand =
  "{ printf 'probant-log/1\\n'; sed -n 's/^extra //p' seal/log-proof.txt | base64 -d; \\\n  cat seal/root.bin; } | sha256sum"

/** The list of everything but the pieces; that of the pieces is the same with 002. */
export const coverCommand =
  'openssl ts -verify -data META-INF/ASiCManifest001.xml -token_in \\\n  -in META-INF/timestamp001.tst -CAfile META-INF/timestamp001-ca.pem'

export function pdfCommand(locale: Locale): string {
  return `pdfsig report.${locale}.pdf`
}

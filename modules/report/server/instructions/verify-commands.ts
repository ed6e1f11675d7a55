/**
 * The commands that the report and README.txt give, each tried against real packages in tests. They run in a POSIX shell in
 * the folder where the package was unzipped, with coreutils, OpenSSL 3, xxd and poppler; those of an interactive session with ffmpeg too.
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

/** Prints each line of the timeline that does not follow from the one before. */
export const timelineCommand = String.raw`p=null; while IFS= read -r l; do
  case $l in *"\"previous\":$p,\"type\""*) ;; *) printf '%s\n' "$l";; esac
  p="\"$(printf %s "$l" | sha256sum | cut -c1-64)\""
done < capture/timeline.jsonl`

/** Prints each group of pictures whose digests are not those of the timeline. */
export const videoCommand = String.raw`v=$(ffmpeg -v error -i capture/session.mp4 -map 0:v -c copy \
  -f framehash -hash sha256 - | awk -F', *' '/^[^#]/{print $3" "$6}')
sed -n 's/.*"first_frame":\([0-9]*\),"first_packet":[0-9]*,"frames":\([0-9]*\),.*"group":\([0-9]*\),.*"video":"\([0-9a-f]*\)".*/\1 \2 \3 \4/p' \
  capture/timeline.jsonl | while read -r f n g h; do
  echo "$v" | sed -n "$((f+1)),$((f+n))p" | sha256sum | grep -q "^$h" || echo "group $g"
done`

/** Prints the digest of the last line of the timeline, which stands for all of them. */
export const headCommand = String.raw`tail -n 1 capture/timeline.jsonl | tr -d '\n' | sha256sum`

/** Fingerprint of the platform's authority, as an operator publishes it: that of the last certificate, which is the root. */
export const authorityCommand =
  "sed -n -e '/BEGIN/h' -e '/BEGIN/!H' -e '${x;p;}' seal/platform-ca.pem |\n  openssl x509 -noout -subject -fingerprint -sha256"

/** The last of masking: what the browser saved, what we wrote down, and the facts, once everything else is made. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CapturedFile, CaptureResult } from '../../domain/outcome/outcome.ts'
import { madeOfRecord } from './mask-record.ts'
import type { Masking } from './masking.ts'

/** What was dated or chained while it was made: nothing in it may become another. */
const unalterable: ReadonlySet<CapturedFile['role']> = new Set(['timeline', 'session_timestamp'])
const pictures: ReadonlySet<CapturedFile['role']> = new Set([
  'viewport_screenshot',
  'full_page_screenshot',
  'session_video',
  'key_frame',
])
/** A printed page that is longer is not read: it is left out. Octets. */
const longestPdf = 64 * 1024 * 1024

/** Pages as the browser saved them: masked, or left out where the form does not allow it. */
export async function maskSaved(saved: readonly CapturedFile[], masking: Masking): Promise<readonly CapturedFile[]> {
  const kept: CapturedFile[] = []
  for (const file of saved) {
    if (file.role === 'page_pdf' && (await pdfHolds(file.file, masking))) await masking.withhold(file)
    else {
      await masking.maskFile(file)
      kept.push(file)
    }
  }
  return kept
}

/** @param saved masked already */
export async function maskResult(
  { files, facts }: CaptureResult,
  deps: { readonly masking: Masking; readonly workDir: string; readonly saved: readonly CapturedFile[] },
): Promise<CaptureResult> {
  const { masking, workDir } = deps
  const done = new Set(deps.saved.map(({ path }) => path))
  const kept: CapturedFile[] = []
  for (const file of files) {
    if (file.role === 'download' && (await masking.holds(file.file))) {
      await masking.withhold(file)
      continue
    }
    kept.push(file)
    const leave =
      unalterable.has(file.role) ||
      pictures.has(file.role) ||
      file.role === 'download' ||
      file.role === 'certificates' ||
      file.role === 'tls_keys'
    if (!leave && !done.has(file.path) && !madeOfRecord.has(file.path)) await masking.maskFile(file)
  }
  const account = await masking.write(
    join(workDir, 'masking.json'),
    kept.filter(({ role }) => unalterable.has(role)),
  )
  const withheld = new Set(masking.withheld().map(({ path }) => path))
  const masked = masking.maskValue(facts)
  const { interactive } = masked
  const keys = masking.tlsKeys()
  return {
    files: [...kept, account],
    facts: {
      ...masked,
      // What was asked for is sealed and dated as it was asked for.
      requested_url: facts.requested_url,
      interactive:
        interactive === null
          ? null
          : {
              ...interactive,
              downloads: interactive.downloads.map((one) =>
                one.path !== null && withheld.has(one.path) ? { ...one, path: null, refused: 'secret' } : one,
              ),
              secrets: interactive.secrets.map((one, i) => ({ ...one, masked_in: masking.maskedIn()[i] ?? [] })),
              withheld: masking.withheld(),
              ...(keys === null ? {} : { tls_keys: keys }),
            },
    },
  }
}

/** In what it says, in its links, and in its octets. What cannot be read is taken to hold one. */
async function pdfHolds(file: string, masking: Masking): Promise<boolean> {
  if ((await stat(file)).size > longestPdf || (await masking.holds(file))) return true
  const { PDF } = await import('@libpdf/core')
  try {
    const pdf = await PDF.load(await readFile(file))
    const text = pdf
      .extractText()
      .map((page) => page.text)
      .join('\n')
    return [text, text.replaceAll(/\s+/g, '')].some((one) => masking.masker.maskText(one).times > 0)
  } catch {
    return true
  }
}

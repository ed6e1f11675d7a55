/** From what a capture left on the disk to a package that can be streamed, without a row: for the command line, and for the sample. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Clock } from '../../../../kernel/clock.ts'
import { readBlocks } from '../../../../platform/files/read-blocks.ts'
import type { CapturedFile, CaptureResult } from '../../../capture/server/index.ts'
import type { AskedBy } from '../../../report/server/index.ts'
import { sealPieces, type Keyring, type PublicLog, type Timestamper } from '../../../sealing/server/index.ts'
import { subjectOf } from '../seal/subject-of.ts'
import { assemblePackage } from './assemble-package.ts'

export type SealCapturedDeps = {
  readonly keyring: Keyring
  readonly timestampers: readonly Timestamper[]
  readonly clock: Clock
  /** Built `verify.html`. */
  readonly verifyHtmlFile: string
  /** Temporary folder, for what is printed. */
  readonly workDir: string
  /** The root is put into it; absent where there is none. */
  readonly publicLog?: PublicLog | undefined
  /** Name of this installation's witness, for the list of its keys. */
  readonly witness?: string | undefined
  readonly signal: AbortSignal
}

const longestMs = 10 * 60 * 1000

export async function sealCaptured(
  input: {
    readonly evidenceId: string
    readonly captured: CaptureResult
    readonly askedBy: AskedBy
    /** Where readers elsewhere reach this installation; null when they cannot. */
    readonly siteUrl: string | null
  },
  deps: SealCapturedDeps,
) {
  const { evidenceId, captured, askedBy, siteUrl } = input
  const { keyring, timestampers, clock, verifyHtmlFile, workDir, publicLog, witness, signal } = deps
  const pieces = await Promise.all(captured.files.map(describe))
  const subject = subjectOf(evidenceId, captured.facts.interactive === null ? 'static' : 'interactive', captured.facts)
  const sealed = await sealPieces(
    { subject, pieces: pieces.map(({ path, role, media_type, bytes, sha256 }) => ({ path, role, media_type, bytes, sha256 })) },
    { keyring, timestampers, clock, signal, log: publicLog, witness },
  )
  const layout = await assemblePackage(
    {
      subject,
      facts: captured.facts,
      askedBy,
      pieces: pieces.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
      seal: sealed.summary,
      sealedFiles: sealed.files,
      siteUrl,
    },
    {
      keyring,
      timestampers,
      clock,
      verifyHtmlFile,
      localFile: async (path) => await Promise.resolve(fileOf(captured.files, path)),
      workDir,
      signal: AbortSignal.any([signal, AbortSignal.timeout(longestMs)]),
    },
  )
  return { sealed, layout }
}

function fileOf(files: readonly CapturedFile[], path: string): string {
  const found = files.find((file) => file.path === path)
  if (found === undefined) throw new Error(`${path} is not a piece`)
  return found.file
}

async function describe(file: CapturedFile) {
  const hash = createHash('sha256')
  let bytes = 0
  let crc = 0
  for await (const chunk of readBlocks(file.file)) {
    hash.update(chunk)
    crc = crc32(chunk, crc)
    bytes += chunk.length
  }
  return {
    path: file.path,
    role: file.role,
    media_type: file.media_type,
    mediaType: file.media_type,
    bytes,
    sha256: hash.digest('hex'),
    crc32: crc,
    open: async () => await Promise.resolve(createReadStream(file.file)),
  }
}

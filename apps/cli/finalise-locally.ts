import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'
import { systemClock } from '../../kernel/clock.ts'
import type { CapturedFile } from '../../modules/capture/server/index.ts'
import { assemblePackage, packageStream, subjectOf } from '../../modules/evidence/server/index.ts'
import { createNotary, createTimestampers, openKeyring, sealPieces } from '../../modules/sealing/server/index.ts'
import { readBlocks } from '../../platform/files/read-blocks.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { packageSoftware } from '../../platform/config/software.ts'
import type { Finalise, OpenNotary } from './capture.ts'

const verifyHtmlFile = fileURLToPath(new URL('../../dist/verify/verify.html', import.meta.url))
const longestMs = 10 * 60 * 1000

/** With a data folder of its own the command signs with that installation's keys; otherwise with keys of this run alone. */
const ownFolder = (env: Parameters<OpenNotary>[0]['env'], workDir: string, dataFolder: string): string =>
  env['PROBANT_DATA'] === undefined ? workDir : dataFolder

/** Dates and signs in this very process, which holds the keys anyway. */
export const openLocalNotary: OpenNotary = async ({ workDir, env, log }) => {
  const config = loadConfig(env)
  const folder = ownFolder(env, workDir, config.dataFolder)
  return await createNotary({
    keyring: await openKeyring({ dir: join(folder, 'keys'), clock: systemClock, log, token: config.sealingToken ?? undefined }),
    archiveKeyDir: join(folder, 'archive-keys'),
    domain: config.archiveDomain,
    urls: config.tsaUrls,
    software: packageSoftware,
    clock: systemClock,
    log,
  })
}

/** The same seal, reports and package as the platform makes, from local files to one local file. */
export const finaliseLocally: Finalise = async ({ evidenceId, captured, outFile, workDir, env, log, signal }) => {
  const config = loadConfig(env)
  const keyFolder = join(ownFolder(env, workDir, config.dataFolder), 'keys')
  const keyring = await openKeyring({ dir: keyFolder, clock: systemClock, log, token: config.sealingToken ?? undefined })
  const timestampers = createTimestampers({ urls: config.tsaUrls, keyring, clock: systemClock, log })
  const pieces = await Promise.all(captured.files.map(describe))
  const subject = subjectOf(evidenceId, captured.facts.interactive === null ? 'static' : 'interactive', captured.facts)
  const sealed = await sealPieces(
    { subject, pieces: pieces.map(({ path, role, media_type, bytes, sha256 }) => ({ path, role, media_type, bytes, sha256 })) },
    { keyring, timestampers, clock: systemClock, signal },
  )
  const layout = await assemblePackage(
    {
      subject,
      facts: captured.facts,
      askedBy: { kind: 'command_line' },
      pieces: pieces.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
      seal: sealed.summary,
      sealedFiles: sealed.files,
      siteUrl: null,
    },
    {
      keyring,
      timestampers,
      clock: systemClock,
      verifyHtmlFile,
      localFile: async (path) => await Promise.resolve(fileOf(captured.files, path)),
      workDir: join(workDir, 'reports'),
      signal: AbortSignal.any([signal, AbortSignal.timeout(longestMs)]),
    },
  )
  await writeWhole(outFile, packageStream(layout.full()).stream, signal)
  return { root: sealed.root, state: captured.facts.completeness.state }
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

/** A file that exists is replaced by a whole package or not at all. */
async function writeWhole(outFile: string, stream: NodeJS.ReadableStream, signal: AbortSignal): Promise<void> {
  const partial = `${outFile}.${String(process.pid)}.partial`
  try {
    await pipeline(stream, createWriteStream(partial, { flags: 'wx' }), { signal })
    const handle = await open(partial)
    await handle.sync()
    await handle.close()
    await rename(partial, outFile)
  } finally {
    await rm(partial, { force: true })
  }
}

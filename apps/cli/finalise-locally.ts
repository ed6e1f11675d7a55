import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../kernel/clock.ts'
import { packageStream, sealCaptured } from '../../modules/evidence/server/index.ts'
import { createNotary, createTimestampers, openKeyring } from '../../modules/sealing/server/index.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { packageSoftware } from '../../platform/config/software.ts'
import type { Finalise, OpenNotary } from './capture.ts'

const verifyHtmlFile = fileURLToPath(new URL('../../dist/verify/verify.html', import.meta.url))

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
  const { sealed, layout } = await sealCaptured(
    { evidenceId, captured, askedBy: { kind: 'command_line' }, siteUrl: null },
    {
      keyring,
      timestampers: createTimestampers({ urls: config.tsaUrls, keyring, clock: systemClock, log }),
      clock: systemClock,
      verifyHtmlFile,
      workDir: join(workDir, 'reports'),
      signal,
    },
  )
  await writeWhole(outFile, packageStream(layout.full()).stream, signal)
  return { root: sealed.root, state: captured.facts.completeness.state }
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

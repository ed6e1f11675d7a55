import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashFile } from '../../../../platform/files/hash-file.ts'
import { compareVantages, type CapturedFile, type CaptureFacts } from '../../../capture/server/index.ts'
import type { EvidenceDeps } from '../record/deps.ts'
import type { FileRecord } from '../files/file-store.ts'
import { compareImages, readSeen, type VantagePieces } from './read-seen.ts'
import { failVantage, findVantage, type VantageRecord } from './vantage-store.ts'

export type Outcome = { readonly files: readonly CapturedFile[]; readonly facts: CaptureFacts }

/** The second may end so much later than the first. */
const defaultWaitMs = 180_000
const lookMs = 200

export const vantageFolder = 'capture/vantage-2'
export const comparisonPath = `${vantageFolder}/comparison.json`
/** Where a piece of the second capture stands in the package: apart from the first's, under its own path. */
export const vantagePath = (path: string): string => `${vantageFolder}/${path.replace(/^capture\//, '')}`

/**
 * Waits for the second to end and adds what it saw to the first: its pieces (already stored), the comparison, the facts. A second that
 * failed is said; it never fails the first. Without a second nothing changes.
 */
export async function joinVantage(
  deps: EvidenceDeps,
  evidenceId: string,
  outcome: Outcome,
  options: { readonly workDir: string; readonly signal: AbortSignal; readonly waitMs?: number },
): Promise<{ readonly outcome: Outcome; readonly stored: readonly FileRecord[] }> {
  const vantage = await awaitEnd(deps, evidenceId, options)
  if (vantage === null) return { outcome, stored: [] }
  const stored = vantage.files ?? []
  const comparisons =
    vantage.facts === null ? [] : await compareWith(deps, evidenceId, outcome, { facts: vantage.facts, files: stored }, options)
  const facts: NonNullable<CaptureFacts['vantage']> = {
    server: {
      id: vantage.serverId ?? vantage.askedServer ?? '',
      name: vantage.serverName ?? vantage.serverId ?? vantage.askedServer ?? '',
      country: vantage.serverCountry,
    },
    state: vantage.facts === null ? 'failed' : 'captured',
    failure: vantage.failure,
    started_at: vantage.facts?.started_at ?? null,
    apart_ms:
      vantage.facts === null || vantage.firstLeftAt === null || vantage.secondLeftAt === null
        ? null
        : Math.abs(vantage.firstLeftAt.getTime() - vantage.secondLeftAt.getTime()),
    images: (vantage.facts?.images ?? []).map((image) => ({ ...image, path: vantagePath(image.path) })),
    comparisons,
  }
  const file = join(options.workDir, 'vantage-comparison.json')
  const note = {
    format: 'probant-vantage/1',
    note: 'first: the capture of this package; second: the capture under capture/vantage-2. Pixels agree when no channel differs by more than 16 of 255; words are those of the document without markup, scripts and styles.',
    first: { server: outcome.facts.server, started_at: outcome.facts.started_at, navigated_at: outcome.facts.navigated_at },
    second: facts,
  }
  await writeFile(file, `${JSON.stringify(note, null, 1)}\n`)
  const comparison: CapturedFile = { path: comparisonPath, role: 'vantage', media_type: 'application/json', file }
  return {
    outcome: { files: [...outcome.files, comparison], facts: { ...outcome.facts, vantage: facts } },
    stored,
  }
}

async function awaitEnd(
  deps: EvidenceDeps,
  evidenceId: string,
  options: { readonly signal: AbortSignal; readonly waitMs?: number },
): Promise<VantageRecord | null> {
  const until = performance.now() + (options.waitMs ?? defaultWaitMs)
  for (;;) {
    const vantage = await findVantage(deps.db, evidenceId)
    if (vantage === null || vantage.status === 'captured' || vantage.status === 'failed') return vantage
    if (vantage.lost) await failVantage(deps.db, evidenceId, 'lost', 'not_ended')
    else if (vantage.status === 'waiting' || performance.now() >= until)
      await failVantage(deps.db, evidenceId, 'not_met', 'not_ended')
    else await sleep(lookMs, undefined, { signal: options.signal })
  }
}

async function compareWith(
  deps: EvidenceDeps,
  evidenceId: string,
  first: Outcome,
  second: { readonly facts: CaptureFacts; readonly files: readonly FileRecord[] },
  { workDir, signal }: { readonly workDir: string; readonly signal: AbortSignal },
): Promise<NonNullable<CaptureFacts['vantage']>['comparisons']> {
  const folder = join(workDir, 'vantage-2')
  await mkdir(folder, { recursive: true })
  const scope = deps.blobs.scope(evidenceId)
  const secondFile = async (path: string): Promise<string | null> => {
    const found = second.files.find((file) => file.path === vantagePath(path))
    if (found === undefined) return null
    const local = join(folder, found.sha256)
    await pipeline(await scope.open(found.sha256), createWriteStream(local), { signal })
    return local
  }
  const firstFile = async (path: string): Promise<string | null> =>
    await Promise.resolve(first.files.find((file) => file.path === path)?.file ?? null)
  const sourceOfFirst = first.files.find(({ role }) => role === 'source')
  const sourceOfSecond = second.files.find(({ path }) => /\/source\.(html|bin)$/.test(path))
  try {
    const [mine, theirs] = [
      await piecesOf(first.facts, firstFile, sourceOfFirst === undefined ? null : await hashFile(sourceOfFirst.file)),
      await piecesOf(second.facts, secondFile, sourceOfSecond?.sha256 ?? null),
    ]
    const images = await compareImages(mine.images, theirs.images, signal)
    return compareVantages(await readSeen(first.facts, mine), await readSeen(second.facts, theirs), images)
  } catch (error) {
    signal.throwIfAborted()
    // Both captures stand in the package: whoever wants can compare them; the first is not lost over it.
    deps.log.error({ err: error, evidence_id: evidenceId }, 'the two captures could not be compared')
    return []
  }
}

async function piecesOf(
  facts: CaptureFacts,
  fileOf: (path: string) => Promise<string | null>,
  sourceSha256: string | null,
): Promise<VantagePieces> {
  const paths = facts.images.filter(({ kind }) => kind === 'full_page').sort((a, b) => a.index - b.index)
  const images: string[] = []
  for (const { path } of paths) {
    const file = await fileOf(path)
    if (file !== null) images.push(file)
  }
  return { sourceSha256, dom: await fileOf('capture/dom.html'), har: await fileOf('capture/network.har'), images }
}

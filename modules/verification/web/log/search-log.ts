import { apiAddress } from '../../../../ui/api/api-address.ts'
import { serverNow } from '../../../../ui/api/server-clock.ts'
import { compareWithLog, type LiveComparison } from '../../domain/log/compare-live.ts'
import { verifyLogProof } from '../../domain/log/verify-log-proof.ts'
import type { ProofReport } from '../../domain/report/proof-report.ts'
import { readZip } from '../../domain/zip/read-zip.ts'
import { contentOf } from '../../domain/zip/read-inflated.ts'
import { loadPlatformKeys } from '../run/platform-keys.ts'
import { fileOfBlob, type GivenFile } from '../run/read-files.ts'

export type Found = { readonly own: ProofReport; readonly live: LiveComparison | 'unreachable' }

/** @returns null: there is no entry of a log in what was given */
export async function searchLog(files: readonly GivenFile[]): Promise<Found | null> {
  const given = await readGiven(files)
  if (given === null) return null
  const known = await loadPlatformKeys()
  const deps = { now: () => new Date(serverNow()), ...(known === null ? {} : { keys: known }) }
  const own = await verifyLogProof(given, deps)
  const live = await compareWithLog(given, readLogFile, deps).catch(() => 'unreachable' as const)
  return { own, live }
}

async function readLogFile(path: string): Promise<Uint8Array | null> {
  const answer = await fetch(apiAddress(`/log/${path}`), { credentials: 'omit' })
  if (answer.status === 404) return null
  if (!answer.ok) throw new Error(`status ${answer.status}`)
  return new Uint8Array(await answer.arrayBuffer())
}

/** A package; or its `log-proof.txt` together with its `root.bin`, whatever they are called. */
async function readGiven(files: readonly GivenFile[]): Promise<{ proof: Uint8Array; root: Uint8Array } | null> {
  let [proof, root]: (Uint8Array | undefined)[] = []
  for (const { path: name, file } of files.slice(0, 20)) {
    if (file.size === 32) root = new Uint8Array(await file.arrayBuffer())
    else if (file.size < 1 << 17 && (await file.slice(0, 12).text()) === 'c2sp.org/tlo')
      proof = new Uint8Array(await file.arrayBuffer())
    else {
      const source = fileOfBlob(name, file)
      for (const entry of (await readZip(source)).entries) {
        const { path, size } = entry
        if (path === 'seal/log-proof.txt' && size < 1 << 17) proof = await contentOf(source, entry).read(0, size)
        if (path === 'seal/root.bin' && size === 32) root = await contentOf(source, entry).read(0, size)
      }
    }
  }
  return proof === undefined || root === undefined ? null : { proof, root }
}

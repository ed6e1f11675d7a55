/** What the verifier says of the pieces of an interactive session, as if all of them and no others were sealed: one line a check. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { interactiveChecks } from '../modules/verification/domain/package/session/verify-interactive.ts'
import type { Manifest } from '../modules/verification/domain/manifest/manifest.ts'
import { readSessionRecord, sessionRecordPath } from '../modules/verification/domain/package/session/session-record.ts'
import { hostSha256 } from '../modules/verification/server/index.ts'

export async function checkInteractive(files: readonly { readonly path: string; readonly file: string }[]): Promise<string[]> {
  const entries = new Map(
    await Promise.all(
      files.map(async ({ path, file }) => {
        const bytes = await readFile(file)
        const sha256 = createHash('sha256').update(bytes).digest('hex')
        const read = async (at: number, length: number): Promise<Uint8Array> => bytes.subarray(at, at + length)
        return [path, { path, size: bytes.length, sha256, read }] as const
      }),
    ),
  )
  const record = entries.get(sessionRecordPath)
  const session = record === undefined ? null : readSessionRecord(await record.read(0, record.size))
  const deps = { now: () => new Date(), sha256: hostSha256 }
  const pieces = [...entries.values()].map(({ path, sha256 }) => ({ path, sha256 }))
  const manifest = { subject: { kind: 'interactive' }, pieces } as unknown as Manifest
  const checks = await interactiveChecks(entries, manifest, { session, short: false }, deps)
  return checks.map(({ id, status, data }) => `${id} ${status} ${data['reason'] ?? ''}`.trim())
}

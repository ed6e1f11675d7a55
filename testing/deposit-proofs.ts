import { createHash, randomBytes } from 'node:crypto'
import { AFRelationship, PDFDocument } from '@cantoo/pdf-lib'
import { systemClock } from '../kernel/clock.ts'
import { createTimestampers, openKeyring, sealRoot, signPdf } from '../modules/sealing/server/index.ts'
import { buildEvidenceRecord, buildHashTree } from '../modules/verification/server/index.ts'
import { silentLog } from '../platform/log/log.ts'
import { logInMemory } from './log-in-memory.ts'
import { zipOf } from './write-zip.ts'

export type DepositProofs = {
  /** As their archive holds them. */
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[]
  readonly zip: Uint8Array
  /** A signed PDF to which they are attached. */
  readonly certificate: Uint8Array
}

const digest = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash('sha256').update(bytes).digest())
const text = (words: string): Uint8Array => new TextEncoder().encode(words)

/**
 * The proofs of files that were deposited together, each by its own: real keys, signature, token and log, and a small certificate.
 * `keys` is a folder for the keyring; one folder gives one platform, which is its own time authority unless told of another.
 */
export async function depositProofs(
  documents: readonly Uint8Array[],
  platform: { keys: string; origin?: string; tsaUrls?: readonly string[]; certificates?: boolean },
): Promise<DepositProofs[]> {
  const clock = systemClock
  const keyring = await openKeyring({ dir: platform.keys, clock, log: silentLog })
  const timestampers = createTimestampers({ urls: platform.tsaUrls ?? [], keyring, clock, log: silentLog })
  const leaves = documents.map(digest)
  const tree = buildHashTree(leaves, digest)
  const logged = Buffer.concat([tree.root, randomBytes(32)])
  const sealing = { keyring, timestampers, clock, log: logInMemory(keyring, platform.origin) }
  const sealed = await sealRoot({ root: tree.root, logged: digest(logged) }, sealing)
  const [stamp] = sealed.timestamps
  if (stamp === undefined || sealed.log === null) throw new Error('a deposit without a seal')
  const { log } = sealed
  return await Promise.all(
    leaves.map(async (leaf, i) => {
      const path = documents.length === 1 ? [] : tree.path(i)
      const proofs = [
        { name: 'document-ca.pem', bytes: text(stamp.ca) },
        { name: 'document.ers', bytes: buildEvidenceRecord({ leaf, path, token: stamp.response }) },
        { name: 'document.tsr', bytes: stamp.response },
        { name: 'log-proof.txt', bytes: log.proof },
        { name: 'logged.bin', bytes: Uint8Array.from(logged) },
        { name: 'platform-ca.pem', bytes: text(sealed.signerCa) },
        { name: 'root.bin', bytes: tree.root },
        { name: 'signature.p7s', bytes: sealed.signature },
      ]
      const sha512 = createHash('sha512')
        .update(documents[i] ?? '')
        .digest('hex')
      const received = { sha256: Buffer.from(leaf).toString('hex'), sha512 }
      const record = { format: 'probant-deposit/1', received, declared: { name: `document-${i}.txt` } }
      const attached = [...proofs, { name: 'deposit.json', bytes: text(JSON.stringify(record)) }]
      const certificate =
        platform.certificates === false
          ? new Uint8Array()
          : await signPdf(await pdfWith(attached), { keyring, timestampers, clock, reason: 'Deposit' })
      const entries = [{ name: 'README.txt', bytes: text(`deposit ${i}`) }, ...proofs]
      const zip = zipOf(entries.map(({ name, bytes }) => ({ path: name, bytes, deflate: true })))
      return { files: proofs, zip, certificate }
    }),
  )
}

export async function pdfWith(files: readonly { readonly name: string; readonly bytes: Uint8Array }[]): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  document.addPage([200, 200])
  // ISO 32000-2 §7.9.6: in order, or readers do not find them.
  for (const { name, bytes } of files.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    await document.attach(bytes, name, { mimeType: 'application/octet-stream', afRelationship: AFRelationship.Supplement })
  return await document.save()
}

import { serverNow } from '../../../../ui/api/server-clock.ts'
import { equalBytes, fromHex, utf8 } from '../../../../kernel/bytes.ts'
import { leafHash } from '../../domain/hash/merkle.ts'
import { rootOfInclusion } from '../../domain/log/merkle-proof.ts'
import { verifyLogProof } from '../../domain/log/verify-log-proof.ts'
import { loadPlatformKeys } from '../run/platform-keys.ts'

/** What is told of a report whose pieces are withheld. */
export type GivenSeal = {
  /** Leaf 0 of the tree, as it was sealed. */
  readonly subject: string
  readonly leaves: number
  /** From leaf 0 to the root, nearest first, in hexadecimal. */
  readonly path: readonly string[]
  readonly root: string
  readonly files: readonly { readonly path: string; readonly base64: string }[]
}

export type SealChecks = {
  /** The subject leads to the root. */
  readonly subject: boolean
  /** `none`: it stands in no log; `open`: nothing contradicts it, and something could not be checked. */
  readonly log: 'holds' | 'failed' | 'open' | 'none'
  readonly index: number | null
  readonly origin: string | null
  /** As the sealed subject has them; null: it leads nowhere, or cannot be read. */
  readonly sealed: { readonly requestedUrl: string; readonly finalUrl: string; readonly startedAt: string } | null
}

export async function checkSealGiven(given: GivenSeal): Promise<SealChecks> {
  const root = bytesOf(given.root)
  const subject = root !== null && leadsTo(given, root)
  const none = { log: 'none', index: null, origin: null } as const
  return { subject, sealed: subject ? readSubject(given.subject) : null, ...(root === null ? none : await logOf(given, root)) }
}

function bytesOf(hex: string): Uint8Array | null {
  return /^[0-9a-f]{64}$/.test(hex) ? fromHex(hex) : null
}

function leadsTo({ subject, leaves, path }: GivenSeal, root: Uint8Array): boolean {
  const nodes = path.map(bytesOf)
  if (nodes.some((node) => node === null)) return false
  const reached = rootOfInclusion({
    index: 0,
    size: leaves,
    leafHash: leafHash(utf8(subject)),
    path: nodes.filter((node) => node !== null),
  })
  return reached !== null && equalBytes(reached, root)
}

async function logOf({ files }: GivenSeal, root: Uint8Array): Promise<Pick<SealChecks, 'log' | 'index' | 'origin'>> {
  const file = files.find(({ path }) => path === 'seal/log-proof.txt')
  if (file === undefined) return { log: 'none', index: null, origin: null }
  const keys = await loadPlatformKeys()
  const proof = Uint8Array.from(atob(file.base64), (each) => each.codePointAt(0) ?? 0)
  const deps = { now: () => new Date(serverNow()), ...(keys === null ? {} : { keys }) }
  const { verdict, facts } = await verifyLogProof({ proof, root }, deps)
  const fact = (id: string) => facts.find((each) => each.id === id)?.value
  const [index, origin] = [fact('index'), fact('origin')]
  return {
    log: verdict === 'TOTAL-PASSED' ? 'holds' : verdict === 'TOTAL-FAILED' ? 'failed' : 'open',
    index: index === undefined ? null : Number(index),
    origin: origin === undefined ? null : String(origin),
  }
}

function readSubject(leaf: string): SealChecks['sealed'] {
  try {
    const { subject } = JSON.parse(leaf) as { readonly subject: Readonly<Record<string, unknown>> }
    const { requested_url, final_url, started_at } = subject
    return typeof requested_url === 'string' && typeof final_url === 'string' && typeof started_at === 'string'
      ? { requestedUrl: requested_url, finalUrl: final_url, startedAt: started_at }
      : null
  } catch {
    return null
  }
}

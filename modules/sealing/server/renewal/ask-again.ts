import { createHash } from 'node:crypto'
import { DomainError } from '../../../../kernel/errors.ts'
import { readPem } from '../../../verification/server/index.ts'
import type { PendingAuthority } from '../../domain/seal.ts'
import type { Timestamp, Timestamper } from '../timestamps/timestamper.ts'

const wanted = 2

export type AskedAgain = {
  /** Tokens that came, in the order of their authorities. */
  readonly timestamps: readonly Timestamp[]
  /** Those that still gave none; empty once as many as are wanted have given one. */
  readonly pending: readonly PendingAuthority[]
}

/**
 * Asks the authorities that gave no token for one over the root, until as many outside ones as are wanted have given one. An authority that
 * is not configured any more, or whose root has stamped it already, is asked no more: it would add nothing (decision 0053).
 * @param root 32 octets @param has tokens that are there: how many are from outside, and the certificates of each one's issuers, PEM
 * @param most tokens that may be added
 */
export async function askAgain(
  {
    root,
    has,
    pending,
    most,
  }: {
    readonly root: Uint8Array
    readonly has: { readonly outside: number; readonly chains: readonly Uint8Array[] }
    readonly pending: readonly PendingAuthority[]
    readonly most: number
  },
  { timestampers, signal }: { readonly timestampers: readonly Timestamper[]; readonly signal?: AbortSignal | undefined },
): Promise<AskedAgain> {
  const roots = new Set(has.chains.map((chain) => digestOf(readPem(chain).at(-1)?.encoded ?? new Uint8Array())))
  const timestamps: Timestamp[] = []
  const silent: PendingAuthority[] = []
  const isEnough = () => has.outside + timestamps.length >= wanted
  for (const { authority } of pending) {
    const timestamper = timestampers.find(({ name, embedded }) => name === authority && !embedded)
    if (timestamper === undefined || isEnough() || timestamps.length >= most) continue
    try {
      const timestamp = await timestamper.timestamp(root, signal)
      const issuer = digestOf(timestamp.chain.at(-1) ?? timestamp.certificate)
      if (roots.has(issuer)) continue
      roots.add(issuer)
      timestamps.push(timestamp)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      silent.push({ authority, code: error.code })
    }
  }
  return { timestamps, pending: isEnough() ? [] : silent }
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

import type { DigestName } from '../hash/digests.ts'
import type { PublicKey, SignatureScheme } from './check-signature.ts'

/**
 * Until when an algorithm proves anything: ETSI TS 119 312, with the dates that the European validation library's default policy
 * gives to those which that document no longer lists. A signature made with one that has since been broken proves nothing today
 * unless something else dated it before (EN 319 102-1 §5.6.2).
 */
const digestUntil: Readonly<Partial<Record<DigestName, string>>> = { sha1: '2012-08-01', sha224: '2029-01-01' }

export type Weakness = { readonly algorithm: string; readonly until: string }

export function digestWeakness(digest: DigestName): Weakness | undefined {
  const until = digestUntil[digest]
  return until === undefined ? undefined : { algorithm: labelOf(digest), until }
}

function keyWeakness(key: PublicKey, scheme: SignatureScheme): Weakness | undefined {
  if (key.type !== 'rsa') return undefined
  const bits = key.modulus.toString(2).length
  const algorithm = `RSA ${bits}`
  if (bits < 1024) return { algorithm, until: '2010-08-01' }
  if (bits < 1900) return { algorithm, until: '2019-10-01' }
  if (bits < 3000) return { algorithm, until: '2029-01-01' }
  return scheme.kind === 'pkcs1' ? { algorithm: `${algorithm} PKCS #1 v1.5`, until: '2029-01-01' } : undefined
}

/** The first of the weaknesses of a signature to have begun, if any has one. */
export function signatureWeakness(key: PublicKey, scheme: SignatureScheme): Weakness | undefined {
  const found = [digestWeakness(scheme.digest), keyWeakness(key, scheme)].filter((each) => each !== undefined)
  return found.toSorted((a, b) => (a.until < b.until ? -1 : 1))[0]
}

export function isWeakAt({ until }: Weakness, at: Date): boolean {
  return at.getTime() >= Date.parse(until)
}

/** As the standards write them. */
export function labelOf(digest: DigestName): string {
  return digest.startsWith('sha3') ? digest.toUpperCase() : `SHA-${digest.slice(3)}`
}

export function schemeLabel(key: PublicKey, scheme: SignatureScheme): string {
  if (scheme.kind === 'ed25519') return 'Ed25519'
  const bits = key.type === 'rsa' ? ` ${key.modulus.toString(2).length}` : key.type === 'ec' ? ` ${key.curve.Point.Fn.BITS}` : ''
  const family = { pkcs1: 'RSA PKCS #1 v1.5', pss: 'RSA-PSS', ecdsa: 'ECDSA' }[scheme.kind]
  return `${family}${bits}, ${labelOf(scheme.digest)}`
}

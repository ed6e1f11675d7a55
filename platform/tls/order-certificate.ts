import { X509Certificate, createPrivateKey } from 'node:crypto'
import acme from 'acme-client'
import type { Db } from '../db/database.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Vault } from '../vault/vault.ts'
import { keepAccountKey, keepAnswer, removeAnswer } from './tls-store.ts'

/** An authority that gives certificates by ACME (RFC 8555). */
export type AcmeConfig = {
  /** Of its directory (§7.1.1). */
  readonly directory: string
  /** Whom it may write to of certificates that run out. */
  readonly contact: string | null
  /** What binds our account to one that it knows already (§7.3.4). */
  readonly binding: { readonly kid: string; readonly hmacKey: string } | null
}

export type OrderDeps = {
  readonly db: Db
  readonly vault: Vault
  readonly clock: Clock
  readonly acme: AcmeConfig
}

export type Certificate = {
  /** PEM: the certificate first. */
  readonly chain: string
  /** PEM, PKCS #8. */
  readonly key: string
  readonly notBefore: Date
  readonly notAfter: Date
}

const accountPurpose = 'tls.account'

/** What cannot be asked is asked once again after five seconds. What fails then fails the order, which has its turn again later. */
const calls = {
  retryMaxAttempts: 1,
  retryDefaultDelay: 5,
  httpChallengePort: 80,
  httpsChallengePort: 443,
  tlsAlpnChallengePort: 443,
}
Object.assign(acme.axios.defaults, { acmeSettings: calls, timeout: 30_000 })

async function accountKey({ db, vault, clock, acme: { directory } }: OrderDeps): Promise<Buffer> {
  const fresh = await acme.crypto.createPrivateEcdsaKey('P-256')
  const kept = await keepAccountKey(db, directory, vault.seal(accountPurpose, directory, fresh), clock.now())
  return vault.open(accountPurpose, directory, kept)
}

/**
 * Asks the authority for a certificate of one name, which it proves by reading an answer over port 80 of whatever machine the name leads to
 * (HTTP-01, RFC 8555 §8.3). The key is new with each. Nothing is kept of it here but the answer, while it may be read.
 * @throws Error in the authority's words, or naming what is wrong with what it gave
 */
export async function orderCertificate(deps: OrderDeps, host: string): Promise<Certificate> {
  const { db, clock, acme: authority } = deps
  const client = new acme.Client({
    directoryUrl: authority.directory,
    accountKey: await accountKey(deps),
    ...(authority.binding === null ? {} : { externalAccountBinding: authority.binding }),
    backoffAttempts: 12,
    backoffMin: 1000,
    backoffMax: 15_000,
  })
  const [key, csr] = await acme.crypto.createCsr({ altNames: [host] }, await acme.crypto.createPrivateEcdsaKey('P-256'))
  const chain = await client.auto({
    csr,
    // Whoever configured it agreed: there is a setting for this.
    termsOfServiceAgreed: true,
    ...(authority.contact === null ? {} : { email: authority.contact }),
    challengePriority: ['http-01'],
    // From inside, a name often leads elsewhere than from where the authority asks.
    skipChallengeVerification: true,
    async challengeCreateFn(_, { type, token }, answer) {
      if (type !== 'http-01') throw new Error(`the authority offers ${type} for ${host}, and not http-01`)
      await keepAnswer(db, token, answer, clock.now())
    },
    async challengeRemoveFn(_, { token }) {
      await removeAnswer(db, token)
    },
  })
  return readCertificate(host, chain, key.toString())
}

/**
 * What was given, or is in a file, as it may be shown to visitors.
 * @param host that it has to be for; null: whichever
 * @throws Error naming what is wrong with it
 */
export function readCertificate(host: string | null, chain: string, key: string): Certificate {
  const certificate = new X509Certificate(chain)
  if (host !== null && certificate.checkHost(host, { subject: 'never' }) === undefined)
    throw new Error(`the certificate is not for ${host} but for ${certificate.subjectAltName ?? 'no name'}`)
  if (!certificate.checkPrivateKey(createPrivateKey(key))) throw new Error('the certificate is of another key')
  return { chain, key, notBefore: certificate.validFromDate, notAfter: certificate.validToDate }
}

import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { basename } from 'node:path'
import { equalBytes } from '../../../../kernel/bytes.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Notes } from '../../../../platform/log/log.ts'
import { issueCertificate } from '../certificates/issue-certificate.ts'
import type { CertificateUse } from '../certificates/issue-certificate.ts'
import { readFolder, readNewEntries, writeEntry } from './keyring-file.ts'
import type { KeyEntry, Slot } from './keyring-file.ts'
import { prepareFolder } from './key-folder.ts'
import { fault, type TokenConfig } from './run-pkcs11-tool.ts'
import { readTokenCertificates, type TokenCertificate } from './token-certificates.ts'
import { tokenSigner } from './token-signer.ts'
import { issueRevocationList } from '../certificates/issue-revocation-list.ts'
import type { Keyring, PublishedCertificate, Signer, SigningPurpose } from './signer.ts'

const organization = 'Probant'
const profiles: Readonly<Record<Slot, { commonName: string; use: CertificateUse; years: number }>> = {
  'platform-ca': { commonName: 'Probant platform authority', use: 'authority', years: 20 },
  'platform-signing': { commonName: 'Probant platform seal', use: 'signature', years: 3 },
  'time-ca': { commonName: 'Probant embedded time authority root (not qualified)', use: 'authority', years: 20 },
  'time-signing': { commonName: 'Probant embedded time authority (not qualified)', use: 'timestamping', years: 3 },
}
const issuerSlot: Readonly<Record<SigningPurpose, Slot>> = { platform: 'platform-ca', time: 'time-ca' }
const signingSlot: Readonly<Record<SigningPurpose, Slot>> = { platform: 'platform-signing', time: 'time-signing' }

/** A signing certificate is replaced a year before its end: whatever it signs stays inside its validity for a year at least. */
const overlapYears = 1
/** Room for machines that share a keyring and whose clocks differ a little. */
const backdateMs = 5 * 60_000
const dayMs = 24 * 3_600_000

export type KeyringOptions = {
  readonly dir: string
  readonly clock: Clock
  readonly log: Notes
  /** Where the key that seals is in a token instead of a file (PKCS#11). */
  readonly token?: TokenConfig | undefined
}

/**
 * Opens the keyring in `dir`, making at first start what is missing: two authorities and the two certificates that they issue.
 * Several processes may open one folder at once. @throws DomainError `sealing.keyring_…` that names the path at fault.
 */
export async function openKeyring({ dir, clock, log, token }: KeyringOptions): Promise<Keyring> {
  await prepareFolder(dir)
  const { entries, strangers } = await readFolder(dir)
  if (strangers.length > 0) log.warn({ dir, files: strangers.length }, 'keyring folder holds files that are not keys')

  const newest = (slot: Slot) => entries.get(slot)?.at(-1)
  /** Another process may have put a newer key in force. */
  const refresh = async (): Promise<void> => {
    for (const [slot, found] of await readNewEntries(dir, entries)) entries.set(slot, found)
  }
  const make = async (slot: Slot, issuer: KeyEntry | undefined): Promise<KeyEntry> => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { commonName, use, years } = profiles[slot]
    const now = clock.now()
    const certificate = issueCertificate(
      {
        commonName,
        organization,
        use,
        publicKey: new Uint8Array(publicKey.export({ type: 'spki', format: 'der' })),
        notBefore: new Date(now.getTime() - backdateMs),
        notAfter: addYears(now, years),
      },
      issuer === undefined
        ? selfSigner(privateKey)
        : { certificate: issuer.certificate.encoded, sign: (data) => issuer.sign(data) },
    )
    const chain = issuer === undefined ? [] : [issuer.certificate, ...issuer.chain].map((each) => each.encoded)
    const entry = await writeEntry(dir, slot, (newest(slot)?.number ?? 0) + 1, {
      privateKey,
      certificates: [certificate, ...chain],
    })
    entries.get(slot)?.push(entry)
    log.info(
      { file: entry.file, serial: entry.certificate.serial, until: entry.certificate.notAfter.toISOString() },
      `key in force: ${basename(entry.file)}`,
    )
    return entry
  }

  /** Loops because the number may have been taken by a process whose clock made an entry that is already too old for ours. */
  const inForce = async (slot: Slot, neededUntil: Date, issuer: () => Promise<KeyEntry | undefined>): Promise<KeyEntry> => {
    let entry = newest(slot)
    while (entry === undefined || entry.certificate.notAfter < neededUntil) entry = await make(slot, await issuer())
    if (clock.now() < entry.certificate.notBefore) {
      throw new DomainError('unavailable', 'sealing.clock_before_key', {
        path: entry.file,
        not_before: entry.certificate.notBefore.toISOString(),
      })
    }
    return entry
  }

  /** An authority outlives whatever it issues (RFC 5280 §6.1.3 checks both validities at once). */
  const authorityOf = (purpose: SigningPurpose): Promise<KeyEntry> =>
    inForce(issuerSlot[purpose], addYears(clock.now(), profiles[signingSlot[purpose]].years), async () => undefined)
  const current = (purpose: SigningPurpose): Promise<KeyEntry> =>
    inForce(signingSlot[purpose], addYears(clock.now(), overlapYears), () => authorityOf(purpose))

  /** The platform's authority certifies a key that is in a token. */
  const issue = async (publicKey: Uint8Array): Promise<readonly Uint8Array[]> => {
    const authority = await authorityOf('platform')
    const [now, { commonName, use, years }] = [clock.now(), profiles['platform-signing']]
    const certificate = issueCertificate(
      {
        commonName,
        organization,
        use,
        publicKey,
        notBefore: new Date(now.getTime() - backdateMs),
        notAfter: addYears(now, years),
      },
      { certificate: authority.certificate.encoded, sign: (data) => authority.sign(data) },
    )
    return [certificate, ...[authority.certificate, ...authority.chain].map((each) => each.encoded)]
  }

  // One renewal at a time in this process; between processes, `link` decides.
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const answer = turn.then(work)
    turn = answer.catch(() => undefined)
    return answer
  }
  const signer = (purpose: SigningPurpose): Promise<Signer> => {
    return inTurn(async () => {
      await refresh()
      return purpose === 'platform' && token !== undefined
        ? await tokenSigner(token, { dir, clock, log, issue })
        : toSigner(signingSlot[purpose], await current(purpose))
    })
  }
  await signer('platform')
  await signer('time')

  // Signed again every day, so that a seal's list is never much older than the seal.
  const lists = new Map<string, { readonly until: number; readonly list: Uint8Array }>()
  const revocationList = async (authority: Uint8Array): Promise<Uint8Array | undefined> => {
    const entry = (['platform-ca', 'time-ca'] as const)
      .flatMap((slot) => entries.get(slot) ?? [])
      .find(({ certificate }) => equalBytes(certificate.encoded, authority))
    if (entry === undefined) return undefined
    const now = clock.now()
    const known = lists.get(entry.file)
    if (known !== undefined && known.until > now.getTime()) return known.list
    const list = issueRevocationList(entry, now)
    lists.set(entry.file, { until: now.getTime() + dayMs, list })
    return list
  }

  // Fetched when first asked for: with them comes the whole of verification, which commands that only open the keyring do without.
  const messages = async () => (await import('./open-message-keys.ts')).openMessageKeys({ dir, clock, log })
  let inTokens = await readTokenCertificates(dir)
  const certificates = (): PublishedCertificate[] =>
    (['platform', 'time'] as const).flatMap((purpose) => [
      ...published(entries, issuerSlot[purpose], purpose, 'authority'),
      ...(purpose === 'platform' ? outsideAuthorities(inTokens, entries.get('platform-ca') ?? []) : []),
      ...published(entries, signingSlot[purpose], purpose, 'signing'),
      ...(purpose === 'platform' ? inTokens.map(publishedToken) : []),
    ])
  return {
    signer,
    certificates,
    messageSigners: async () => await (await messages()).messageSigners(),
    publishedKeys: (names) =>
      inTurn(async () => {
        await refresh()
        inTokens = await readTokenCertificates(dir)
        return await (await messages()).publishedKeys(certificates(), names)
      }),
    rotate: (kind) =>
      inTurn(async () => {
        if (kind !== 'platform-signing' && kind !== 'time-signing') {
          await (await messages()).rotate(kind)
          return
        }
        // Its successor is made in the token, by the token's own means.
        if (kind === 'platform-signing' && token !== undefined) throw fault('token_rotate', token)
        await refresh()
        const purpose = kind === 'platform-signing' ? 'platform' : 'time'
        await make(kind, await authorityOf(purpose))
      }),
    revocationList,
    logSigner: async (origin) => await (await messages()).logSigner(origin),
    witnessSigner: async (name) => await (await messages()).witnessSigner(name),
  }
}

function published(
  entries: ReadonlyMap<Slot, KeyEntry[]>,
  slot: Slot,
  purpose: SigningPurpose,
  role: PublishedCertificate['role'],
): PublishedCertificate[] {
  return (entries.get(slot) ?? []).map((entry) => ({
    keyId: keyIdOf(slot, entry),
    role,
    purpose,
    certificate: entry.certificate.encoded,
  }))
}

function publishedToken({ number, certificate, since }: TokenCertificate): PublishedCertificate {
  const keyId = `platform-token-${number}-${certificate.sha256.slice(0, 16)}`
  return { keyId, role: 'signing', purpose: 'platform', certificate: certificate.encoded, since }
}

/** Roots of authorities that are not the platform's own and certified a key of a token. */
function outsideAuthorities(tokens: readonly TokenCertificate[], own: readonly KeyEntry[]): PublishedCertificate[] {
  const known = new Set(own.map(({ certificate }) => certificate.sha256))
  return tokens.flatMap(({ chain, certificate, since }): PublishedCertificate[] => {
    const root = chain.at(-1) ?? certificate
    if (known.has(root.sha256)) return []
    known.add(root.sha256)
    const keyId = `platform-token-ca-${root.sha256.slice(0, 16)}`
    return [{ keyId, role: 'authority', purpose: 'platform', certificate: root.encoded, since }]
  })
}

function toSigner(slot: Slot, entry: KeyEntry): Signer {
  return {
    keyId: keyIdOf(slot, entry),
    certificate: entry.certificate.encoded,
    chain: entry.chain.map((each) => each.encoded),
    sign: async (data) => entry.sign(data),
  }
}

/** Bound to the key itself: even a folder that was emptied and filled again cannot give the same identifier to another key. */
function keyIdOf(slot: Slot, entry: KeyEntry): string {
  const publicKey = entry.certificate.x509.publicKey.export({ type: 'spki', format: 'der' })
  return `${slot}-${entry.number}-${createHash('sha256').update(publicKey).digest('hex').slice(0, 16)}`
}

function selfSigner(key: KeyObject) {
  return { sign: (data: Uint8Array) => new Uint8Array(sign('sha256', data, key)) }
}

function addYears(from: Date, years: number): Date {
  const to = new Date(from)
  to.setUTCFullYear(to.getUTCFullYear() + years)
  return to
}

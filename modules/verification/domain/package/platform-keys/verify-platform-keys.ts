import { equalBytes, fromHex, toHex, utf8 } from '../../../../../kernel/bytes.ts'
import { readAddress } from '../../bitcoin-message/address.ts'
import { readSignature } from '../../bitcoin-message/read-signature.ts'
import { doubleSha256, magicMessage, matchAddress, recoverKey } from '../../bitcoin-message/recover-key.ts'
import { isUnusableKey, nanoAccount, readNanoAccount } from '../../nano-message/nano-account.ts'
import { nanoEd25519 } from '../../nano-message/nano-ed25519.ts'
import { nanoSignedBytes } from '../../nano-message/nano-schemes.ts'
import type { PlatformKeys, PublishedKey } from '../../known/verify-deps.ts'
import type { Check } from '../../report/package-report.ts'
import { verifyDetachedSignature } from '../seal/verify-seal.ts'
import type { SignatureFacts } from '../seal/verify-seal.ts'
import type { Certificate } from '../../certificate/x509.ts'
import { sealMessage } from '../../message/message-forms.ts'
import { platformKeysOf, readPublishedKeys } from '../../known/published-keys.ts'
import type { PublishedKeys } from '../../known/published-keys.ts'
import { readSealSignatures, sealMessagePath } from './seal-signatures.ts'

const keysPath = 'seal/keys.json'
const keysSignaturePath = 'seal/keys.p7s'
const signaturesPath = 'seal/message-signatures.json'
const keysCommand =
  'openssl cms -verify -binary -inform DER -in seal/keys.p7s -content seal/keys.json -CAfile seal/platform-ca.pem -purpose any -out /dev/null'
/** Address and signature as the file has them; only shown for one that holds, whose address has the letters of Base58 alone. */
const bitcoinCommand = (address: string): string =>
  `bitcoin-cli verifymessage ${address} "$(grep -o '"bip-137","signature":"[^"]*' seal/message-signatures.json | cut -d '"' -f 6)" "$(cat seal/message.txt)"`
const clockTolerance = 5 * 60_000

export type PlatformKeysOutcome = {
  readonly checks: readonly Check[]
  /** The keys that the platform signed as its own; undefined when the package has none that hold. */
  readonly keys?: PlatformKeys
}

/**
 * The platform's published keys in a package, and the signatures of the seal's text by them. A package made before there were any
 * has none of the four files, and nothing is said; one that has some but not all fails.
 */
export function verifyPlatformKeys(
  small: ReadonlyMap<string, Uint8Array>,
  seal: { readonly root: Uint8Array; readonly signature: SignatureFacts | undefined },
  platform: readonly Certificate[],
  now: Date,
  given?: PlatformKeys,
): PlatformKeysOutcome {
  const files = [keysPath, keysSignaturePath, sealMessagePath, signaturesPath]
  if (!files.some((path) => small.has(path))) return { checks: [] }
  const { check, keys } = publishedKeys(small, seal.signature, platform, now)
  const checks = [check, ...messageChecks(small, seal.root, keys, given)]
  return keys === undefined ? { checks } : { checks, keys: platformKeysOf(keys) }
}

function publishedKeys(
  small: ReadonlyMap<string, Uint8Array>,
  sealed: SignatureFacts | undefined,
  platform: readonly Certificate[],
  now: Date,
): { check: Check; keys?: PublishedKeys } {
  const result = (status: Check['status'], subject: string, data: Check['data']): Check => ({
    id: 'platform_keys',
    status,
    subject,
    data,
    repeat_command: keysCommand,
  })
  const fail = (subject: string, reason: string) => ({ check: result('failed', subject, { reason }) })
  const content = small.get(keysPath)
  if (content === undefined) return fail(keysPath, 'missing')
  const encoded = small.get(keysSignaturePath)
  if (encoded === undefined) return fail(keysSignaturePath, 'missing')
  const outcome = verifyDetachedSignature(encoded, content, platform, now)
  if (outcome.facts === undefined) return fail(keysSignaturePath, outcome.reason ?? 'signature')
  let keys: PublishedKeys
  try {
    keys = readPublishedKeys(content)
  } catch (error) {
    if (error instanceof RangeError) return fail(keysPath, 'malformed')
    throw error
  }
  // The seal and the list are one platform's: otherwise a list of somebody else's would vouch for somebody else's keys.
  if (sealed !== undefined && !equalBytes(sealed.authority.encoded, outcome.facts.authority.encoded))
    return fail(keysSignaturePath, 'other_signer')
  const signers = [outcome.facts.signer, ...(sealed === undefined ? [] : [sealed.signer, sealed.authority])]
  if (signers.some(({ sha256 }) => !keys.certificates.some(({ id }) => id === sha256))) return fail(keysPath, 'key_not_listed')
  const data = {
    name: outcome.facts.signer.name,
    keys: keys.certificates.length + keys.bitcoin.length + keys.nano.length + keys.log.length + keys.witnesses.length,
    at: keys.issued_at,
  }
  if (outcome.reason !== undefined)
    return { check: result('indeterminate', keysSignaturePath, { ...data, reason: outcome.reason }), keys }
  return { check: result('passed', keysPath, data), keys }
}

/** @param given the platform's keys from elsewhere than the package: its own list makes nobody the platform. */
function messageChecks(
  small: ReadonlyMap<string, Uint8Array>,
  root: Uint8Array,
  keys: PublishedKeys | undefined,
  given: PlatformKeys | undefined,
): Check[] {
  const result = (status: Check['status'], subject: string, data: Check['data']): Check => ({
    id: 'message_signature',
    status,
    subject,
    data,
  })
  const fail = (subject: string, reason: string, network = '') => [result('failed', subject, { reason, network })]
  const [text, encoded] = [small.get(sealMessagePath), small.get(signaturesPath)]
  if (text === undefined) return fail(sealMessagePath, 'missing')
  if (encoded === undefined) return fail(signaturesPath, 'missing')
  const message = utf8(sealMessage(toHex(root)))
  if (!equalBytes(text, message)) return fail(sealMessagePath, 'other_root')
  let found
  try {
    found = readSealSignatures(encoded)
  } catch (error) {
    if (error instanceof RangeError) return fail(signaturesPath, 'malformed')
    throw error
  }
  const { bitcoin, nano } = found
  const each = [
    ['Bitcoin', bitcoin.address, bitcoinHolds(bitcoin.signature, bitcoin.address, message), keys?.bitcoin, given?.bitcoin],
    ['Nano', nano.account, nanoHolds(nano.signature, nano.account, message), keys?.nano, given?.nano],
  ] as const
  return each.map(([network, signer, holds, published, elsewhere]) => {
    const known = elsewhere === undefined ? 'package' : elsewhere.some(({ id }) => id === signer) ? 'given' : 'other'
    const data = { network, signer, known }
    if (!holds) return result('failed', signaturesPath, { ...data, reason: 'signature' })
    if (keys === undefined) return result('indeterminate', signaturesPath, { ...data, reason: 'keys_unverified' })
    const key = published?.find(({ id }) => id === signer)
    if (key === undefined) return result('failed', signaturesPath, { ...data, reason: 'key_not_listed' })
    return inForce(key, keys.issued_at)
      ? {
          ...result('passed', signaturesPath, data),
          ...(network === 'Bitcoin' ? { repeat_command: bitcoinCommand(signer) } : {}),
        }
      : result('failed', signaturesPath, { ...data, reason: 'key_not_in_force' })
  })
}

function inForce({ since, until }: PublishedKey, issuedAt: string): boolean {
  const at = Date.parse(issuedAt)
  return at >= Date.parse(since) - clockTolerance && (until === null || at <= Date.parse(until) + clockTolerance)
}

/** In its one form: header of a compressed key, S in the lower half, Base64 without blanks. */
function bitcoinHolds(text: string, signer: string, message: Uint8Array): boolean {
  const signature = readSignature(text)
  const address = readAddress(signer)
  if (typeof signature === 'string' || signature.form !== 'recoverable' || address?.kind !== 'p2pkh' || /\s/.test(text))
    return false
  const recovered = recoverKey(signature.bytes, doubleSha256(magicMessage(message)))
  if (typeof recovered === 'string' || recovered.highS || recovered.header !== 'p2pkh_compressed') return false
  return matchAddress(recovered, address) === 'named'
}

function nanoHolds(text: string, account: string, message: Uint8Array): boolean {
  const publicKey = readNanoAccount(account)
  if (publicKey === undefined || isUnusableKey(publicKey) || nanoAccount(publicKey) !== account) return false
  const signed = nanoSignedBytes('oris_001', '', message)
  if (!/^[0-9a-f]{128}$/.test(text) || signed === undefined) return false
  return nanoEd25519.verify(fromHex(text), signed, publicKey)
}

import { bech32, bech32m, createBase58check } from '@scure/base'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '../../../../kernel/bytes.ts'

export type AddressKind = 'p2pkh' | 'p2sh' | 'p2wpkh' | 'p2wsh' | 'p2tr' | 'unknown_witness'
export type Network = 'mainnet' | 'testnet' | 'regtest'
export type Address = {
  readonly text: string
  readonly kind: AddressKind
  readonly network: Network
  /** Output script that it stands for. */
  readonly script: Uint8Array
}

const base58check = /* @__PURE__ */ createBase58check(sha256)
const versions: Readonly<Record<number, readonly [AddressKind, Network]>> = {
  0x00: ['p2pkh', 'mainnet'],
  0x05: ['p2sh', 'mainnet'],
  0x6f: ['p2pkh', 'testnet'],
  0xc4: ['p2sh', 'testnet'],
}
const prefixes: Readonly<Record<string, Network>> = { bc: 'mainnet', tb: 'testnet', bcrt: 'regtest' }

export const hash160 = (bytes: Uint8Array): Uint8Array => ripemd160(sha256(bytes))
const keyHashScript = (hash: Uint8Array) => concatBytes(Uint8Array.of(0x76, 0xa9, 0x14), hash, Uint8Array.of(0x88, 0xac))
const scriptHashScript = (hash: Uint8Array) => concatBytes(Uint8Array.of(0xa9, 0x14), hash, Uint8Array.of(0x87))
export const witnessScript = (version: number, program: Uint8Array): Uint8Array =>
  concatBytes(Uint8Array.of(version === 0 ? 0 : 0x50 + version, program.length), program)

/** Reads Base58Check, Bech32 (BIP-173) and Bech32m (BIP-350) addresses; undefined when the checksum or the form is wrong. */
export function readAddress(text: string): Address | undefined {
  // The longest of Bitcoin has 90 characters (BIP-173).
  if (text.length < 14 || text.length > 90) return undefined
  try {
    return /^(?:bc|tb|bcrt)1/i.test(text) ? readBech32(text) : readBase58(text)
  } catch {
    return undefined
  }
}

function readBase58(text: string): Address | undefined {
  const bytes = base58check.decode(text)
  const [kind, network] = versions[bytes[0] ?? 0xff] ?? []
  if (kind === undefined || network === undefined || bytes.length !== 21) return undefined
  const hash = bytes.subarray(1)
  return { text, kind, network, script: kind === 'p2pkh' ? keyHashScript(hash) : scriptHashScript(hash) }
}

function readBech32(given: string): Address | undefined {
  const code = given.toLowerCase().charAt(given.toLowerCase().indexOf('1') + 1) === 'q' ? bech32 : bech32m
  const { prefix, words } = code.decode(given as `${string}1${string}`, 90)
  const network = Object.hasOwn(prefixes, prefix) ? prefixes[prefix] : undefined
  const [version = 17, ...rest] = words
  const program = code.fromWords(rest)
  if (network === undefined || version > 16 || program.length < 2 || program.length > 40) return undefined
  if (version === 0 && program.length !== 20 && program.length !== 32) return undefined
  const kind =
    version === 0
      ? program.length === 20
        ? 'p2wpkh'
        : 'p2wsh'
      : version === 1 && program.length === 32
        ? 'p2tr'
        : 'unknown_witness'
  return { text: given.toLowerCase(), kind, network, script: witnessScript(version, program) }
}

const base58Version = {
  mainnet: { p2pkh: 0x00, p2sh: 0x05 },
  testnet: { p2pkh: 0x6f, p2sh: 0xc4 },
  regtest: { p2pkh: 0x6f, p2sh: 0xc4 },
}
const prefixOf = (network: Network) => (network === 'mainnet' ? 'bc' : network === 'testnet' ? 'tb' : 'bcrt')

/** Address of a public key as it is encoded: 33 octets, or 65 for the old uncompressed form, which only P2PKH has. */
export function addressOfKey(publicKey: Uint8Array, kind: 'p2pkh' | 'p2sh' | 'p2wpkh', network: Network = 'mainnet'): Address {
  const hash = hash160(publicKey)
  if (kind === 'p2wpkh') return addressOfProgram(hash, network)
  const body = kind === 'p2pkh' ? hash : hash160(witnessScript(0, hash))
  const text = base58check.encode(concatBytes(Uint8Array.of(base58Version[network][kind]), body))
  return { text, kind, network, script: kind === 'p2pkh' ? keyHashScript(body) : scriptHashScript(body) }
}

/** P2WPKH or P2WSH of a program of 20 or 32 octets. */
export function addressOfProgram(program: Uint8Array, network: Network = 'mainnet'): Address {
  const text = bech32.encode(prefixOf(network), [0, ...bech32.toWords(program)], 90)
  return { text, kind: program.length === 20 ? 'p2wpkh' : 'p2wsh', network, script: witnessScript(0, program) }
}

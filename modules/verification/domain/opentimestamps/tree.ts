import { equalBytes, fromHex, toHex, utf8 } from '../../../../kernel/bytes.ts'
import { malformed } from '../encoding/der.ts'
import { applyOperation, compareBytes, compareOperations } from './operation.ts'
import type { Operation } from './operation.ts'

/** Who says when. `bitcoin`, `litecoin`: the message is the Merkle root of that block, in the order of its header's octets. */
export type Attestation =
  | { readonly kind: 'pending'; readonly uri: string }
  | { readonly kind: 'bitcoin' | 'litecoin'; readonly height: number }
  /** Kept octet for octet: `tag` is 8 octets. */
  | { readonly kind: 'unknown'; readonly tag: Uint8Array; readonly payload: Uint8Array }

/** A message, who attests it, and what is computed from it: upstream's `Timestamp`. Never empty once written. */
export type TimestampTree = {
  readonly message: Uint8Array
  readonly attestations: readonly Attestation[]
  readonly branches: readonly TimestampBranch[]
}
export type TimestampBranch = { readonly operation: Operation; readonly next: TimestampTree }

export const fileHashes = ['sha1', 'ripemd160', 'sha256', 'keccak256'] as const
export type FileHash = (typeof fileHashes)[number]

/** A `.ots` file: its tree's message is the digest, by `hash`, of the file that is dated. */
export type DetachedTimestamp = { readonly hash: FileHash; readonly tree: TimestampTree }

export const attestationTags = {
  pending: '83dfe30d2ef90c8e',
  bitcoin: '0588960d73d71901',
  litecoin: '06869a0d73d71b45',
} as const

/** A single path: `operations` from `message`, attested at its end or going on with another tree. @throws MalformedError */
export function treeOf(
  message: Uint8Array,
  operations: readonly Operation[],
  end: readonly Attestation[] | TimestampTree,
): TimestampTree {
  const messages = [message]
  for (const operation of operations) messages.push(applyOperation(operation, messages.at(-1) as Uint8Array))
  const last = messages.at(-1) as Uint8Array
  let tree: TimestampTree = 'message' in end ? end : { message: last, attestations: end, branches: [] }
  if (!equalBytes(tree.message, last)) malformed('other_message')
  for (let i = operations.length - 1; i >= 0; i -= 1) {
    tree = {
      message: messages[i] as Uint8Array,
      attestations: [],
      branches: [{ operation: operations[i] as Operation, next: tree }],
    }
  }
  return tree
}

/** Everything that either says, in canonical order. @throws MalformedError `other_message` when they start from different messages. */
export function mergeTrees(one: TimestampTree, other: TimestampTree): TimestampTree {
  if (!equalBytes(one.message, other.message)) malformed('other_message')
  return canonicalTree(one.message, [...one.attestations, ...other.attestations], [...one.branches, ...other.branches])
}

/** Each attestation and each operation once, in the order in which upstream writes them. */
export function canonicalTree(
  message: Uint8Array,
  attestations: readonly Attestation[],
  branches: readonly TimestampBranch[],
): TimestampTree {
  const once = new Map(attestations.map((each) => [attestationKey(each), each]))
  const twins = new Map<string, TimestampBranch[]>()
  for (const branch of branches) {
    const { operation } = branch
    const key = 'data' in operation ? `${operation.op} ${toHex(operation.data)}` : operation.op
    const known = twins.get(key)
    if (known === undefined) twins.set(key, [branch])
    else known.push(branch)
  }
  return {
    message,
    attestations: [...once.values()].toSorted(compareAttestations),
    branches: [...twins.values()].map(mergeTwins).toSorted((a, b) => compareOperations(a.operation, b.operation)),
  }
}

/** All at once: one after the other would take the square of their number. */
function mergeTwins(twins: readonly TimestampBranch[]): TimestampBranch {
  const first = twins[0] as TimestampBranch
  if (twins.length === 1) return first
  const nexts = twins.map(({ next }) => next)
  const next = canonicalTree(
    first.next.message,
    nexts.flatMap(({ attestations }) => attestations),
    nexts.flatMap(({ branches }) => branches),
  )
  return { operation: first.operation, next }
}

/** Puts `found`, what a calendar answered for its message, wherever that message stands in the tree. @throws MalformedError */
export function graft(tree: TimestampTree, found: TimestampTree): TimestampTree {
  const branches = tree.branches.map(({ operation, next }) => ({ operation, next: graft(next, found) }))
  const grown = { ...tree, branches }
  return equalBytes(tree.message, found.message) ? mergeTrees(grown, found) : grown
}

export type Attested = {
  readonly attestation: Attestation
  /** What it attests. */
  readonly message: Uint8Array
  /** From the tree's own message to it. */
  readonly operations: readonly Operation[]
}

/** Each attestation with the way that leads to it, in the order of the tree. */
export function attestationsOf(tree: TimestampTree, way: readonly Operation[] = []): Attested[] {
  return [
    ...tree.attestations.map((attestation) => ({ attestation, message: tree.message, operations: way })),
    ...tree.branches.flatMap(({ operation, next }) => attestationsOf(next, [...way, operation])),
  ]
}

function attestationKey(attestation: Attestation): string {
  return toHex(attestationTag(attestation)) + contentKey(attestation)
}

function contentKey(attestation: Attestation): string {
  if (attestation.kind === 'pending') return attestation.uri
  return attestation.kind === 'unknown' ? toHex(attestation.payload) : String(attestation.height)
}

/** 8 octets. */
export function attestationTag(attestation: Attestation): Uint8Array {
  return attestation.kind === 'unknown' ? attestation.tag : tagOctets[attestation.kind]
}

const tagOctets = {
  pending: fromHex(attestationTags.pending),
  bitcoin: fromHex(attestationTags.bitcoin),
  litecoin: fromHex(attestationTags.litecoin),
}

function compareAttestations(a: Attestation, b: Attestation): number {
  const byTag = compareBytes(attestationTag(a), attestationTag(b))
  if (byTag !== 0) return byTag
  if (a.kind === 'pending' && b.kind === 'pending') return compareBytes(utf8(a.uri), utf8(b.uri))
  if (a.kind === 'unknown' && b.kind === 'unknown') return compareBytes(a.payload, b.payload)
  return 'height' in a && 'height' in b ? a.height - b.height : 0
}

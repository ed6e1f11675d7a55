import { malformed } from '../encoding/der.ts'
import { isObject, readBoundedJson } from '../encoding/bounded-json.ts'
import type { JsonObject } from '../encoding/bounded-json.ts'
import { applyChainpoint } from './operation.ts'
import type { ChainpointOperation } from './operation.ts'
import { anchorTypes, chainpointBounds, hashOf, operationOf } from './proof-model.ts'
import type { ChainpointClaim, ChainpointProof } from './proof-model.ts'
import { readBinary } from './read-binary.ts'
import { isMerkleProof, readReceipt } from './read-receipt.ts'

/** JSON text, its octets, or binary. @throws MalformedError whose message is one of `formatReasons`. */
export function readChainpoint(proof: string | Uint8Array): ChainpointProof {
  const given = typeof proof === 'string' ? readBoundedJson(proof) : readOctets(proof)
  if (!isObject(given)) return malformed('not_chainpoint')
  const enclosed = enclosedIn(given)
  if (enclosed !== undefined) return { ...readReceipt(enclosed), enclosed: true }
  const value = given
  if (isObject(value['header'])) return malformed(versionOne(value['header']) ? 'version_1' : 'not_chainpoint')
  const version = versionOf(value)
  return version === 2 ? readReceipt(value) : readBranches(value, version)
}

function readOctets(bytes: Uint8Array): unknown {
  if (bytes.length > 1 << 20) malformed('too_large')
  const text = bytes[0] === 0x78 ? undefined : new TextDecoder().decode(bytes)
  return text === undefined ? readBinary(bytes) : readBoundedJson(text)
}

/** What a Blockcerts document holds beside what it certifies: `receipt` (1.2), `signature` (2), `proof` (3, which is CBOR). */
function enclosedIn({ receipt, signature, proof, hash, targetHash }: JsonObject): JsonObject | undefined {
  if (hash !== undefined || targetHash !== undefined) return undefined
  for (const each of [proof].flat()) if (isObject(each) && isMerkleProof(each['type'], '2019')) return malformed('version')
  return [receipt, signature].find((each) => isObject(each) && typeof each['targetHash'] === 'string') as JsonObject | undefined
}

function versionOne(header: JsonObject): boolean {
  const version = header['chainpoint_version']
  return typeof version === 'string' && version.startsWith('1.')
}

function versionOf(value: JsonObject): 2 | 3 | 4 | 5 {
  const context = value['@context']
  const found = typeof context === 'string' ? /^https?:\/\/w3id\.org\/chainpoint\/v(\d{1,3})$/i.exec(context) : null
  const version = Number(found?.[1] ?? malformed('not_chainpoint'))
  return version === 2 || version === 3 || version === 4 || version === 5 ? version : malformed('version')
}

function readBranches(value: JsonObject, version: 3 | 4 | 5): ChainpointProof {
  const hash = hashOf(value['hash'])
  if (value['type'] !== 'Chainpoint') malformed('not_chainpoint')
  const budget = { operations: chainpointBounds.operations, claims: chainpointBounds.claims }
  const claims = branchesOf(value['branches'], { operations: [], message: hash, depth: 0, budget })
  return { version, hash, claims: claims.length === 0 ? malformed('anchor') : claims }
}

type Place = {
  readonly operations: readonly ChainpointOperation[]
  readonly message: Uint8Array
  readonly depth: number
  readonly budget: { operations: number; claims: number }
}

function branchesOf(value: unknown, place: Place): ChainpointClaim[] {
  if (!Array.isArray(value)) return malformed('branches')
  if (place.depth > chainpointBounds.depth) return malformed('too_deep')
  return value.flatMap((branch: unknown) => (isObject(branch) ? branchClaims(branch, place) : malformed('branches')))
}

function branchClaims(branch: JsonObject, place: Place): ChainpointClaim[] {
  const { ops, branches } = branch
  if (!Array.isArray(ops)) return malformed('branches')
  const operations = [...place.operations]
  const claims: ChainpointClaim[] = []
  let message = place.message
  for (const each of ops as unknown[]) {
    if (!isObject(each)) return malformed('operation')
    if (each['anchors'] !== undefined) {
      const found = anchorsOf(each['anchors'], place.budget)
      claims.push(...found.map((anchor) => ({ ...anchor, operations: [...operations], value: message })))
      continue
    }
    const operation = operationOf(each)
    place.budget.operations -= 1
    if (place.budget.operations < 0) return malformed('too_many')
    message = applyChainpoint(operation, message)
    operations.push(operation)
  }
  if (branches === undefined) return claims
  return [...claims, ...branchesOf(branches, { ...place, operations, message, depth: place.depth + 1 })]
}

type Anchor = Pick<ChainpointClaim, 'type' | 'id' | 'uris'>

function anchorsOf(value: unknown, budget: Place['budget']): Anchor[] {
  if (!Array.isArray(value)) return malformed('anchor')
  return value.map((anchor: unknown) => {
    budget.claims -= 1
    if (budget.claims < 0) return malformed('too_many')
    if (!isObject(anchor)) return malformed('anchor')
    const { type, anchor_id: id, uris } = anchor
    if (typeof type !== 'string' || typeof id !== 'string' || id === '' || id.length > 512) return malformed('anchor')
    return { type: anchorTypes.find((each) => each === type && each !== 'op_return') ?? 'unknown', id, uris: urisOf(uris) }
  })
}

function urisOf(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((uri: unknown) => (typeof uri === 'string' ? [uri.slice(0, 512)] : [])).slice(0, 16)
}

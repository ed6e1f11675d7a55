import { toHex, utf8 } from '../../../../kernel/bytes.ts'
import { pieceRoles } from '../../../../kernel/piece-role.ts'
import { canonicalJson, compareCodeUnits, parseCanonicalJson } from '../encoding/canonical-json.ts'
import type { Json } from '../encoding/canonical-json.ts'
import { manifestFormat } from './manifest.ts'
import type { Manifest, Piece, PieceRole, Subject } from './manifest.ts'
import { leafHash, merkleRoot } from '../hash/merkle.ts'

/** Root of docs/package-format.md: leaf 0 is the subject, leaf i the i-th piece. Lower-case hexadecimal. */
export function manifestRoot(subject: Subject, pieces: readonly Piece[]): string {
  const leaves = [canonicalJson({ format: manifestFormat, subject }), ...pieces.map((piece) => canonicalJson(piece))]
  return toHex(merkleRoot(leaves.map((leaf) => leafHash(utf8(leaf)))))
}

/**
 * Reads `manifest.json` strictly. The stated root is *not* recomputed here: that is a check of its own (`manifestRoot`).
 * @throws RangeError saying what is wrong.
 */
export function readManifest(bytes: Uint8Array): Manifest {
  const value = object(parseCanonicalJson(bytes), 'manifest', ['format', 'pieces', 'root', 'subject'])
  if (value['format'] !== manifestFormat) throw new RangeError('unknown format')
  const subject = readSubject(value['subject'])
  const list = value['pieces']
  if (!Array.isArray(list)) throw new RangeError('pieces is not a list')
  const pieces = list.map((item: Json) => readPiece(item))
  pieces.forEach((piece, i) => {
    const previous = pieces[i - 1]
    if (previous !== undefined && compareCodeUnits(previous.path, piece.path) >= 0)
      throw new RangeError('pieces are not sorted, or repeat')
  })
  return { format: manifestFormat, subject, pieces, root: hash(value['root'], 'root') }
}

function readSubject(json: Json | undefined): Subject {
  const value = object(json, 'subject', [
    'evidence_id',
    'final_url',
    'finished_at',
    'kind',
    'requested_url',
    'software',
    'started_at',
  ])
  const kind = value['kind']
  if (kind !== 'static' && kind !== 'interactive') throw new RangeError('unknown kind of capture')
  return {
    evidence_id: text(value['evidence_id'], 'evidence_id'),
    kind,
    requested_url: text(value['requested_url'], 'requested_url'),
    final_url: text(value['final_url'], 'final_url'),
    started_at: instant(value['started_at'], 'started_at'),
    finished_at: instant(value['finished_at'], 'finished_at'),
    software: text(value['software'], 'software'),
  }
}

function readPiece(json: Json): Piece {
  const value = object(json, 'piece', ['bytes', 'media_type', 'path', 'role', 'sha256'])
  const { bytes, role } = value
  if (typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 0) throw new RangeError('bytes is not a length')
  if (typeof role !== 'string' || !isRole(role)) throw new RangeError('unknown role')
  const path = text(value['path'], 'path')
  if (!isPiecePath(path)) throw new RangeError('path of a piece is not allowed')
  return { path, role, media_type: text(value['media_type'], 'media_type'), bytes, sha256: hash(value['sha256'], 'sha256') }
}

function isRole(role: string): role is PieceRole {
  return (pieceRoles as readonly string[]).includes(role)
}

/** Names that no unpacker can be led astray with: no empty, `.` or `..` segment, no absolute path, plain ASCII. */
export function isSafePath(path: string): boolean {
  return (
    path.length <= 512 &&
    /^[A-Za-z0-9._/-]+$/.test(path) &&
    path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  )
}

export function isPiecePath(path: string): boolean {
  return isSafePath(path) && (path.startsWith('capture/') || path.startsWith('environment/'))
}

function object(json: Json | undefined, name: string, keys: readonly string[]): Readonly<Record<string, Json>> {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) throw new RangeError(`${name} is not an object`)
  const found = Object.keys(json)
  if (found.length !== keys.length || !keys.every((key) => Object.hasOwn(json, key)))
    throw new RangeError(`${name} has other members`)
  return json as Readonly<Record<string, Json>>
}

function text(json: Json | undefined, name: string): string {
  if (typeof json !== 'string' || json === '') throw new RangeError(`${name} is not a text`)
  return json
}

function hash(json: Json | undefined, name: string): string {
  if (typeof json !== 'string' || !/^[0-9a-f]{64}$/.test(json)) throw new RangeError(`${name} is not a SHA-256 hash`)
  return json
}

function instant(json: Json | undefined, name: string): string {
  if (typeof json !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(json) || Number.isNaN(Date.parse(json)))
    throw new RangeError(`${name} is not an instant`)
  return json
}

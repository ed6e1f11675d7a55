import { toHex } from '../../../../../kernel/bytes.ts'
import { readAnchorHeader } from '../../bitcoin/read-anchor-header.ts'
import { isObject, jsonBounds, readBoundedJson } from '../../encoding/bounded-json.ts'
import { MalformedError } from '../../encoding/der.ts'
import type { DossierFile } from './dossier-units.ts'
import { baseOf } from './open-containers.ts'
import type { Bound } from '../../report/proof-report.ts'
import type { KnownHeader } from '../../known/verify-deps.ts'

/**
 * What lies beside the proofs of a deposit or a package and is no document of anybody's: `README.txt`, the octets that were signed and
 * logged, certificates, the header of a block.
 */
const companion = /^(?:README\.txt|root\.bin|logged\.bin|log-proof\.txt|deposit\.json|anchor-header\.json|[\w-]+-ca\.pem)$/
/** Names that one deposit's proofs have in its archive and in its certificate. */
const layout =
  /^(?:document(?:-\d{1,3}|\.pending)?\.(?:tsr|ers|ots|chainpoint\.json)|signature\.p7s|deposit_[0-9a-f-]{36}[\w.]*\.pdf)$/

export function isCompanion(path: string): boolean {
  return companion.test(baseOf(path))
}

/** Nothing is asked of it, and nothing is about it. */
export function isPlain(path: string): boolean {
  return /^(?:README\.txt|anchor-header\.json|[\w-]+-ca\.pem)$/.test(baseOf(path))
}

export function isOfDeposit(path: string): boolean {
  return isCompanion(path) || layout.test(baseOf(path))
}

/** Headers of blocks that came with the proofs: whoever packed them says so, until the work itself does. */
export async function headersAmong(files: readonly DossierFile[]): Promise<KnownHeader[]> {
  const found: KnownHeader[] = []
  for (const file of files.filter(({ path, size }) => baseOf(path) === 'anchor-header.json' && size <= 8192)) {
    try {
      const { height, header } = readAnchorHeader(await file.read(0, file.size))
      if (!found.some((known) => known.height === height && toHex(known.header) === toHex(header)))
        found.push({ height, header, source: 'package' })
    } catch {
      // None that can be read: the proof says that it lacks one.
    }
  }
  return found.slice(0, 16)
}

export type Stated = { readonly bound: readonly Bound[]; readonly name: string | null }

/** The fingerprints, and the name, that the record of a deposit states (`probant-deposit/1`); undefined when it is none. */
export function readStated(bytes: Uint8Array): Stated | undefined {
  try {
    const value = bytes.length > jsonBounds.characters ? undefined : readBoundedJson(new TextDecoder().decode(bytes))
    if (!isObject(value) || value['format'] !== 'probant-deposit/1' || !isObject(value['received'])) return undefined
    const { sha256, sha512 } = value['received']
    const declared = isObject(value['declared']) ? value['declared']['name'] : null
    const bound = (['sha256', 'sha512'] as const).flatMap((algorithm): Bound[] => {
      const hex = algorithm === 'sha256' ? sha256 : sha512
      const digits = algorithm === 'sha256' ? 64 : 128
      return typeof hex === 'string' && hex.length === digits && /^[0-9a-f]+$/.test(hex) ? [{ algorithm, hex, of: 'stated' }] : []
    })
    return bound.length === 0 ? undefined : { bound, name: typeof declared === 'string' ? declared : null }
  } catch (error) {
    if (error instanceof MalformedError) return undefined
    throw error
  }
}

import type { DossierItem, ItemResult } from './item.ts'
import type { DossierFile, DossierUnit } from './dossier-units.ts'
import type { Readable } from '../../file/readable.ts'
import { readPublishedKeys } from '../../known/published-keys.ts'
import type { PublishedKeys } from '../../known/published-keys.ts'
import type { ItemKind } from '../../recognise/recognise.ts'
import { verifiers } from '../../proof/verifiers.ts'
import { readPem } from '../../certificate/x509.ts'

/** A file of published keys as an item of its own. */
export async function readKeys(file: Readable): Promise<ItemResult> {
  const keys = await keysOf(file)
  if (keys === undefined) return { form: 'document' }
  return {
    form: 'keys',
    count: keys.certificates.length + keys.bitcoin.length + keys.nano.length + keys.log.length + keys.witnesses.length,
  }
}

async function keysOf(file: Readable): Promise<PublishedKeys | undefined> {
  try {
    return file.size > 1 << 20 ? undefined : readPublishedKeys(await file.read(0, file.size))
  } catch {
    return undefined
  }
}

/** Signed trusted lists that were given along; one that cannot be read is said when its turn comes. */
export async function* givenLists(units: readonly DossierUnit[], kinds: readonly ItemKind[]): AsyncGenerator<Uint8Array> {
  const largest = verifiers.trusted_list?.largest ?? 0
  for (const [i, unit] of units.entries()) {
    if (unit.form !== 'file' || kinds[i] !== 'trusted_list' || unit.file.size > largest) continue
    try {
      yield await unit.file.read(0, unit.file.size)
    } catch {
      continue
    }
  }
}

/**
 * Keys that the reader gave along: he got them from elsewhere than the proof, or says so by giving them. Those that lay in an archive
 * came with the rest of it, from whoever packed it, and vouch for nothing.
 */
export async function givenKeys(
  units: readonly DossierUnit[],
  kinds: readonly ItemKind[],
  files: readonly DossierFile[],
): Promise<PublishedKeys | undefined> {
  for (const [i, unit] of units.entries()) {
    const isGiven = unit.form === 'file' && kinds[i] === 'keys' && files.includes(unit.file)
    const keys = isGiven ? await keysOf(unit.file) : undefined
    if (keys !== undefined) return keys
  }
  return undefined
}

export async function readCertificates(file: Readable): Promise<Pick<DossierItem, 'result' | 'bound'>> {
  try {
    const names = readPem(await file.read(0, Math.min(file.size, 1 << 20))).map(({ name }) => name)
    return { result: { form: 'certificates', names }, bound: [] }
  } catch {
    return { result: { form: 'certificates', names: [] }, bound: [] }
  }
}

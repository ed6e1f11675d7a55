import { randomUUID } from 'node:crypto'
import type { DocumentKind } from '../../../billing/server/index.ts'
import { readAcceptedDocuments, type AcceptedDocument } from '../../../review/server/index.ts'
import type { Paying, PayoutDeps } from '../keep/deps.ts'
import { changeHanded, insertHanded, listHanded, type Handed } from '../keep/handed-store.ts'
import { changePayee, findKnownPayee, type KnownPayee } from '../keep/payee-store.ts'

const kinds: Readonly<Record<AcceptedDocument['kind'], DocumentKind>> = {
  id_front: 'identity',
  id_back: 'identity',
  passport: 'identity',
  driving_licence: 'identity',
  registration_proof: 'registration',
  articles_of_association: 'articles',
}
const hosted = 'hosted'

type Sheaf = { readonly kind: DocumentKind; readonly documents: readonly AcceptedDocument[] }

/** Both sides of a card are pages of one document. */
function sheavesOf(documents: readonly AcceptedDocument[]): readonly Sheaf[] {
  const order: readonly DocumentKind[] = ['identity', 'registration', 'articles']
  return order.flatMap((kind) => {
    const those = documents.filter((each) => kinds[each.kind] === kind)
    return those.length === 0 ? [] : [{ kind, documents: those.toSorted((a, b) => (a.kind < b.kind ? 1 : -1)) }]
  })
}

/** Under the key that was noted for it: killed in between, the same is handed in and not another. */
async function submit(deps: PayoutDeps, provider: Paying, customer: string, handed: Handed, sheaf: Sheaf): Promise<void> {
  const attempt = { key: handed.key, tag: `document ${handed.id}`, since: handed.createdAt }
  const pages = sheaf.documents.map(({ bytes }) => bytes)
  const reading = await provider.identity.submitDocument({ customer, kind: sheaf.kind, pages }, attempt)
  if ('id' in reading) await changeHanded(deps.db, handed.id, { reference: reading.id, state: 'submitted' })
  else if (reading.state === 'refused') await changeHanded(deps.db, handed.id, { state: 'refused', refusal: 'not_accepted' })
}

const documentOf = (sheaf: Sheaf): string | null => sheaf.documents[0]?.id ?? null

/** What was not handed in yet, or not to its end. */
async function handIn(
  deps: PayoutDeps,
  provider: Paying,
  known: KnownPayee & { readonly reference: string },
  before: readonly Handed[],
  sheaves: readonly Sheaf[],
): Promise<number> {
  let count = 0
  for (const sheaf of sheaves) {
    const documentId = documentOf(sheaf)
    const kept = before.find((each) => each.documentId === documentId)
    if (kept !== undefined && kept.state !== 'begun') continue
    const fresh = { documentId, kind: sheaf.kind, key: randomUUID() }
    const handed = kept ?? (await insertHanded(deps.db, known, fresh, deps.clock.now()))
    await submit(deps, provider, known.reference, handed, sheaf)
    count += 1
  }
  return count
}

/** Whether he refused what counts now: what was refused before it, it replaces. */
function isRefused(before: readonly Handed[], sheaves: readonly Sheaf[]): boolean {
  const current = new Set(sheaves.map(documentOf))
  const since = before.findLastIndex(({ documentId }) => documentId !== null && current.has(documentId))
  return before.slice(0, since === -1 ? before.length : since + 1).some(({ state }) => state === 'refused')
}

/**
 * What a reviewer here accepted is handed to the provider, who has to know whom he pays (CMF L561-5); where it is erased meanwhile, or was refused by
 * him, it is proven on a page of his. Nothing is handed in twice; what replaces something is handed in anew, and what was verified stays so.
 */
export async function handOver(deps: PayoutDeps, provider: Paying, known: KnownPayee, returnTo: string): Promise<void> {
  const { reference } = known
  if (reference === null) return
  const before = await listHanded(deps.db, known)
  const sheaves = sheavesOf(await readAcceptedDocuments(deps, known.userId))
  if ((await handIn(deps, provider, { ...known, reference }, before, sheaves)) > 0 || known.identityState === 'verified') return
  if (sheaves.length === 0 || isRefused(before, sheaves)) await verifyThere(deps, provider, known, before, returnTo)
}

/** The document of somebody verified was replaced, and accepted here. */
export async function handOverRenewed(deps: PayoutDeps, provider: Paying, known: KnownPayee): Promise<void> {
  const { reference } = known
  if (reference === null) return
  const sheaves = sheavesOf(await readAcceptedDocuments(deps, known.userId))
  await handIn(deps, provider, { ...known, reference }, await listHanded(deps.db, known), sheaves)
}

async function verifyThere(
  deps: PayoutDeps,
  provider: Paying,
  known: KnownPayee,
  before: readonly Handed[],
  returnTo: string,
): Promise<void> {
  const { db, clock } = deps
  const open = before.find(({ kind, state }) => kind === hosted && (state === 'begun' || state === 'submitted'))
  const handed = open ?? (await insertHanded(db, known, { documentId: null, kind: hosted, key: randomUUID() }, clock.now()))
  if (handed.reference !== null) return
  const attempt = { key: handed.key, tag: `verification ${handed.id}`, since: handed.createdAt }
  const reading = await provider.identity.beginVerification(known.reference ?? '', returnTo, attempt)
  if (!('id' in reading)) return
  await changeHanded(db, handed.id, { reference: reading.id, state: 'submitted' })
  if (reading.state === 'customer_needed')
    await changePayee(db, known, { identityState: 'customer_needed', identityAddress: reading.address })
}

/** S-22…S-31: what the provider says of what was handed to him. */
export async function followIdentity(deps: PayoutDeps, provider: Paying, before: KnownPayee): Promise<void> {
  const { db } = deps
  const known = await findKnownPayee(db, before.userId, before.realm)
  if (known?.reference == null) return
  let [waits, refusal] = [false, null as string | null]
  for (const handed of await listHanded(db, known)) {
    if (handed.state !== 'submitted' || handed.reference === null) continue
    const isHosted = handed.kind === hosted
    const reading = isHosted
      ? await provider.identity.readVerification(handed.reference)
      : await provider.identity.readDocument(handed.reference)
    if (reading.state === 'document_refused') {
      await changeHanded(db, handed.id, { state: 'refused', refusal: reading.reason })
      refusal = reading.reason
    } else if (reading.state === 'not_verified' || reading.state === 'expired' || reading.state === 'out_of_date') {
      await changeHanded(db, handed.id, { state: 'refused', refusal: 'not_accepted' })
      refusal = 'not_accepted'
    } else if (reading.state === 'validated' || reading.state === 'verified')
      await changeHanded(db, handed.id, { state: 'validated' })
    else if (reading.state === 'customer_needed')
      return await changePayee(db, known, { identityState: 'customer_needed', identityAddress: reading.address })
    else waits = true
  }
  if ((await provider.identity.isVerified(known.reference)) === true)
    return await changePayee(db, known, { identityState: 'verified', identityRefusal: null, identityAddress: null })
  if (refusal !== null)
    return await changePayee(db, known, { identityState: 'refused', identityRefusal: refusal, identityAddress: null })
  if (waits) await changePayee(db, known, { identityState: 'submitted', identityAddress: null })
}

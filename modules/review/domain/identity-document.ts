/** Identity documents: which are asked of whom, and how each stands (E-20, E-21, S-22…S-31, decisions H-20 and H-42). */

export const documentKinds = [
  'id_front',
  'id_back',
  'passport',
  'driving_licence',
  'registration_proof',
  'articles_of_association',
] as const
export type DocumentKind = (typeof documentKinds)[number]

/** `pending`: sent, and with the reviewers. The three of the specification, and before the first sending `collecting`. */
export const verificationStates = ['collecting', 'pending', 'success', 'failure'] as const
export type VerificationState = (typeof verificationStates)[number]

/** Of one version of one document. `ready`: uploaded, not sent yet; `replaced`: a later version stands for it. */
export const documentStates = ['ready', 'pending', 'success', 'failure', 'replaced'] as const
export type DocumentState = (typeof documentStates)[number]

/** S-25…S-31, and the two newer ones of H-42. */
export const refusalReasons = [
  'unreadable',
  'not_accepted',
  'expired',
  'incomplete',
  'missing',
  'mismatch_user_data',
  'mismatch_account_data',
  'falsified',
  'underage',
] as const
export type RefusalReason = (typeof refusalReasons)[number]

/** Of a file as it is sent. */
export const largestDocumentBytes = 10 * 1024 * 1024
export const mostDocumentPages = 20

/** Each set of proofs of a person that suffices. */
export const proofsOfPerson: readonly (readonly DocumentKind[])[] = [['passport'], ['id_front', 'id_back'], ['driving_licence']]
const proofsOfCompany: readonly DocumentKind[] = ['registration_proof', 'articles_of_association']

/** Else it is a paper of a company. */
export const isProofOfPerson = (kind: DocumentKind): boolean => proofsOfPerson.some((proof) => proof.includes(kind))

/** Alternatives: all of one of them must be there. For a legal entity: the representative's proof and the company's. */
export function neededDocuments(userType: 'natural' | 'legal'): readonly (readonly DocumentKind[])[] {
  return userType === 'natural' ? proofsOfPerson : proofsOfPerson.map((proof) => [...proof, ...proofsOfCompany])
}

/** Whether one of such an account can be asked for it at all: a person has no company papers. */
export function isDocumentOf(userType: 'natural' | 'legal', kind: DocumentKind): boolean {
  return neededDocuments(userType).some((needed) => needed.includes(kind))
}

/** What the nearest alternative still lacks; empty: enough. @param held kinds with a version that is not refused */
export function missingDocuments(userType: 'natural' | 'legal', held: ReadonlySet<DocumentKind>): readonly DocumentKind[] {
  const lacks = neededDocuments(userType).map((needed) => needed.filter((kind) => !held.has(kind)))
  // The one begun counts before the one not begun, then the shortest.
  const begun = (missing: readonly DocumentKind[], index: number) =>
    (neededDocuments(userType)[index]?.length ?? 0) - missing.length
  const ranked = lacks.map((missing, index) => ({ missing, begun: begun(missing, index) }))
  ranked.sort((a, b) => a.missing.length - b.missing.length || b.begun - a.begun)
  return ranked[0]?.missing ?? []
}

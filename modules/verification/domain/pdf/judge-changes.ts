import { MalformedError } from '../encoding/der.ts'
import type { ProofCheck } from '../report/proof-report.ts'
import type { CheckedSignature } from './signature/checked-signature.ts'
import { compareRevisions } from './changes/compare-revisions.ts'
import type { Change, ChangeKind, Comparison } from './changes/revision-changes.ts'
import type { PdfDocument } from './document/document.ts'
import type { View } from './document/view.ts'
import { latin } from './document/syntax.ts'
import { readPermissions } from './changes/read-permissions.ts'

const harmless: readonly ChangeKind[] = ['validation_data', 'timestamp', 'signature', 'metadata']

/**
 * What came after each signature, whether its author allowed it, and whether anything is covered by none. What draws on the page, or
 * cannot be told from it, fails; a filled field or a note that nobody allowed leaves it open.
 */
export async function judgeChanges(
  document: PdfDocument,
  final: View,
  checked: readonly CheckedSignature[],
): Promise<ProofCheck[]> {
  const checks: ProofCheck[] = []
  let uncovered: readonly Change[] = []
  for (const each of checked) {
    const { subject, revision, coveredTo } = each
    if (coveredTo === undefined) continue
    const base = { subject }
    if (revision === undefined) {
      checks.push({ ...base, id: 'later_changes', status: 'failed', data: { reason: 'history_rewritten' } })
      continue
    }
    let comparison: Comparison
    try {
      comparison = revision === final ? { changes: [], filled: [] } : await compareRevisions(document, revision, final)
      if (!sharesHistory(revision, final)) throw new MalformedError('history')
    } catch (error) {
      if (!(error instanceof MalformedError)) throw error
      const reason = error.message === 'history' ? 'history_rewritten' : 'unreadable'
      checks.push({ ...base, id: 'later_changes', status: 'failed', data: { reason } })
      continue
    }
    const { changes } = comparison
    if (each === checked.at(-1)) uncovered = changes
    const permissions = each.isTimestamp ? undefined : await readPermissions(revision, each.field)
    checks.push({ ...base, ...laterChanges(changes, permissions?.level) })
    if (permissions !== undefined) checks.push({ ...base, ...permissionCheck(comparison, permissions) })
  }
  const last = checked.at(-1)
  if (last?.coveredTo !== undefined) checks.push(await coveredCheck(document, last.coveredTo, uncovered, last.subject))
  return checks
}

const sharesHistory = (revision: View, final: View): boolean =>
  final.sections.length >= revision.sections.length &&
  final.sections.at(-revision.sections.length)?.at === revision.sections[0]?.at

function laterChanges(changes: readonly Change[], permitted: 1 | 2 | 3 | undefined): Pick<ProofCheck, 'id' | 'status' | 'data'> {
  const kinds = new Set(changes.map(({ kind }) => kind))
  const worst = changes.find(({ kind }) => kind === 'content')
  const counted = { count: changes.length, kinds: [...kinds].toSorted().join(' ') }
  if (worst !== undefined)
    return {
      id: 'later_changes',
      status: 'failed',
      data: { ...counted, reason: 'content_changed', object: worst.object, what: worst.what },
    }
  const open = (['annotation', 'form'] as const).find((kind) => kinds.has(kind) && !allows(permitted, kind))
  if (open !== undefined)
    return {
      id: 'later_changes',
      status: 'indeterminate',
      data: { ...counted, reason: open === 'form' ? 'form_filled' : 'annotations_changed' },
    }
  return { id: 'later_changes', status: 'passed', data: changes.length === 0 ? { ...counted, kinds: 'none' } : counted }
}

/** DocMDP (ISO 32000-2 §12.8.2.2.2): 1 nothing but what keeps it verifiable, 2 forms and signatures, 3 notes too. */
function allows(level: 1 | 2 | 3 | undefined, kind: ChangeKind): boolean {
  if (harmless.includes(kind)) return kind !== 'signature' || level !== 1
  return kind === 'form' ? level === 2 || level === 3 : kind === 'annotation' && level === 3
}

function permissionCheck(
  { changes, filled }: Comparison,
  permissions: NonNullable<Awaited<ReturnType<typeof readPermissions>>>,
): Pick<ProofCheck, 'id' | 'status' | 'data'> {
  const { level } = permissions
  const refused = level === undefined ? undefined : changes.find(({ kind }) => !allows(level, kind))
  if (refused !== undefined)
    return {
      id: 'permissions',
      status: 'failed',
      data: { reason: 'not_permitted', level: level ?? 0, kind: refused.kind, object: refused.object },
    }
  const locked = filled.find((name) => permissions.locks(name))
  if (locked !== undefined)
    return { id: 'permissions', status: 'failed', data: { reason: 'locked_field', level: level ?? 0, field: locked } }
  return { id: 'permissions', status: 'passed', data: { level: level ?? 0 } }
}

async function coveredCheck(
  document: PdfDocument,
  coveredTo: number,
  changes: readonly Change[],
  subject: string,
): Promise<ProofCheck> {
  const left = document.size - coveredTo
  const base = { id: 'covered', data: { bytes: left }, subject }
  if (left === 0) return { ...base, status: 'passed' }
  if (left < 64 && /^[\0\t\n\f\r ]*$/.test(latin(await document.read(coveredTo, left)))) return { ...base, status: 'passed' }
  // What a validator adds to check it later is no part of what was signed (EN 319 142-1 §5.4).
  if (changes.length > 0 && changes.every(({ kind }) => kind === 'validation_data')) return { ...base, status: 'passed' }
  return { ...base, status: 'indeterminate', data: { ...base.data, reason: 'uncovered' } }
}

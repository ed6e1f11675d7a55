import type { Evidence } from '../../contract/evidence.ts'
import type { Category } from './list-view.ts'

/** `discard`: a draft, whose content goes at once; `delete`: what is in the trash, now instead of after thirty days. */
export type Change = 'discard' | 'trash' | 'restore' | 'delete'
export type RowAction = Change | 'download'

export const isChange = (action: RowAction): action is Change => action !== 'download'

/** As the calls are named. */
export const callOf = { discard: 'trash', trash: 'trash', restore: 'restore', delete: 'delete' } as const satisfies Record<
  Change,
  string
>
/** What cannot be had back is asked first. */
export const isAsked = (action: Change): action is 'discard' | 'delete' => action === 'discard' || action === 'delete'

/** What stands in the row itself; all else is in its menu. */
export const mostDone: ReadonlySet<RowAction> = new Set(['download', 'restore'])

export const actionsIn: Readonly<Record<Category, readonly RowAction[]>> = {
  draft: ['discard'],
  completed: ['download', 'trash'],
  trash: ['restore', 'delete'],
}

/** Whether the server would do that to it as it is now. */
export function allows(
  { status, trashed_at: trashed, content_deleted_at: deleted }: Pick<Evidence, 'status' | 'trashed_at' | 'content_deleted_at'>,
  action: RowAction,
): boolean {
  if (action === 'discard') return status === 'to_validate' || status === 'failed'
  if (status !== 'final' || deleted !== null) return false
  return action === 'restore' || action === 'delete' ? trashed !== null : trashed === null
}

/** @param manage whether the caller may change anything; to download he may who may read */
export function actionsOf(evidence: Parameters<typeof allows>[0], category: Category, manage: boolean): readonly RowAction[] {
  return actionsIn[category].filter((action) => (manage || action === 'download') && allows(evidence, action))
}

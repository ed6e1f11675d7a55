import { Button, type ButtonProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useSession } from '../../../../ui/api/session.ts'
import { dot } from '../../../../ui/intl/dot.ts'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { RowMenu } from '../../../../ui/list/RowMenu.tsx'
import type { Evidence } from '../../contract/evidence.ts'
import { ChangeButtons } from './ChangeButtons.tsx'
import { EvidenceRow } from './EvidenceRow.tsx'
import { LabelEditor } from './LabelEditor.tsx'
import type { Category, ListView } from './list-view.ts'
import { actionsOf, mostDone, type Change, type RowAction } from './row-changes.ts'

const item = (change: Change | null): ButtonProps => ({
  variant: 'subtle',
  ...(change === 'delete' || change === 'discard' ? { color: 'bad' } : {}),
})

/** An evidence of the account: what is done most stands in the row, what else may be done in its menu. */
export function AccountRow(props: {
  evidence: Evidence
  category: Category
  userId: string
  view: ListView
  manage: boolean
  check: ReactNode
  selected: boolean
  onDone: () => void
}): ReactNode {
  const text = useText()
  const { evidence, category, manage } = props
  const [labelling, setLabelling] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const name = evidence.page_url
  const all = actionsOf(evidence, category, manage)
  const first = all.filter((action) => mostDone.has(action))
  const rest = all.filter((action) => !mostDone.has(action))
  const buttons = (actions: readonly RowAction[], look: Parameters<typeof ChangeButtons>[0]['look'], onDone = props.onDone) =>
    actions.length === 0 ? null : <ChangeButtons actions={actions} rows={[evidence]} name={name} look={look} onDone={onDone} />
  const label = text(evidence.label === '' ? 'evidence.account.label.add' : 'evidence.account.label.change')
  const toReview = evidence.status === 'to_validate' ? <Review evidence={evidence} /> : null
  return (
    <EvidenceRow
      held={evidence}
      evidence={evidence}
      failed={false}
      selected={props.selected}
      check={props.check}
      more={<More evidence={evidence} userId={props.userId} view={props.view} />}
      action={toReview ?? buttons(first, () => ({ variant: 'default', size: 'compact-sm', px: 'sm' }))}
      menu={
        rest.length === 0 && !manage ? null : (
          <RowMenu name={name}>
            {(close) => {
              // A row may outlive what was done with it.
              const done = () => {
                close()
                props.onDone()
              }
              return (
                <>
                  {manage ? (
                    <button
                      type="button"
                      aria-label={`${label} – ${name}`}
                      onClick={() => {
                        close()
                        setLabelling(true)
                      }}
                    >
                      {label}
                    </button>
                  ) : null}
                  {buttons(rest, item, done)}
                </>
              )
            }}
          </RowMenu>
        )
      }
      below={
        labelling ? (
          <div ref={box}>
            <LabelEditor
              evidence={evidence}
              onClose={() => {
                const row = box.current?.closest('li')
                flushSync(() => setLabelling(false))
                // The menu that opened it is closed: the row has the focus.
                row?.querySelector<HTMLElement>('a[data-open]')?.focus()
              }}
            />
          </div>
        ) : null
      }
    />
  )
}

function Review({ evidence }: { evidence: Evidence }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const words = text('evidence.account.do.review')
  return (
    <Button
      size="compact-sm"
      px="sm"
      aria-label={`${words} – ${evidence.page_url}`}
      renderRoot={(root) => <Link to="/$locale/capture/$id/" params={{ locale, id: evidence.id }} {...root} />}
    >
      {words}
    </Button>
  )
}

/** H-22, H-23: of a group, or in somebody’s name, more than one’s own is listed. */
function More(props: { evidence: Evidence; userId: string; view: ListView }): ReactNode {
  const text = useText()
  // Who acts for somebody sees that one’s alone.
  const acting = (useSession()?.delegation ?? null) !== null
  const locale = useLocale()
  const { owner, created_by: maker, captured_at: captured } = props.evidence
  return (
    <>
      {captured === null || !props.view.ordering.endsWith('captured_at') ? null : (
        <>
          {dot}
          {text('evidence.account.captured', { date: formatInstant(captured, locale) })}
        </>
      )}
      {owner === null || acting || owner.id === props.userId ? null : (
        <>
          {dot}
          {text('evidence.account.owner', { name: visible(owner.name) })}
        </>
      )}
      {maker === null || maker.id === (owner?.id ?? props.userId) ? null : (
        <>
          {dot}
          {text('evidence.account.by', { name: visible(maker.name) })}
        </>
      )}
    </>
  )
}

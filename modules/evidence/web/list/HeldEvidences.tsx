import { Button } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { holdFound, letGo, useHeldEvidences, type HeldEvidence } from '../held/held-evidences.ts'
import { heldListQuery } from '../life/queries.ts'
import styles from '../../../../ui/list/rows.module.css'
import { Rows } from '../../../../ui/list/Rows.tsx'
import { EvidenceRow } from './EvidenceRow.tsx'
import { NoEvidence } from './NoEvidence.tsx'

/** H-01: without an account, the evidences whose keys this browser holds, and no others. */
export function HeldEvidences(props: { completed: boolean }): ReactNode {
  const text = useText()
  const { completed } = props
  const held = useHeldEvidences()
  const tokens = [...new Set(held.map(({ token }) => token))]
  const answers = useQueries({ queries: tokens.map(heldListQuery) })
  useEffect(() => {
    tokens.forEach((token, i) =>
      holdFound((answers[i]?.data ?? []).map(({ id, page_url, created_at }) => ({ id, token, page_url, created_at }))),
    )
  })
  const all = held
    .map((key) => {
      const answer = answers[tokens.indexOf(key.token)]
      const evidence = answer?.data?.find(({ id }) => id === key.id) ?? null
      return { key, evidence, failed: evidence === null && answer?.isPending !== true }
    })
    .toSorted((a, b) => b.key.created_at.localeCompare(a.key.created_at))
  const shown = all.filter(({ evidence }) => (evidence?.status === 'final') === completed)
  const waiting = all.some(({ evidence, failed }) => evidence === null && !failed)
  if (shown.length === 0 && !(completed && waiting))
    return <NoEvidence title={text(completed ? 'evidence.list.empty.completed' : 'evidence.list.empty.pending')} />
  return (
    <>
      <p className={styles['soft']}>{text('evidence.list.lead')}</p>
      <Rows busy={waiting}>
        {shown.map(({ key, evidence, failed }) => (
          <EvidenceRow key={key.id} held={key} evidence={evidence} failed={failed} menu={<Remove held={key} />} />
        ))}
      </Rows>
    </>
  )
}

function Remove(props: { held: HeldEvidence }): ReactNode {
  const text = useText()
  const { held } = props
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        px="sm"
        aria-label={`${text('evidence.list.remove')} – ${held.page_url}`}
        onClick={() => setAsking(true)}
      >
        {text('evidence.list.remove.confirm')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={text('evidence.list.remove.title')}
        text={text('evidence.list.remove.text')}
        confirm={text('evidence.list.remove.confirm')}
        cancel={text('evidence.reject.cancel')}
        destructive
        busy={false}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          letGo(held.id)
          notify('success', text('evidence.notice.removed'), text('ui.notice.dismiss'))
        }}
      />
    </>
  )
}

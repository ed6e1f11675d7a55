import { Button } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { useServerTime } from '../../../../ui/api/use-server-time.ts'
import { apiAddress } from '../../../../ui/api/api-address.ts'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { formatCountdown, formatInstant } from '../../../../ui/intl/format.ts'
import { Message, useLocale, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import type { Evidence, EvidenceAnchor } from '../../contract/evidence.ts'
import { HealthBadges } from '../components/ProofHealth.tsx'
import { PageAddress } from '../components/PageAddress.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { holdFound, letGo, useHeldEvidences, type HeldEvidence } from '../held-evidences.ts'
import { heldListQuery } from '../queries.ts'
import styles from './evidences.module.css'

/** H-01: without an account, the evidences whose keys this browser holds, and no others. */
export function EvidencesPage(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { pathname } = useLocation()
  const completed = pathname.includes('/completed')
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
  return (
    <div className={styles['page']}>
      <h1>{text('evidence.list.title')}</h1>
      <nav className={styles['tabs']} aria-label={text('evidence.list.tabs')}>
        <Link to="/$locale/evidences/pending/" params={{ locale }} aria-current={completed ? undefined : 'page'}>
          {text('evidence.list.pending')}
        </Link>
        <Link to="/$locale/evidences/completed/" params={{ locale }} aria-current={completed ? 'page' : undefined}>
          {text('evidence.list.completed')}
        </Link>
      </nav>
      {shown.length === 0 && !(completed && waiting) ? (
        <div className={styles['empty']}>
          <h2>{text(completed ? 'evidence.list.empty.completed' : 'evidence.list.empty.pending')}</h2>
          <p>{text('evidence.list.empty.text')}</p>
          <p>
            <Button size="md" renderRoot={(root) => <Link to="/$locale/" params={{ locale }} {...root} />}>
              {text('evidence.list.empty.action')}
            </Button>
          </p>
        </div>
      ) : (
        <>
          <p className={styles['soft']}>{text('evidence.list.lead')}</p>
          <ul className={styles['list']}>
            {shown.map(({ key, evidence, failed }) => (
              <Row key={key.id} held={key} evidence={evidence} failed={failed} />
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

function Row(props: { held: HeldEvidence; evidence: Evidence | null; failed: boolean }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const now = useServerTime(30_000)
  const [asking, setAsking] = useState(false)
  const { held, evidence } = props
  const anchorText = ({ block }: EvidenceAnchor): string =>
    block === null
      ? text('evidence.anchor.pending')
      : `${text('evidence.anchor.block', { height: block.height })}, ${formatInstant(block.time, locale)}`
  const title = evidence?.preview?.title ?? ''
  // Of a session: the last that was taken.
  const shot = evidence?.preview?.session?.screenshots.findLast(({ kind, images }) => kind === 'viewport' && images.length > 0)
  const image = shot?.images[0] ?? evidence?.preview?.images.find(({ kind }) => kind === 'viewport')
  const status =
    evidence === null
      ? props.failed
        ? text('evidence.list.unreachable')
        : text('ui.loading')
      : text(`evidence.status.${evidence.status}`)
  return (
    <li className={styles['row']}>
      <div className={styles['thumbnail']}>
        {image === undefined ? null : <img src={apiAddress(image.url)} alt="" loading="lazy" />}
      </div>
      <div className={styles['what']}>
        <Link to="/$locale/capture/$id/" params={{ locale, id: held.id }} className={styles['name']}>
          {title === '' ? <PageAddress url={held.page_url} /> : visible(title)}
        </Link>
        {title === '' ? null : (
          <p className={styles['soft']}>
            <PageAddress url={held.page_url} />
          </p>
        )}
        <p className={styles['soft']}>
          {evidence === null ? null : `${text(`capture.action.${evidence.action}`)} · `}
          {text('evidence.list.asked', { date: formatInstant(held.created_at, locale) })}
          {evidence?.status === 'to_validate' && evidence.expires_at !== null ? (
            <>
              {' · '}
              <Message
                id="evidence.preview.deleted_in"
                values={{ time: formatCountdown(Date.parse(evidence.expires_at) - now) }}
              />
            </>
          ) : null}
          {evidence?.anchor == null ? null : <> · {anchorText(evidence.anchor)}</>}
        </p>
        {evidence?.status !== 'final' ? null : <HealthBadges evidence={evidence} now={now} />}
      </div>
      <span className={styles['status']} data-status={evidence?.status ?? 'unknown'}>
        {status}
      </span>
      <Button
        variant="default"
        size="compact-sm"
        mih={44}
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
    </li>
  )
}

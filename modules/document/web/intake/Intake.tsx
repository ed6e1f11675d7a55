import { Button } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { DropZone } from '../../../../ui/files/DropZone.tsx'
import { foundInTransfer, foundOneByOne } from '../../../../ui/files/found-files.ts'
import { formatBytes, formatSeconds } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { FileRows } from './FileRows.tsx'
import { mostFiles, type Intake as Files, type IntakeGlance } from './intake.ts'
import { useIntake } from './use-intake.ts'
import styles from '../deposit/panels.module.css'

/** C-15, E-32: files are given, hashed where they are, and deposited by their fingerprints. */
export function Intake(props: {
  user: string
  /** What follows once there is a fingerprint. */
  renderNext: (intake: Files, glance: IntakeGlance) => ReactNode
}): ReactNode {
  const text = useText()
  const { intake, glance } = useIntake(props.user)
  const [nothing, setNothing] = useState(false)
  const took = (count: number) => setNothing(count === 0)
  const drop = (transfer: DataTransfer) => {
    if (transfer.items.length === 0) {
      took(0)
      return
    }
    let told: (path: string) => void = () => undefined
    const found = foundInTransfer(transfer, (path) => told(path))
    void intake
      .addAll((onUnreadable) => {
        told = onUnreadable
        return found
      })
      .then((count) => (count === null ? undefined : took(count)))
  }
  const choose = (files: readonly File[]) => {
    if (files.length === 0) return
    took(files.length)
    void intake.add(foundOneByOne(files))
  }
  usePastedFiles(drop)
  useLeaving(glance)
  return (
    <section className={styles['intake']} aria-label={text('document.intake.title')}>
      <DropZone
        lead={text('document.intake.drop')}
        note={text('document.intake.local')}
        choices={[
          { label: text('document.intake.choose_files') },
          { label: text('document.intake.choose_folder'), folder: true },
        ]}
        onDropped={drop}
        onChosen={choose}
      />
      {nothing ? (
        <p role="alert" className={styles['notice']} data-kind="bad">
          {text('document.intake.nothing')}
        </p>
      ) : null}
      {glance.total === 0 && !glance.finding ? null : <Working intake={intake} glance={glance} renderNext={props.renderNext} />}
    </section>
  )
}

function Working(props: {
  intake: Files
  glance: IntakeGlance
  renderNext: (intake: Files, glance: IntakeGlance) => ReactNode
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { intake, glance } = props
  const { counts, bytes, speed, total } = glance
  const left = counts.hashing + counts.waiting
  const busy = left > 0 || counts.paused > 0
  const number = (value: number) => new Intl.NumberFormat(locale).format(value)
  const remaining = speed === null ? null : (bytes.total - bytes.done) / speed
  return (
    <div className={styles['working']}>
      <div className={styles['figures']}>
        <p>
          <strong>{text('document.intake.hashed', { done: counts.hashed, count: total })}</strong>
          {busy
            ? ` · ${formatBytes(bytes.done, locale)} / ${formatBytes(bytes.total, locale)}`
            : ` · ${formatBytes(bytes.total, locale)}`}
          {speed === null ? null : ` · ${text('document.intake.speed', { speed: formatBytes(speed, locale) })}`}
          {remaining === null || left === 0 ? null : ` · ${text('document.intake.left', { time: formatSeconds(remaining) })}`}
        </p>
        <div className={styles['buttons']}>
          {left > 0 ? (
            <Button variant="default" mih={44} onClick={() => intake.pauseAll()}>
              {text('document.intake.pause')}
            </Button>
          ) : null}
          {counts.paused > 0 ? (
            <Button variant="default" mih={44} onClick={() => intake.resumeAll()}>
              {text('document.intake.resume')}
            </Button>
          ) : null}
          <Button variant="default" mih={44} onClick={() => intake.clear()}>
            {text(busy ? 'document.intake.cancel' : 'document.intake.clear')}
          </Button>
        </div>
      </div>
      {busy ? (
        <progress
          className={styles['whole']}
          value={bytes.total === 0 ? counts.hashed : bytes.done}
          max={bytes.total === 0 ? Math.max(1, total) : bytes.total}
          aria-label={text('document.intake.progress')}
        />
      ) : null}
      {/* Said when something is finished or began, not with every byte. */}
      <p role="status" className="visually-hidden">
        {glance.finding
          ? text('document.intake.finding')
          : busy
            ? text('document.intake.working')
            : text('document.intake.done', { count: counts.hashed })}
      </p>
      {glance.finding ? <p className={styles['soft']}>{text('document.intake.found', { count: number(total) })}</p> : null}
      {glance.leftOut === 0 ? null : (
        <p role="alert" className={styles['notice']} data-kind="caution">
          {text('document.intake.left_out', { count: glance.leftOut, most: mostFiles })}
        </p>
      )}
      {counts.failed === 0 ? null : (
        <p className={styles['notice']} data-kind="bad">
          {text('document.intake.some_failed', { count: counts.failed })}
        </p>
      )}
      {total === 0 ? null : <FileRows intake={intake} glance={glance} />}
      {counts.hashed === 0 ? null : props.renderNext(intake, glance)}
    </div>
  )
}

/** What is pasted outside a field is a document. */
function usePastedFiles(take: (transfer: DataTransfer) => void): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const { target, clipboardData } = event
    if (clipboardData === null || clipboardData.files.length === 0) return
    if (target instanceof HTMLElement && target.closest('input, textarea, dialog, [contenteditable]') !== null) return
    event.preventDefault()
    take(clipboardData)
  })
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => paste(event)
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [])
}

/** Before the page is closed over work that would be lost. */
function useLeaving(glance: IntakeGlance): void {
  const { hashing, waiting, paused, hashed } = glance.counts
  const unfinished = useRef(false)
  useEffect(() => {
    unfinished.current = hashing + waiting + paused + hashed > 0
  })
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (unfinished.current) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
}

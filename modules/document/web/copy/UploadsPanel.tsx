import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { DropZone } from '../../../../ui/files/DropZone.tsx'
import { foundInInput, foundInTransfer, type FoundFile } from '../../../../ui/files/found-files.ts'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { Message, useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { readDocumentCopy } from '../../contract/copy.ts'
import { depositLink } from '../deposit/deposit-link.tsx'
import styles from '../deposit/panels.module.css'
import { startHashing } from '../../../../ui/hash/start-hashing.ts'
import { UploadProgress, useReason } from './UploadProgress.tsx'
import type { QueuedCopy, Uploads } from './uploads.ts'
import { useUploads } from './use-uploads.ts'

/** So many are named; the rest are counted. */
const mostNamed = 10

const nameOf = ({ name, sha256 }: QueuedCopy) => visible(name === '' ? sha256.slice(0, 16) : name)

/** Copies of deposited files on their way, one after the other, and those that the page was closed over. */
export function UploadsPanel(): ReactNode {
  const text = useText()
  const client = useQueryClient()
  const { uploads, copies } = useUploads()
  const of = (...kinds: QueuedCopy['glance']['kind'][]) => copies.filter(({ glance }) => kinds.includes(glance.kind))
  const [active] = of('sending', 'paused', 'resting')
  const [queued, failed, sent, absent] = [of('queued'), of('failed'), of('sent'), of('absent')]
  useEffect(() => {
    if (sent.length > 0) void client.invalidateQueries({ queryKey: ['documents'] })
  }, [client, sent.length])
  if (copies.length === 0) return null
  const forget = (gone: readonly QueuedCopy[]) => uploads.forget(gone.map(({ id }) => id))
  return (
    <section className={styles['intake']} aria-label={text('document.copies')}>
      {active === undefined ? null : (
        <div className={styles['notice']} data-copies="sending">
          <p>
            <strong>
              <Message id="document.copies.one" values={{ name: <bdi>{nameOf(active)}</bdi> }} />
            </strong>{' '}
            {queued.length === 0 ? null : text('document.copies.queued', { count: queued.length })}
          </p>
          <UploadProgress copy={active} onStop={() => forget([active])}>
            {queued.length === 0 ? null : (
              <Button variant="default" mih={44} onClick={() => forget([active, ...queued])}>
                {text('document.copies.stop_all')}
              </Button>
            )}
          </UploadProgress>
          <p className={styles['soft']}>{text('document.copies.stay')}</p>
        </div>
      )}
      {failed.length === 0 ? null : <Failed failed={failed} uploads={uploads} />}
      {absent.length === 0 ? null : <Absent absent={absent} uploads={uploads} />}
      <div role="status" className={styles['live']}>
        {sent.length === 0 ? null : (
          <div className={styles['notice']} data-kind="good" data-copies="sent">
            <p>
              <strong>{text('document.copies.sent', { count: sent.length })}</strong> <Compared sent={sent} />
            </p>
            <Button variant="default" mih={44} onClick={() => forget(sent)}>
              {text('ui.close')}
            </Button>
          </div>
        )}
      </div>
    </section>
  )
}

/** While they are compared, which nobody here can hasten. */
const lookAgainMs = 2_000

/** What the comparing gave, of as many as are named. */
function Compared(props: { sent: readonly QueuedCopy[] }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const client = useQueryClient()
  const ids = props.sent.map(({ id }) => id)
  const few = ids.length <= mostNamed
  const { data } = useQuery({
    queryKey: ['document-copies', ...ids] as const,
    queryFn: async ({ signal }) => {
      const found = []
      for (const id of ids) found.push(await call(readDocumentCopy, { params: { id }, signal }))
      return found
    },
    enabled: few,
    refetchInterval: ({ state }) =>
      state.data?.some((copy) => copy.state === 'comparing' && !copy.unopened) ? lookAgainMs : false,
  })
  const over = data !== undefined && data.every(({ state }) => state === 'stored')
  useEffect(() => {
    if (over) void client.invalidateQueries({ queryKey: ['documents', 'list'] })
  }, [client, over])
  const until = (data ?? []).flatMap(({ kept_until: date }) => date ?? []).toSorted()[0]
  if (!over || until === undefined) return text('document.copies.comparing')
  return text('document.copies.stored', { count: ids.length, date: formatInstant(until, locale) })
}

function Failed(props: { failed: readonly QueuedCopy[]; uploads: Uploads }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const reason = useReason()
  const { failed, uploads } = props
  return (
    <div role="alert" className={styles['notice']} data-kind="bad" data-copies="failed">
      <p>
        <strong>{text('document.copies.failed', { count: failed.length })}</strong>
      </p>
      <ul>
        {failed.slice(0, mostNamed).map((copy) => (
          <li key={copy.id}>
            <Message
              id="document.copies.failed.one"
              values={{
                name: <bdi>{nameOf(copy)}</bdi>,
                a: depositLink(locale, copy.id),
                why: copy.glance.kind === 'failed' ? reason(copy.glance.reason) : '',
              }}
            />
          </li>
        ))}
      </ul>
      {failed.length > mostNamed ? <p>{text('document.outbox.more', { count: failed.length - mostNamed })}</p> : null}
      <div className={styles['buttons']}>
        <Button
          mih={44}
          onClick={() => {
            for (const { id } of failed) uploads.again(id)
          }}
        >
          {text('document.copy.again')}
        </Button>
        <Button variant="default" mih={44} onClick={() => uploads.forget(failed.map(({ id }) => id))}>
          {text('document.copies.give_up')}
        </Button>
      </div>
    </div>
  )
}

/** A page that is opened anew has none of the files: they are asked for once, and known by their fingerprints. */
function Absent(props: { absent: readonly QueuedCopy[]; uploads: Uploads }): ReactNode {
  const text = useText()
  const { absent, uploads } = props
  const [looking, setLooking] = useState<{ readonly file: File; readonly done: number } | null>(null)
  const [others, setOthers] = useState(0)
  const pool = useRef<ReturnType<typeof startHashing> | null>(null)
  useEffect(
    () => () => {
      pool.current?.end()
      pool.current = null
    },
    [],
  )
  const look = async (batches: AsyncIterable<readonly FoundFile[]> | Iterable<readonly FoundFile[]>) => {
    pool.current?.end()
    const hashing = startHashing()
    pool.current = hashing
    setOthers(0)
    for await (const batch of batches)
      for (const { file } of batch) {
        if (pool.current !== hashing) return
        setLooking({ file, done: 0 })
        const outcome = await hashing.hash(file, (done) => {
          if (pool.current === hashing) setLooking({ file, done })
        }).outcome
        // Stopped, or other files were given instead.
        if (pool.current !== hashing) return
        if (!outcome.ok || !uploads.give(outcome.sha256, file)) setOthers((count) => count + 1)
      }
    if (pool.current === hashing) stop()
  }
  const stop = () => {
    pool.current?.end()
    pool.current = null
    setLooking(null)
  }
  return (
    <div className={styles['notice']} data-kind="caution" data-copies="absent">
      <p>
        <strong>{text('document.copies.absent', { count: absent.length })}</strong> {text('document.copies.absent.text')}
      </p>
      <ul>
        {absent.slice(0, mostNamed).map((copy) => (
          <li key={copy.id}>
            <bdi>{nameOf(copy)}</bdi>
          </li>
        ))}
      </ul>
      {absent.length > mostNamed ? <p>{text('document.outbox.more', { count: absent.length - mostNamed })}</p> : null}
      <DropZone
        lead={text('document.copies.absent.drop')}
        note={text('document.copy.note')}
        choices={[
          { label: text('document.intake.choose_files') },
          { label: text('document.intake.choose_folder'), folder: true },
        ]}
        onDropped={(transfer) => void look(foundInTransfer(transfer))}
        onChosen={(files) => void look([foundInInput(files)])}
      />
      <p role="status">
        {looking === null
          ? others === 0
            ? null
            : text('document.copies.others', { count: others })
          : text('document.copies.looking', { name: visible(looking.file.name) })}
      </p>
      {looking === null ? null : (
        <>
          <progress
            className={styles['whole']}
            value={looking.done}
            max={Math.max(1, looking.file.size)}
            aria-label={text('document.intake.progress')}
          />
          <Button variant="default" mih={44} onClick={stop}>
            {text('document.intake.cancel')}
          </Button>
        </>
      )}
      <Button variant="default" mih={44} onClick={() => uploads.forget(absent.map(({ id }) => id))}>
        {text('document.copies.give_up')}
      </Button>
    </div>
  )
}

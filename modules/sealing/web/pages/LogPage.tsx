import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiAddress } from '../../../../ui/api/api-address.ts'
import { callLater } from '../../../../ui/shell/call-later.ts'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { CopiedValue, Loaded, ReferencePage, ReferenceSection } from '../../../../ui/controls/ReferencePage.tsx'
import styles from '../../../../ui/controls/reference-page.module.css'
import { formatExact, groupHex } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { readHead } from '../../../../ui/shell/head-data.ts'
import type { LogCheckpoint, LogState } from '../../contract/log.ts'

const pageLength = 10

/** The public log: what it is, how it stands, and how anybody holds its operator to it. */
export function LogPage({ lookUp }: { /** Checks an entry of the reader's own. */ lookUp: ReactNode }): ReactNode {
  const text = useText()
  const query = useQuery({
    queryKey: ['log-state'],
    queryFn: async ({ signal }) => await callLater(async () => (await import('../../contract/log.ts')).readLogState, { signal }),
    refetchInterval: 30_000,
  })
  return (
    <ReferencePage title={text('ui.page.log')} lead={[text('sealing.log.page.lead'), text('sealing.log.page.private')]}>
      <Loaded query={query} loading={text('sealing.log.page.loading')} failed={text('sealing.log.page.failed')}>
        {(data) => <State state={data} />}
      </Loaded>
      <ReferenceSection title={text('sealing.log.page.look_up')} why={text('sealing.log.page.look_up_why')}>
        {lookUp}
      </ReferenceSection>
      {query.data?.newest == null ? null : <Checkpoints />}
      <Mirror />
    </ReferencePage>
  )
}

function State({ state }: { state: LogState }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { newest, cosigned, anchored, witnesses, witnessed } = state
  const instant = (iso: string) => formatExact(iso, locale)
  return (
    <>
      <ReferenceSection title={text('sealing.log.page.newest')}>
        {newest === null ? (
          <p>{text('sealing.log.page.empty')}</p>
        ) : (
          <Facts
            rows={[
              [text('sealing.log.page.origin'), <code key="origin">{newest.origin}</code>],
              [text('sealing.log.page.size'), new Intl.NumberFormat(locale).format(newest.size)],
              [text('sealing.log.page.signed_at'), instant(newest.at)],
              [
                text('sealing.log.page.root'),
                <CopiedValue
                  key="root"
                  shown={groupHex(newest.root_hash)}
                  value={newest.root_hash}
                  what={text('sealing.log.page.root')}
                />,
              ],
              [
                text('sealing.log.page.cosigned'),
                cosigned === null
                  ? text('sealing.log.page.nobody')
                  : cosigned.cosignatures
                      .map(({ name, at }) => text('sealing.log.page.cosigned_by', { name, size: cosigned.size, at: instant(at) }))
                      .join(' · '),
              ],
              [
                text('sealing.log.page.anchored'),
                anchored?.anchor?.height == null || anchored.anchor.block_time === null
                  ? text('sealing.log.page.not_anchored')
                  : [
                      text('sealing.log.page.anchored_at', {
                        size: anchored.size,
                        height: anchored.anchor.height,
                        at: instant(anchored.anchor.block_time),
                      }),
                      ...(anchored.anchor.network === 'main' ? [] : [text('sealing.log.page.anchor.test')]),
                    ].join(' · '),
              ],
            ]}
          />
        )}
      </ReferenceSection>
      <ReferenceSection title={text('sealing.log.page.witnesses')} why={text('sealing.log.page.witnesses_why')}>
        {witnesses.length === 0 ? <p>{text('sealing.log.page.no_witness')}</p> : null}
        <ul className={styles['list']}>
          {witnesses.map(({ name, answer, asked_at, size }) => (
            <li key={name} data-answer={answer}>
              <code>{name}</code>
              <span>{text(`sealing.log.page.answer.${answer}`, { size, at: instant(asked_at) })}</span>
            </li>
          ))}
        </ul>
        {witnessed.length === 0 ? null : (
          <>
            <h3>{text('sealing.log.page.witnessed')}</h3>
            <ul className={styles['list']}>
              {witnessed.map(({ origin, size, at }) => (
                <li key={origin}>
                  <code>{origin}</code>
                  <span>{text('sealing.log.page.witnessed_at', { size, at: instant(at) })}</span>
                </li>
              ))}
            </ul>
          </>
        )}
      </ReferenceSection>
    </>
  )
}

function Checkpoints(): ReactNode {
  const text = useText()
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['log-checkpoints'],
    queryFn: async ({ pageParam, signal }) =>
      (
        await callLater(async () => (await import('../../contract/log.ts')).listLogCheckpoints, {
          query: { limit: pageLength, ...(pageParam === null ? {} : { before: pageParam }) },
          signal,
        })
      ).results,
    initialPageParam: null as number | null,
    getNextPageParam: (last) => (last.length < pageLength ? undefined : (last.at(-1)?.size ?? undefined)),
  })
  const rows = (data?.pages ?? []).flat()
  return (
    <ReferenceSection title={text('sealing.log.page.checkpoints')} why={text('sealing.log.page.checkpoints_why')}>
      <ul className={styles['list']}>
        {rows.map((row) => (
          <li key={row.size}>
            <CheckpointRow row={row} />
          </li>
        ))}
      </ul>
      {hasNextPage ? (
        <Button
          variant="default"
          className={styles['more'] ?? ''}
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {text('sealing.log.page.more')}
        </Button>
      ) : null}
    </ReferenceSection>
  )
}

function CheckpointRow({ row }: { row: LogCheckpoint }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { size, root_hash, at, cosignatures, timestamps, anchor } = row
  const file = (suffix: string) => apiAddress(`/log/checkpoints/${size}${suffix}`)
  return (
    <>
      <h3>{text('sealing.log.page.entries', { count: size })}</h3>
      <p className={styles['soft']}>{formatExact(at, locale)}</p>
      <p>
        <code>{groupHex(root_hash)}</code>
      </p>
      <p>
        {[
          text('sealing.log.page.cosignatures', { count: cosignatures.length }),
          text('sealing.log.page.timestamps', { count: timestamps.length }),
          text(anchor === null ? 'sealing.log.page.anchor.none' : `sealing.log.page.anchor.${anchor.status}`, {
            height: anchor?.height ?? 0,
          }),
          ...(anchor === null || anchor.network === 'main' ? [] : [text('sealing.log.page.anchor.test')]),
        ].join(' · ')}
      </p>
      <p className={styles['files']}>
        <a href={file('')} aria-label={text('sealing.log.page.file_checkpoint_of', { size })}>
          {text('sealing.log.page.file_checkpoint')}
        </a>
        {timestamps.length === 0 ? null : (
          <a
            href={file('.tsr')}
            download={`checkpoint-${size}.tsr`}
            aria-label={text('sealing.log.page.file_stamp_of', { size })}
          >
            .tsr
          </a>
        )}
        {anchor === null ? null : (
          <a href={file('.ots')} download={`checkpoint-${size}.ots`} aria-label={text('sealing.log.page.file_ots_of', { size })}>
            .ots
          </a>
        )}
      </p>
    </>
  )
}

function Mirror(): ReactNode {
  const text = useText()
  // Where the page is drawn ahead, the server says which one this is.
  const origin = (readHead('origin') as string | null) ?? location.origin
  const prefix = /^https?:/.test(apiAddress('/log')) ? apiAddress('/log') : `${origin}${apiAddress('/log')}`
  return (
    <ReferenceSection title={text('sealing.log.page.mirror')} why={text('sealing.log.page.mirror_why')}>
      <ul className={styles['files']}>
        <li>
          <a href={`${prefix}/checkpoint`}>checkpoint</a>
        </li>
        <li>
          <code>tile/0/000</code>
        </li>
        <li>
          <code>tile/entries/000</code>
        </li>
      </ul>
      <pre className={styles['command']} tabIndex={0}>
        {`curl ${prefix}/checkpoint\ncurl ${prefix}/tile/0/000 | xxd -p -c 32`}
      </pre>
      <p className={styles['soft']}>{text('sealing.log.page.tools')}</p>
    </ReferenceSection>
  )
}

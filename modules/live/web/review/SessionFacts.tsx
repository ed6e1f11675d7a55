import type { ReactNode } from 'react'
import { apiAddress } from '../../../../ui/api/api-address.ts'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { formatBytes, formatExact, formatSeconds, groupHex } from '../../../../ui/intl/format.ts'
import { useLocale, useText, type MessageId } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { EvidenceSession } from '../../../evidence/contract/session-review.ts'
import { PageAddress } from '../../../../ui/controls/PageAddress.tsx'
import type { Focus } from './SessionReview.tsx'
import { clockOf } from './timeline.ts'
import styles from './review.module.css'

type Part = { readonly session: EvidenceSession; readonly show: (focus: Focus) => void }

/** What the session was, and all that a reader may object to: masks, absences, failures, each with its second. */
export function SessionFacts(props: Part): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { session } = props
  const { video, device } = session
  return (
    <>
      <Facts
        rows={[
          [text('review.facts.began'), formatExact(session.began_at, locale)],
          [text('review.facts.duration'), formatSeconds(Math.round(session.duration_ms / 1000))],
          [text('review.facts.ended'), text(`review.facts.ended.${session.ended_by}`)],
          [
            text('review.facts.device'),
            device.kind === 'desktop'
              ? text('review.facts.device.desktop')
              : text('review.facts.device.mobile', { name: visible(device.name), width: device.width, height: device.height }),
          ],
          [text('review.facts.pages'), session.navigations],
          [
            text('review.facts.video'),
            video === null
              ? text('review.facts.video.none')
              : text('review.facts.video.value', {
                  time: clockOf(video.duration_ms, locale),
                  frames: video.frames,
                  sound: video.sound ? 'yes' : 'no',
                }),
          ],
          ...(video === null
            ? []
            : ([
                [text('review.facts.dropped'), video.frames_dropped],
                [
                  text('review.facts.gaps'),
                  video.gaps.length === 0 ? (
                    text('review.none')
                  ) : (
                    <ul key="gaps" className={styles['plain']}>
                      {video.gaps.map((gap) => (
                        <li key={gap.from_ms}>
                          {text('review.video.gap', { from: clockOf(gap.from_ms, locale), to: clockOf(gap.to_ms, locale) })}
                        </li>
                      ))}
                    </ul>
                  ),
                ],
                [text('review.facts.chain'), <code key="c">{groupHex(video.chain)}</code>],
              ] as const)),
          [text('review.facts.timeline'), text('review.facts.timeline.value', { count: session.timeline.entries })],
          [text('review.facts.head'), <code key="h">{groupHex(session.timeline.head)}</code>],
        ]}
      />
      <Masked {...props} />
      <List id="absences" empty="review.absences.none">
        {[
          ...session.absences.map((one) => ({
            ms: one.from_ms,
            said: text('review.absence', { from: clockOf(one.from_ms, locale), to: clockOf(one.to_ms, locale) }),
          })),
          // The first device is the one that began.
          ...session.hand_overs
            .slice(1)
            .map(({ ms, viewer }) => ({ ms, said: text('review.hand_over', { viewer, time: clockOf(ms, locale) }) })),
        ]
          .toSorted((a, b) => a.ms - b.ms)
          .map(({ ms, said }) => (
            <li key={`${ms} ${said}`}>
              {said} <Second ms={ms} show={props.show} />
            </li>
          ))}
      </List>
      <Witnesses {...props} />
      <Files {...props} />
      <List id="crashes" empty="review.crashes.none">
        {session.crashes.map(({ ms, what, recovered }) => (
          <li key={`${ms} ${what}`}>
            {text('review.crash', { what, time: clockOf(ms, locale), recovered: recovered ? 'yes' : 'no' })}{' '}
            <Second ms={ms} show={props.show} />
          </li>
        ))}
      </List>
    </>
  )
}

function Second(props: { ms: number; show: (focus: Focus) => void }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const time = clockOf(props.ms, locale)
  return (
    <button
      type="button"
      className={styles['second']}
      aria-label={text('review.go.time', { time })}
      onClick={() => props.show({ ms: props.ms })}
    >
      {time}
    </button>
  )
}

function List(props: {
  id: 'masked' | 'absences' | 'witnesses' | 'files' | 'crashes'
  empty: MessageId
  children: readonly ReactNode[]
}): ReactNode {
  const text = useText()
  const heading = `session-${props.id}`
  return (
    <section className={styles['part']} aria-labelledby={heading}>
      <h2 id={heading}>{text(`review.${props.id}`)}</h2>
      {props.children.length === 0 ? <p>{text(props.empty)}</p> : <ul>{props.children}</ul>}
    </section>
  )
}

function Masked({ session, show }: Part): ReactNode {
  const text = useText()
  return (
    <List id="masked" empty="review.masked.none">
      {session.secrets.map((one) => (
        <li key={`${one.ms} ${one.kind}`}>
          {text('review.masked.kind', { kind: one.kind })} <Second ms={one.ms} show={show} />
          <br />
          <PageAddress url={one.page_url} />
          <br />
          <span className={styles['soft']}>
            {one.masked_in.length === 0
              ? text('review.masked.nowhere')
              : one.masked_in.map(({ path, times }) => text('review.masked.in', { path: visible(path), times })).join(' · ')}
          </span>
        </li>
      ))}
    </List>
  )
}

function Witnesses({ session }: Part): ReactNode {
  const text = useText()
  const locale = useLocale()
  return (
    <List id="witnesses" empty="review.witnesses.none">
      {session.witnesses.map(({ label, watched, countersigned }, i) => (
        <li key={i}>
          <b>{visible(label)}</b>
          <br />
          {[
            ...watched.map((one) =>
              text('review.witness.watched', { from: clockOf(one.from_ms, locale), to: clockOf(one.to_ms, locale) }),
            ),
            countersigned === null
              ? text('review.witness.unsigned')
              : text('review.witness.signed', {
                  name: visible(countersigned.name),
                  instant: formatExact(countersigned.at, locale),
                  statement: visible(countersigned.statement),
                }),
          ].join(' · ')}
        </li>
      ))}
    </List>
  )
}

function Files({ session, show }: Part): ReactNode {
  const text = useText()
  const locale = useLocale()
  const size = (bytes: number) => formatBytes(bytes, locale)
  return (
    <List id="files" empty="review.files.none">
      {[
        ...session.downloads.map(({ ms, name, bytes, sha256, refused, url }, i) => (
          <li key={`down-${i}`}>
            {refused === null
              ? text('review.file.kept', { name: visible(name), size: size(bytes) })
              : text('review.file.refused', { name: visible(name), reason: visible(refused) })}{' '}
            <Second ms={ms} show={show} />
            {sha256 === null ? null : (
              <>
                <br />
                {url === null ? (
                  <code>{groupHex(sha256)}</code>
                ) : (
                  <a href={apiAddress(url)} download>
                    <code>{groupHex(sha256)}</code>
                  </a>
                )}
              </>
            )}
          </li>
        )),
        ...session.uploads.map(({ ms, name, bytes, sha256 }, i) => (
          <li key={`up-${i}`}>
            {text('review.file.given', { name: visible(name), size: size(bytes) })} <Second ms={ms} show={show} />
            <br />
            <code>{groupHex(sha256)}</code>
          </li>
        )),
      ]}
    </List>
  )
}

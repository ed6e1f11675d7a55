import { useState, type ReactNode } from 'react'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import type { LiveScreenshot } from '../../contract/live.ts'
import { PageAddress } from '../../../../ui/controls/PageAddress.tsx'
import { minutesAndSeconds, type LiveView } from '../session/live-view.ts'
import styles from './live.module.css'

/** Screenshots as they are numbered in the evidence; one that is being taken has its place already. */
export function LiveShots(props: { view: LiveView }): ReactNode {
  const text = useText()
  const [open, setOpen] = useState<LiveScreenshot | null>(null)
  const { screenshots, awaited } = props.view
  return (
    <>
      {screenshots.length + awaited.length === 0 ? null : (
        <aside className={styles['shots']} aria-label={text('live.shots')}>
          <ol>
            {screenshots.map((shot) => (
              <li key={shot.number}>
                <button
                  type="button"
                  aria-haspopup="dialog"
                  aria-label={text('live.shot.open', { number: shot.number, kind: text(`live.shot.${shot.kind}`) })}
                  onClick={() => setOpen(shot)}
                >
                  <img src={shot.thumbnail} alt="" />
                  <span aria-hidden="true">{shot.number}</span>
                </button>
              </li>
            ))}
            {awaited.map(({ id, done, of }) => (
              <li key={`awaited-${id}`}>
                <div className={styles['awaited']}>
                  <span className={styles['spinner']} aria-hidden="true" />
                  {of > 1 ? (
                    <span
                      role="progressbar"
                      aria-label={text('live.shot.awaited')}
                      aria-valuemin={0}
                      aria-valuemax={of}
                      aria-valuenow={done}
                    >
                      {text('live.shot.progress', { done, of })}
                    </span>
                  ) : (
                    <span className="visually-hidden">{text('live.shot.awaited')}</span>
                  )}
                </div>
              </li>
            ))}
          </ol>
        </aside>
      )}
      <Dialog
        open={open !== null}
        onClose={() => setOpen(null)}
        title={open === null ? '' : text('live.shot.title', { number: open.number })}
      >
        {open === null ? null : (
          <div className={styles['shot']}>
            <img src={open.thumbnail} alt={text('live.shot.alt', { number: open.number })} />
            <p>
              {text(`live.shot.${open.kind}`)} ·{' '}
              {text('live.shot.at', { time: minutesAndSeconds(Math.floor(open.ms / 1000) * 1000) })}
              {open.automatic ? ` · ${text('live.shot.automatic')}` : ''}
            </p>
            <p>
              <PageAddress url={open.url} />
            </p>
            <p className={styles['quiet']}>{text('live.shot.small')}</p>
          </div>
        )}
      </Dialog>
    </>
  )
}

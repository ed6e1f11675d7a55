import { Button } from '@mantine/core'
import { useId, useState, type ReactNode } from 'react'
import { Badge, BadgeRow } from '../../../../ui/controls/Badge.tsx'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { AssignedServer } from '../../contract/administration.ts'
import styles from '../servers.module.css'
import { useAssign } from '../use-assign.ts'
import { MachineActs } from './MachineActs.tsx'
import { ChooseGroup } from './ChooseGroup.tsx'

const tones = {
  ready: 'good',
  starting: 'plain',
  set_aside: 'caution',
  drained: 'caution',
  stopped: 'plain',
  lost: 'bad',
} as const

/** One server: where it stands by its operator's word, how it is, what is pinned of it, and whose it is. */
export function ServerCard(props: { server: AssignedServer }): ReactNode {
  const text = useText()
  const id = useId()
  const { server } = props
  return (
    <li className={styles['card']}>
      <article aria-labelledby={id}>
        <header className={styles['cardHead']}>
          <div>
            <h2 id={id}>{visible(server.name)}</h2>
            <p className={styles['soft']}>
              <code>{server.id}</code>
            </p>
          </div>
          <BadgeRow>
            <Badge tone={tones[server.status]}>{text(`capture.servers.status.${server.status}`)}</Badge>
            <Badge tone="plain">{text(`capture.servers.kind.${server.kind}`)}</Badge>
          </BadgeRow>
        </header>
        <Whose server={server} />
        <Measured server={server} />
        <MachineActs server={server} />
      </article>
    </li>
  )
}

function Measured({ server }: { server: AssignedServer }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const unknown = text('capture.servers.not_known')
  const country = server.country === null ? null : (new Intl.DisplayNames(locale, { type: 'region' }).of(server.country) ?? null)
  const place = [server.city, country].filter((part) => part !== null).join(', ')
  const network = [server.public_address, server.network?.name ?? null].filter((part) => part !== null).join(' – ')
  const { key_sha256: machineKey, manifest_sha256: manifest, last_preflight: preflight, reason } = server
  return (
    <Facts
      rows={[
        [text('capture.servers.place'), place === '' ? text('capture.servers.not_stated') : visible(place)],
        [
          text('capture.servers.load'),
          text('capture.servers.load.of', {
            running: server.load.running,
            capacity: server.load.capacity,
            sessions: server.interactive.running,
            room: server.interactive.capacity,
          }),
        ],
        [text('capture.servers.address'), network === '' ? unknown : visible(network)],
        [text('capture.servers.browser'), server.browser === null ? unknown : visible(server.browser)],
        [
          text('capture.servers.manifest'),
          manifest === null ? (
            text('capture.servers.nothing_pinned')
          ) : (
            <Digest key="manifest" value={manifest} what={text('capture.servers.manifest')} />
          ),
        ],
        [
          text('capture.servers.key'),
          machineKey === null ? (
            text('capture.servers.no_key')
          ) : (
            <Digest key="key" value={machineKey} what={text('capture.servers.key')} />
          ),
        ],
        [text('capture.servers.version'), server.version === null ? unknown : visible(server.version)],
        [
          text('capture.servers.preflight'),
          preflight === null
            ? unknown
            : text(`capture.servers.preflight.${preflight.result}`, { at: formatInstant(preflight.at, locale) }),
        ],
        ...(reason === null
          ? []
          : [[text('capture.servers.differs'), visible([...reason.differs, ...reason.heard].join(', '))] as const]),
        [text('capture.servers.seen'), server.seen_at === null ? unknown : formatInstant(server.seen_at, locale)],
      ]}
    />
  )
}

/** Told apart at a glance, compared as a whole. */
function Digest(props: { value: string; what: string }): ReactNode {
  return (
    <span className={styles['digest']}>
      <code>{`${props.value.slice(0, 8)}…${props.value.slice(-8)}`}</code>
      <CopyButton value={props.value} what={props.what} />
    </span>
  )
}

/** Of a public server there is nothing to give away. */
function Whose({ server }: { server: AssignedServer }): ReactNode {
  const text = useText()
  const [asking, setAsking] = useState<'group' | 'take' | null>(null)
  const close = () => setAsking(null)
  const { busy, change } = useAssign(close)
  const { group } = server
  if (server.kind === 'public') return <p>{text('capture.servers.of_everybody')}</p>
  const take = () => change({ server, from: group, to: null })
  return (
    <div className={styles['whose']} data-nobodys={group === null}>
      <div>
        <p>
          {group === null ? (
            text('capture.servers.of_nobody')
          ) : (
            <>
              {text('capture.servers.of')} <strong>{visible(group.name)}</strong>
            </>
          )}
        </p>
        {server.waiting === 0 ? null : (
          <p className={styles['soft']}>{text('capture.servers.waiting', { count: server.waiting })}</p>
        )}
      </div>
      <div className={styles['actions']}>
        <Button variant={group === null ? 'filled' : 'default'} onClick={() => setAsking('group')}>
          {text(group === null ? 'capture.servers.assign' : 'capture.servers.change')}
        </Button>
        {group === null ? null : (
          // What ends nothing can be taken back, and is not asked about.
          <Button variant="default" loading={busy} onClick={() => (server.waiting === 0 ? take() : setAsking('take'))}>
            {text('capture.servers.take')}
          </Button>
        )}
      </div>
      <ChooseGroup
        open={asking === 'group'}
        server={server}
        busy={busy}
        onChoose={(to) => change({ server, from: group, to })}
        onClose={close}
      />
      <ConfirmDialog
        open={asking === 'take'}
        title={text('capture.servers.take.title', { server: visible(server.name), group: visible(group?.name ?? '') })}
        text={text('capture.servers.take.text', { count: server.waiting })}
        confirm={text('capture.servers.take')}
        cancel={text('capture.servers.cancel')}
        destructive
        busy={busy}
        onConfirm={take}
        onClose={close}
      />
    </div>
  )
}

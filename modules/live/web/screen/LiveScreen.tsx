import { Button } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { FullLayout } from '../../../../ui/shell/Layouts.tsx'
import { CountersignDialog, WitnessesDialog } from '../dialogs/WitnessDialogs.tsx'
import { CredentialsDialog, FilesDialog } from '../dialogs/WishDialogs.tsx'
import { HandOffDialog } from '../dialogs/HandOffDialog.tsx'
import { MoreDialog } from './MoreDialog.tsx'
import { PasteDialog, SecretDialog } from '../dialogs/PasteDialogs.tsx'
import { AddressField, IconButton, Recording, TabStrip } from './LiveBar.tsx'
import { LiveNotices, PageStatus } from './LiveNotices.tsx'
import { LiveShots } from './LiveShots.tsx'
import { LiveStage, type StageHandle } from './LiveStage.tsx'
import { RoleLine, StateOverStage, StatusLine } from './LiveStates.tsx'
import { openLiveSession, type LiveAccess, type LiveSession } from '../session/live-session.ts'
import { activeTab, isOver, shownArea } from '../session/live-view.ts'
import { useLiveView } from '../session/use-live.ts'
import styles from './live.module.css'

type Dialogs = 'paste' | 'secret' | 'quit' | 'more' | 'hand_off' | 'witnesses' | 'countersign'

const zooms = [25, 33, 50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300] as const

/** L-15, H-04: a live session on the whole screen, under a thin bar. `access` must not change while it is shown. */
export function LiveScreen(props: { access: LiveAccess }): ReactNode {
  const [session, setSession] = useState<LiveSession | null>(null)
  const access = useRef(props.access)
  useEffect(() => {
    const opened = openLiveSession(access.current, { touch: navigator.maxTouchPoints > 0 })
    setSession(opened)
    return () => {
      opened.close()
      setSession(null)
    }
  }, [])
  return session === null ? null : <Screen session={session} access={props.access} />
}

function Screen(props: { session: LiveSession; access: LiveAccess }): ReactNode {
  const { session, access } = props
  const text = useText()
  const view = useLiveView(session)
  const stage = useRef<StageHandle | null>(null)
  const address = useRef<HTMLInputElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  const [dialog, setDialog] = useState<Dialogs | null>(null)
  const [percent, setPercent] = useState(100)
  const [muted, setMuted] = useState(true)
  const [volume, setVolume] = useState(1)
  const close = () => setDialog(null)
  // What was pasted is followed by keys of the page, not by the button that opened the dialog.
  const toPage = useRef(false)
  useEffect(() => {
    if (dialog !== null || !toPage.current) return
    toPage.current = false
    stage.current?.focusPage()
  }, [dialog])
  const paste = (pasted: string, secret: boolean) => {
    toPage.current = true
    close()
    session.paste(pasted, secret)
  }

  const capturing = view.state?.phase === 'capturing'
  const steers = view.role === 'controller' && capturing && view.connection === 'open'
  /** For whoever has it to hand on. */
  const held = access.by === 'token' ? { id: access.id, token: access.token, page: access.page, onClose: close } : null
  const tab = activeTab(view)
  const area = shownArea(view)
  const title = tab === null || tab.title === '' ? text('live.page.untitled') : visible(tab.title)

  const zoom = (step: 1 | -1 | 0) => {
    const at = zooms.findIndex((known) => known >= percent)
    const next = step === 0 ? 100 : (zooms[Math.max(0, Math.min(zooms.length - 1, at + step))] ?? 100)
    if (session.send({ type: 'zoom', percent: next })) setPercent(next)
  }
  const mute = (wanted: boolean) => {
    void session.setMuted(wanted).then(
      (heard) => setMuted(!heard),
      () => setMuted(true),
    )
  }

  return (
    <FullLayout
      bar={
        <div ref={bar} className={styles['bar']} data-role={view.role ?? 'none'}>
          <Recording view={view} />
          <div className={styles['ways']}>
            <IconButton
              icon="back"
              label="live.back"
              disabled={!steers || tab?.back !== true}
              onClick={() => session.send({ type: 'history', to: 'back' })}
            />
            <IconButton
              icon="forward"
              label="live.forward"
              disabled={!steers || tab?.forward !== true}
              className={styles['wide']}
              onClick={() => session.send({ type: 'history', to: 'forward' })}
            />
            <IconButton
              icon={tab?.loading === true ? 'stop' : 'reload'}
              label={tab?.loading === true ? 'live.stop' : 'live.reload'}
              disabled={!steers}
              className={styles['wide']}
              onClick={() => session.send({ type: 'history', to: tab?.loading === true ? 'stop' : 'reload' })}
            />
          </div>
          <AddressField
            session={session}
            view={view}
            field={address}
            disabled={!steers}
            onDone={() => stage.current?.focusPage()}
          />
          <div className={styles['tools']} role="toolbar" aria-label={text('live.tools')}>
            {view.role === 'controller' ? (
              <>
                <IconButton
                  icon="keyboard"
                  label="live.keyboard.open"
                  words="live.keyboard.short"
                  className={styles['touch']}
                  disabled={!steers}
                  {...(view.focus.editable ? { kind: 'wished' } : {})}
                  onClick={() => stage.current?.focusPage()}
                />
                <IconButton
                  icon="viewport"
                  label="live.shot.take.viewport"
                  words="live.shot.take.viewport.short"
                  disabled={!steers}
                  onClick={() => session.screenshot('viewport')}
                />
                <IconButton
                  icon="page"
                  label="live.shot.take.full_page"
                  words="live.shot.take.full_page.short"
                  disabled={!steers}
                  onClick={() => session.screenshot('full_page')}
                />
                <IconButton
                  icon="paste"
                  label="live.paste"
                  words="live.paste.short"
                  disabled={!steers}
                  opens
                  onClick={() => setDialog('paste')}
                />
                <IconButton
                  icon="secret"
                  label="live.secret"
                  words="live.secret.short"
                  disabled={!steers}
                  opens
                  className={styles['wide']}
                  onClick={() => setDialog('secret')}
                />
              </>
            ) : null}
            <IconButton
              icon={muted ? 'silent' : 'sound'}
              label={muted ? 'live.sound.on' : 'live.sound.off'}
              className={styles['wide']}
              pressed={!muted}
              onClick={() => mute(!muted)}
            />
            {view.role === 'witness' ? (
              <Button size="compact-md" mih={44} disabled={!capturing} onClick={() => setDialog('countersign')}>
                {text('live.countersign')}
              </Button>
            ) : null}
            <IconButton icon="more" label="live.more" words="live.more" opens onClick={() => setDialog('more')} />
          </div>
          {view.role === 'controller' ? (
            <IconButton
              icon="quit"
              label="live.quit"
              words="live.quit.short"
              kind="quit"
              opens
              disabled={!steers}
              onClick={() => setDialog('quit')}
            />
          ) : null}
        </div>
      }
    >
      <div className={styles['room']}>
        <h1 className="visually-hidden">{text('live.heading', { title })}</h1>
        <TabStrip session={session} view={view} disabled={!steers} onNew={() => address.current?.focus()} />
        <RoleLine session={session} view={view} />
        <div className={styles['middle']}>
          <LiveStage
            key={`${area.width}x${area.height}`}
            session={session}
            view={view}
            handle={stage}
            onAct={(act, step) => {
              if (act === 'zoom') zoom(step === 0 ? 0 : step > 0 ? 1 : -1)
              else if (act === 'address') address.current?.focus()
              else leaveFor(bar.current)
            }}
          >
            <StateOverStage view={view} />
            {isOver(view) ? null : <LiveNotices view={view} onSeen={session.seen} />}
          </LiveStage>
          <LiveShots view={view} />
        </div>
        <StatusLine view={view} steers={steers} />
        <PageStatus view={view} />
      </div>
      <PasteDialog open={dialog === 'paste'} onClose={close} onPaste={(pasted) => paste(pasted, false)} />
      <SecretDialog open={dialog === 'secret'} onClose={close} onPaste={(secret) => paste(secret, true)} />
      <ConfirmDialog
        open={dialog === 'quit'}
        title={text('live.quit.title')}
        text={text('live.quit.text')}
        confirm={text('live.quit.confirm')}
        cancel={text('live.quit.cancel')}
        destructive={false}
        busy={false}
        onClose={close}
        onConfirm={() => {
          close()
          session.send({ type: 'quit' })
        }}
      />
      <MoreDialog
        open={dialog === 'more'}
        session={session}
        view={view}
        steers={steers}
        holds={held !== null}
        zoom={percent}
        muted={muted}
        volume={volume}
        onZoom={zoom}
        onFit={() => stage.current?.fit()}
        onMuted={mute}
        onVolume={(wanted) => {
          setVolume(wanted)
          session.setVolume(wanted)
        }}
        onHandOff={() => setDialog('hand_off')}
        onWitnesses={() => setDialog('witnesses')}
        onSecret={() => setDialog('secret')}
        onClose={() => setDialog((now) => (now === 'more' ? null : now))}
      />
      {held === null ? null : (
        <>
          <HandOffDialog {...held} open={dialog === 'hand_off'} />
          <WitnessesDialog {...held} open={dialog === 'witnesses'} view={view} />
        </>
      )}
      <CountersignDialog open={dialog === 'countersign'} session={session} onClose={close} />
      <CredentialsDialog session={session} wish={steers ? view.credentials : null} />
      <FilesDialog session={session} wish={steers ? view.files : null} most={view.limits?.upload_bytes ?? 0} />
    </FullLayout>
  )
}

/** The first of the tools that is there to be used. */
function leaveFor(bar: HTMLElement | null): void {
  const tools = [...(bar?.querySelectorAll<HTMLElement>('[role=toolbar] button:not(:disabled)') ?? [])]
  tools.find((tool) => tool.offsetParent !== null)?.focus()
}

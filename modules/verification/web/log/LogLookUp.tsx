import { useRef, useState, type ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { loadChunk } from '../../../../ui/shell/chunk-failure.ts'
import { DropZone } from '../ask/DropZone.tsx'
import type { GivenFile } from '../run/read-files.ts'
import type { LogOutcome } from './LogOutcome.tsx'
import type { Found } from './search-log.ts'

type State =
  | { readonly at: 'idle' | 'busy' | 'nothing' }
  | ({ readonly at: 'done'; readonly name: string; readonly Outcome: typeof LogOutcome } & Found)

/** An entry of one's own: computed in this page, from the package and the public files of the log. @param props.words fetches what is said of it */
export function LogLookUp(props: { words: () => Promise<void> }): ReactNode {
  const text = useText()
  const [state, setState] = useState<State>({ at: 'idle' })
  const turn = useRef(0)
  const lookUp = async (files: readonly GivenFile[]) => {
    turn.current += 1
    const mine = turn.current
    setState({ at: 'busy' })
    const next = await search(files, props.words).catch((): State => ({ at: 'nothing' }))
    // A later choice has taken its place.
    if (mine === turn.current) setState(next)
  }
  return (
    <DropZone
      lead={text('verification.log.give')}
      note={text('verification.log.local')}
      choices={[{ label: text('verification.log.choose') }]}
      onFiles={(files) => void lookUp(files)}
      onNothing={() => void lookUp([])}
    >
      <div role="status" aria-live="polite">
        {state.at === 'busy' ? <p>{text('verification.log.busy')}</p> : null}
        {state.at === 'nothing' ? <p>{text('verification.log.nothing')}</p> : null}
      </div>
      {state.at === 'done' ? <state.Outcome name={state.name} own={state.own} live={state.live} /> : null}
    </DropZone>
  )
}

async function search(files: readonly GivenFile[], words: () => Promise<void>): Promise<State> {
  const [{ searchLog }, { LogOutcome: Outcome }] = await Promise.all([
    loadChunk(() => import('./search-log.ts')),
    loadChunk(() => import('./LogOutcome.tsx')),
    words(),
  ])
  const found = await searchLog(files)
  return found === null ? { at: 'nothing' } : { at: 'done', name: files[0]?.path ?? '', Outcome, ...found }
}

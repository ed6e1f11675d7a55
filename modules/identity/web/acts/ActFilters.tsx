import { useId, useState, type ReactNode } from 'react'
import { DayInput } from '../../../../ui/forms/DayInput.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import { useSpeaker } from '../../../../ui/intl/words.tsx'
import { isActsFilter, type ActsFilter, type ActsView } from '../acts-view.ts'
import styles from './acts.module.css'

/** Modules whose acts there are, in the order in which people think of them. */
const ownAreas = ['identity', 'account', 'evidence', 'review'] as const
/** To administrators, with what is nobody's own. */
const areas = [...ownAreas, 'capture'] as const

/**
 * What to show of a record; each choice is taken at once.
 * @param props.whole to administrators: every action by itself, and whose
 */
export function ActFilters(props: { view: ActsView; whole: boolean; onView: (view: ActsView) => void }): ReactNode {
  const text = useText()
  const { view, whole, onView } = props
  const set = (name: ActsFilter) => (value: string) => onView({ ...view, [name]: value === '' ? null : value, page: 1 })
  return (
    <div className={styles['filters']} role="search" aria-label={text('identity.acts.filters')}>
      <ActionFilter value={view.action ?? ''} whole={whole} onChoose={set('action')} />
      {whole ? (
        <>
          <IdFilter key={`p${view.person ?? ''}`} name="person" value={view.person ?? ''} onChoose={set('person')} />
          <IdFilter key={`s${view.subject ?? ''}`} name="subject" value={view.subject ?? ''} onChoose={set('subject')} />
        </>
      ) : null}
      <DayFilter name="from" value={view.from ?? ''} onChoose={set('from')} />
      <DayFilter name="to" value={view.to ?? ''} onChoose={set('to')} />
    </div>
  )
}

/**
 * Of words with something to be filled in, what comes before it. A build has them read already, as a list of parts (apps/web/words): words alone are
 * of type 0.
 */
export function lead(message: unknown): string {
  const [first] = Array.isArray(message) ? (message as readonly { readonly type: number; readonly value?: string }[]) : []
  const words = first === undefined ? String(message).replace(/\{.*$/s, '') : first.type === 0 ? (first.value ?? '') : ''
  return words.replace(/[\s\u202F;(]+$/, '')
}

function ActionFilter(props: { value: string; whole: boolean; onChoose: (value: string) => void }): ReactNode {
  const text = useText()
  const id = useId()
  const { words: messages } = useSpeaker()
  const words = (key: string) => lead((messages as Readonly<Record<string, unknown>>)[key])
  const actionsIn = (area: string) =>
    Object.keys(messages)
      .filter((key) => key.startsWith(`${area}.act.`))
      .map((key) => [key.replace('.act.', '.'), words(key)] as const)
      .toSorted(([, a], [, b]) => a.localeCompare(b))
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{text('identity.acts.what')}</label>
      <select id={id} value={props.value} onChange={(event) => props.onChoose(event.currentTarget.value)}>
        <option value="">{text('identity.acts.everything')}</option>
        {(props.whole ? areas : ownAreas).map((area) =>
          props.whole ? (
            <optgroup key={area} label={text(`identity.acts.area.${area}`)}>
              <option value={area}>{text('identity.acts.all_of', { area: text(`identity.acts.area.${area}`) })}</option>
              {actionsIn(area).map(([action, label]) => (
                <option key={action} value={action}>
                  {label}
                </option>
              ))}
            </optgroup>
          ) : (
            <option key={area} value={area}>
              {text(`identity.acts.area.${area}`)}
            </option>
          ),
        )}
      </select>
    </div>
  )
}

function DayFilter(props: { name: 'from' | 'to'; value: string; onChoose: (value: string) => void }): ReactNode {
  const text = useText()
  const id = useId()
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{text(`identity.acts.${props.name}`)}</label>
      <DayInput id={id} autoComplete="off" day={props.value} onDay={props.onChoose} />
    </div>
  )
}

/** Taken once it can be one: half an id finds nothing. */
function IdFilter(props: { name: 'person' | 'subject'; value: string; onChoose: (value: string) => void }): ReactNode {
  const text = useText()
  const id = useId()
  const [typed, setTyped] = useState(props.value)
  const wrong = typed !== '' && !isActsFilter(props.name, typed)
  const take = () => {
    if (typed !== props.value && !wrong) props.onChoose(typed)
  }
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{text(`identity.acts.${props.name}`)}</label>
      <input
        id={id}
        type="text"
        value={typed}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        maxLength={100}
        aria-invalid={wrong}
        aria-describedby={`${id}-error`}
        onChange={(event) => setTyped(event.currentTarget.value.trim())}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take()
        }}
      />
      <p id={`${id}-error`} className={styles['error']} role="alert">
        {wrong ? text('identity.acts.not_an_id') : null}
      </p>
    </div>
  )
}

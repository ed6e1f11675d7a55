import { useImperativeHandle, useRef, useState, type InputHTMLAttributes, type ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { useLocale, useText } from '../intl/text.tsx'
import { readDay, showDay } from '../intl/typed-day.ts'

type Input = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'id' | 'className' | 'aria-invalid' | 'aria-describedby' | 'autoComplete'
>

/** What every field of a day has: the browser's own speaks the browser's language, and writes a day as its country does. */
function useDayAttributes() {
  const text = useText()
  return { type: 'text', inputMode: 'numeric', placeholder: text('ui.day.format'), maxLength: 40, spellCheck: false } as const
}

/**
 * A day, typed as people write it; once the field is left it stands as the language of the page writes it.
 * @param props.day `2026-11-20`, or empty; `onDay` is told of a day, or that there is none any more, and not of what is no day
 */
export function DayInput(props: Input & { day: string; onDay: (day: string) => void }): ReactNode {
  const locale = useLocale()
  const attributes = useDayAttributes()
  const { day, onDay, ...input } = props
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: string } | null>(null)
  // What was chosen otherwise since stands in the place of what was typed.
  const shown = typed === null || typed.of !== day ? showDay(day, locale) : typed.text
  const wrong = shown.trim() !== '' && readDay(shown) === null
  return (
    <input
      {...input}
      {...attributes}
      value={shown}
      aria-invalid={wrong}
      onChange={(event) => {
        const { value } = event.currentTarget
        const read = value.trim() === '' ? '' : (readDay(value) ?? day)
        setTyped({ text: value, of: read })
        if (read !== day) onDay(read)
      }}
      onBlur={() => {
        if (!wrong) setTyped(null)
      }}
    />
  )
}

/** The same in a form: its value is the day, or what was typed where that is none, for the rule of the field to say so. */
export function RegisteredDay(props: Input & { registered: UseFormRegisterReturn }): ReactNode {
  const locale = useLocale()
  const attributes = useDayAttributes()
  const field = useRef<HTMLInputElement>(null)
  const value = useRef('')
  const { registered, ...input } = props
  const { name, ref, onChange, onBlur } = registered
  useImperativeHandle(
    ref,
    () => ({
      name,
      type: 'text',
      get value() {
        return value.current
      },
      set value(day: string) {
        value.current = day
        if (field.current !== null) field.current.value = showDay(day, locale)
      },
      focus: () => field.current?.focus(),
    }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the form makes another function each time it is drawn
    [name, locale],
  )
  return (
    <input
      {...input}
      {...attributes}
      ref={field}
      name={name}
      onChange={(event) => {
        const typed = event.currentTarget.value
        value.current = readDay(typed) ?? typed
        void onChange({ type: 'change', target: { name, value: value.current } })
      }}
      onBlur={() => {
        if (field.current !== null) field.current.value = showDay(value.current, locale)
        void onBlur({ type: 'blur', target: { name, value: value.current } })
      }}
    />
  )
}

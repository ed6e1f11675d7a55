import { useRef, useState, type SyntheticEvent } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { ApiError } from '../api/api-error.ts'

type Values = Readonly<Record<string, string | boolean>>
type Faults<Name extends string> = Readonly<Partial<Record<Name, string>>>

type Input = HTMLInputElement | HTMLTextAreaElement

const readInput = (input: Input) => (input instanceof HTMLInputElement && input.type === 'checkbox' ? input.checked : input.value)

/**
 * A form of a few fields where the library of forms would weigh more than the page: checked as {@link useZodForm} does, when a field is
 * left, from then on as it is typed, and when it is sent; the first field at fault takes the focus; what was typed stays.
 * @param faultsOf code by name of field; empty when all is well
 * @param onTyped each time that something is typed
 */
export function useLightForm<V extends Values>(
  faultsOf: (values: V) => Faults<keyof V & string>,
  start: V,
  onTyped: (values: V) => void,
) {
  type Name = keyof V & string
  const values = useRef(start)
  const inputs = useRef(new Map<Name, Input>())
  const left = useRef(new Set<Name>())
  const filled = useRef(new WeakSet<Input>())
  const [faults, setFaults] = useState<Faults<Name>>({} as Faults<Name>)

  const show = (shown: Faults<Name>): Name | undefined => {
    setFaults(shown)
    const first = (Object.keys(start) as Name[]).find((name) => shown[name] !== undefined)
    if (first !== undefined) inputs.current.get(first)?.focus()
    return first
  }
  const check = (name: Name): void => {
    const code = faultsOf(values.current)[name]
    setFaults((known) => {
      const others = Object.entries(known).filter(([other]) => other !== name)
      return Object.fromEntries(code === undefined ? others : [...others, [name, code]]) as Faults<Name>
    })
  }
  return {
    faults,
    values: (): V => values.current,
    /** Nothing of what was typed is kept. @param to what stands in the fields when they are shown again */
    clear: (to: V = start): void => {
      values.current = to
      left.current.clear()
      setFaults({} as Faults<Name>)
    },
    focus: (name: Name) => inputs.current.get(name)?.focus(),
    /** In the shape that the fields take. */
    register: (name: Name): UseFormRegisterReturn => ({
      name,
      ref: (input: Input | null) => {
        if (input === null) {
          inputs.current.delete(name)
          return
        }
        inputs.current.set(name, input)
        // Once: what stands in it from then on is its reader's, or his password manager's.
        if (filled.current.has(input)) return
        filled.current.add(input)
        const value = values.current[name]
        if (typeof value === 'boolean' && input instanceof HTMLInputElement) input.checked = value
        else if (typeof value === 'string') input.value = value
      },
      onChange: async ({ target }: { target: Input }) => {
        values.current = { ...values.current, [name]: readInput(target) }
        onTyped(values.current)
        await Promise.resolve(left.current.has(name) ? check(name) : undefined)
      },
      onBlur: async () => {
        left.current.add(name)
        await Promise.resolve(check(name))
      },
    }),
    submit: (send: () => void) => (event: SyntheticEvent) => {
      event.preventDefault()
      for (const [name, input] of inputs.current) {
        left.current.add(name)
        // What a password manager fills in may come without an event.
        values.current = { ...values.current, [name]: readInput(input) }
      }
      if (show(faultsOf(values.current)) === undefined) send()
    },
    /** What the server found wrong, beside its fields. */
    showFieldErrors: (error: unknown): void => {
      if (!(error instanceof ApiError)) return
      const known = Object.entries(error.fields).filter(([name, codes]) => name in start && codes.length > 0)
      if (known.length > 0) show(Object.fromEntries(known.map(([name, [code = 'invalid']]) => [name, code])) as Faults<Name>)
    },
  }
}

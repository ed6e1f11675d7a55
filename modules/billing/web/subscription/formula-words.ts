import { useText } from '../../../../ui/intl/text.tsx'

type Formula = {
  readonly plan: 'unit' | 'essential' | 'comfort' | 'custom'
  readonly cycle: 'month' | 'year' | null
  readonly instalments: 1 | 4 | null
}

/** A plan in words: its name, and how it is paid. */
export function useFormulaWords() {
  const text = useText()
  return {
    plan: ({ plan }: Pick<Formula, 'plan'>): string => text(`billing.plan.${plan}`),
    payment: ({ cycle, instalments }: Omit<Formula, 'plan'>): string =>
      cycle === null ? text('billing.cycle.none') : text(`billing.cycle.${cycle}_${instalments === 4 ? 4 : 1}`),
  }
}

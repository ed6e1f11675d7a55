import { useNavigate, useSearch } from '@tanstack/react-router'
import { useLocale } from '../../../../ui/intl/text.tsx'

/** What of a list is looked at: it stands in the address, so that it can be kept and passed on. */
export type DeskSearch = { readonly search: string; readonly state: string; readonly page: number }

export function readDeskSearch(given: Readonly<Record<string, unknown>>): DeskSearch {
  const { search, state } = given
  return {
    search: typeof search === 'string' || typeof search === 'number' ? String(search).slice(0, 200) : '',
    state: typeof state === 'string' ? state : '',
    page: Math.min(100_000, Math.max(1, Math.trunc(Number(given['page'] ?? 1)) || 1)),
  }
}

const writeDeskSearch = ({ search, state, page }: DeskSearch): Readonly<Record<string, string | number>> => ({
  ...(search === '' ? {} : { search }),
  ...(state === '' ? {} : { state }),
  ...(page === 1 ? {} : { page }),
})

export const oneOf = <T extends string>(value: string, of: readonly T[], usual: T): T =>
  of.find((each) => each === value) ?? usual

export function useDeskSearch(area: string): {
  readonly search: DeskSearch
  readonly go: (change: Partial<DeskSearch>, on?: boolean) => void
} {
  const navigate = useNavigate()
  const locale = useLocale()
  const search = readDeskSearch(useSearch({ strict: false }))
  const go = (change: Partial<DeskSearch>, on = false) =>
    void navigate({
      to: '/$locale/admin/$/',
      params: { locale, _splat: area },
      search: (before: Readonly<Record<string, unknown>>) => writeDeskSearch(readDeskSearch({ ...before, ...change })),
      replace: on,
      resetScroll: false,
    })
  return { search, go }
}

import { useLocation } from '@tanstack/react-router'
import { isDoor, type PageBrand } from '../../kernel/page-brand.ts'

/** What the server put into the head of the page it sent (decision 0276). */
function readBrand(): PageBrand | null {
  const given = typeof document === 'undefined' ? null : document.querySelector<HTMLMetaElement>('meta[name=brand]')
  return given === null ? null : (JSON.parse(given.content) as PageBrand)
}
const given = readBrand()

/** Whose sign a page stands under: the door's ends where the visitor goes on to other pages, as it would if he asked for them. */
export function brandOf(pathname: string): PageBrand | null {
  return given?.by === 'door' && !isDoor(pathname.slice(3)) ? null : given
}

/** Of the page in view; within the router. */
export function useBrand(): PageBrand | null {
  return brandOf(useLocation().pathname)
}

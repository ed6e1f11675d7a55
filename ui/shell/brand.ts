import { useLocation } from '@tanstack/react-router'
import { isDoor, type PageBrand } from '../../kernel/page-brand.ts'
import { readHead } from './head-data.ts'

/** Put there by the server (decision 0276). */
const given = readHead('brand') as PageBrand | null

/** Whose sign a page stands under: the door's ends where the visitor goes on to other pages, as it would if he asked for them. */
export function brandOf(pathname: string): PageBrand | null {
  return given?.by === 'door' && !isDoor(pathname.slice(3)) ? null : given
}

/** Of the page in view; within the router. */
export function useBrand(): PageBrand | null {
  return brandOf(useLocation().pathname)
}

import type { Dossier } from '../../modules/verification/domain/dossier/dossier.ts'
import { readHeaders } from '../../modules/verification/domain/known/known-headers.ts'
import { readPem } from '../../modules/verification/domain/certificate/x509.ts'
import { el } from './element.ts'
import type { PageWords } from './words.ts'

/** What the reader got from elsewhere. */
export type Known = {
  trust?: string
  fingerprint?: string
  headers?: string
  digest?: string
  address?: string
  account?: string
}

/** Fields that can change what was concluded, and the button that verifies again with them. */
export function knownFields(
  dossier: Dossier,
  heights: readonly number[],
  known: Known,
  words: PageWords,
  verify: (known: Known) => void,
): HTMLElement {
  const kinds = new Set<string>(dossier.items.map(({ kind }) => kind))
  const wanted: (keyof Known)[] = [
    ...(heights.length > 0 ? (['headers'] as const) : []),
    ...(kinds.has('bitcoin_message') ? (['address'] as const) : []),
    ...(kinds.has('nano_message') ? (['account'] as const) : []),
    ...(['timestamp', 'evidence_record', 'cms', 'xades', 'opentimestamps', 'chainpoint', 'log_proof'].some((kind) =>
      kinds.has(kind),
    )
      ? (['digest'] as const)
      : []),
    'trust',
  ]
  const given: Known = { ...known }
  const error = el('p', { class: 'bad', role: 'alert' })
  const fields = wanted.flatMap((name) => {
    const long = name === 'trust' || name === 'headers'
    const input = el(long ? 'textarea' : 'input', {
      id: `known-${name}`,
      spellcheck: 'false',
      autocomplete: 'off',
      ...(long ? { rows: '3' } : { type: 'text' }),
    })
    input.value = given[name] ?? ''
    input.addEventListener('input', () => {
      if (input.value.trim() === '') delete given[name]
      else given[name] = input.value
    })
    const hint = name === 'headers' ? words.ui('headers_needed', { heights: heights.slice(0, 12).join(', ') }) : ''
    return [el('label', { for: `known-${name}` }, words.ui(`known_${name}`), hint === '' ? null : ` ${hint}`), input]
  })
  const button = el('button', { type: 'submit', class: 'button' }, words.ui('verify_again'))
  const form = el('form', { novalidate: '' }, ...fields, error, button)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (given.trust !== undefined && !isPem(given.trust)) error.textContent = words.ui('trust_wrong')
    else if (given.headers !== undefined && readHeaders(given.headers) === undefined)
      error.textContent = words.ui('headers_wrong')
    else verify(given)
  })
  const open = heights.length > 0 || kinds.has('bitcoin_message') || kinds.has('nano_message')
  return el('details', { class: 'card known', ...(open ? { open: '' } : {}) }, el('summary', {}, words.ui('known')), form)
}

function isPem(text: string): boolean {
  try {
    return readPem(new TextEncoder().encode(text)).length > 0
  } catch {
    return false
  }
}

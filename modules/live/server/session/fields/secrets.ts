/**
 * What was entered that nobody may read: kept in memory alone, until completion has taken it out of every piece (decision H-45).
 * The timeline says that there was a secret and where, never what.
 */
import { BrowserGone, CdpError, CdpTimeout } from '../../../../../platform/browser/cdp-connection.ts'
import { createSecretMasker, type EnteredSecret } from '../../../../capture/server/index.ts'
import { call, type Focused } from './find-focus.ts'
import type { Timeline } from '../timeline/timeline.ts'

export type Secrets = {
  all(): readonly EnteredSecret[]
  /** No more can be searched for: nothing secret may be entered any longer. */
  full(): boolean
  keep(value: string, kind: EnteredSecret['kind'], url: string, also?: readonly string[]): void
  /** Something was typed into this masked field: what stands in it is read at once, and kept once it is left or sent. */
  typed(field: Focused, url: string): Promise<void>
  /** The field is left, or what stands in it is about to be sent. */
  commit(): void
  /** The same text without any secret that is known by now. */
  mask(text: string): string
}

/** Each is looked for in every octet of the record, in some twenty forms that are each a program of its own. */
const mostKept = 100

export function createSecrets(timeline: Timeline): Secrets {
  const kept: EnteredSecret[] = []
  const known = new Set<string>()
  let latest: { readonly key: string; readonly value: string; readonly url: string } | null = null
  const keep: Secrets['keep'] = (value, kind, url, also = []) => {
    // What was pasted as a secret is read again as what its field holds: it is one secret.
    const name = [value, ...also].join('\0')
    if (value === '' || known.has(name)) return
    known.add(name)
    masker = null
    kept.push({ value, kind, ms: timeline.ms(), url, ...(also.length === 0 ? {} : { also }) })
    timeline.add('secret', { kind, url, masked: true })
  }
  // What is typed now is taken out too: a form may be on its way before the field is left.
  let masker: ((text: string) => string) | null = null
  const mask = (text: string): string => {
    if (kept.length === 0 && latest === null) return text
    if (masker === null) {
      const made = createSecretMasker([
        ...kept.map(({ value, also = [] }) => [value, ...also]),
        ...(latest === null ? [] : [latest.value]),
      ])
      masker = (given) => made.maskText(given).text
    }
    return masker(text)
  }
  timeline.maskWith(mask)
  const commit = () => {
    if (latest !== null) keep(latest.value, 'password_field', latest.url)
    latest = null
  }
  return {
    all: () => {
      commit()
      return kept
    },
    full: () => kept.length >= mostKept,
    keep,
    typed: async (field, url) => {
      if (latest !== null && latest.key !== field.key) commit()
      try {
        const value = await call<string>(
          field.session,
          field.objectId,
          `function () {
            const input = this instanceof HTMLInputElement, area = this instanceof HTMLTextAreaElement
            const proto = input ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
            return String(input || area ? Object.getOwnPropertyDescriptor(proto, 'value').get.call(this) : this.textContent).slice(0, 100000)
          }`,
        )
        // Emptied after it was sent: what stood there before is what counts.
        if (value === '' || (latest !== null && !value.startsWith(latest.value) && !latest.value.startsWith(value))) commit()
        if (value !== '') latest = { key: field.key, value, url }
        masker = null
      } catch (error) {
        // The page went on with what was typed: the last value that was read is kept.
        if (!(error instanceof CdpError || error instanceof CdpTimeout || error instanceof BrowserGone)) throw error
        commit()
      }
    },
    commit,
    mask,
  }
}

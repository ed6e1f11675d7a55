/** Which field the keys go to, whether it is shown as bullets, and what was typed while the page did not say so. */
import { BrowserGone, CdpError, CdpTimeout, isGone } from '../../../../../platform/browser/cdp-connection.ts'
import type { LiveOutput } from '../../../contract/live.ts'
import { findFocus, type Focused } from '../fields/find-focus.ts'
import { maskField } from '../fields/mask-field.ts'
import type { Secrets } from '../fields/secrets.ts'
import type { Tab } from '../tabs/tab.ts'
import type { Tabs } from '../tabs/tabs.ts'

export type Focus = {
  /** As last seen. */
  field(): Focused | null
  /** Where the focus is now, as far as the page has told; asked once more at most, so that a page that plays with it holds nobody up. */
  settled(): Promise<Focused | null>
  /** What is typed there is a secret. */
  isMasked(field: Focused | null | undefined): boolean
  /** Shows the field as bullets. False: it could not be done, and nothing secret may go there. */
  mask(field: Focused): Promise<boolean>
  /** The page does not say where the focus is: it may be a password's field as well as any other. */
  unseen(): boolean
  /** Something was typed there: the field is read as soon as it is known. */
  owe(): void
  /** Before what was typed may be sent: reads what is owed, as patiently as a hand can be asked to wait. */
  read(): Promise<void>
  /** It may be elsewhere now. */
  moved(): Promise<void>
  stale(): void
}

/** A page that was busy is asked again after so long; each question takes as long at most. Milliseconds. */
const askAgainMs = 3_000
const mostQuestions = 4

export function followFocus(deps: {
  readonly tabs: Pick<Tabs, 'active'>
  readonly secrets: Secrets
  readonly send: (message: LiveOutput) => void
}): Focus {
  const { tabs, secrets } = deps
  /** Fields that are shown as bullets, by `Focused.key`. */
  const masked = new Set<string>()
  let focus: { readonly tab: Tab; readonly field: Focused | null } | null = null
  let stale = true
  let unseenAt: number | null = null
  let owed = false
  let unanswered = 0
  let looking: Promise<void> | null = null
  let told = ''

  const isMasked: Focus['isMasked'] = (field) => field != null && (field.password || masked.has(field.key))
  const mask = async (field: Focused): Promise<boolean> => {
    if (!masked.has(field.key) && (await maskField(field))) masked.add(field.key)
    return masked.has(field.key)
  }
  const look = async (): Promise<void> => {
    stale = false
    const tab = tabs.active()
    const before = focus?.field ?? null
    const found = tab === null || tab.crashed !== null || tab.dialog !== null ? null : await findFocus(tab)
    unseenAt = found === 'unseen' ? performance.now() : null
    const field = found === 'unseen' ? null : found
    if (found !== 'unseen' && before !== null && before.key !== field?.key) secrets.commit()
    focus = tab === null ? null : { tab, field }
    if (found === 'unseen') return askLater()
    unanswered = 0
    // A password that its page shows on demand stays bullets in the recording.
    if (field?.password === true) await mask(field)
    if (owed) {
      owed = false
      if (tab !== null && field !== null && isMasked(field)) await secrets.typed(field, tab.url)
    }
    const message: LiveOutput = {
      type: 'focus',
      editable: field?.editable ?? false,
      input_mode: field?.inputMode ?? '',
      masked: isMasked(field),
    }
    const text = JSON.stringify(message)
    if (text !== told) deps.send(message)
    told = text
  }
  /** Whoever waits for the keyboard of his telephone types nothing until he is told: a busy page is asked again without being touched. */
  const askLater = (): void => {
    unanswered += 1
    if (unanswered >= mostQuestions) return
    setTimeout(() => void lookOnce().catch(() => undefined), askAgainMs).unref()
  }
  const lookOnce = (): Promise<void> => {
    looking ??= look()
      .catch((error: unknown) => {
        if (!(error instanceof CdpError || error instanceof CdpTimeout || error instanceof BrowserGone)) throw error
      })
      .finally(() => {
        looking = null
      })
    return looking
  }
  return {
    field: () => focus?.field ?? null,
    settled: async () => {
      if (looking !== null) await looking
      const again = unseenAt !== null && performance.now() - unseenAt >= askAgainMs
      // A frame that is removed takes the focus with it, and tells nobody.
      const held = focus?.field ?? null
      if (stale || again || focus?.tab !== tabs.active() || (held !== null && isGone(held.session))) await lookOnce()
      // Somebody else asks anew since: what was known is of the time before.
      else if (looking !== null) await looking
      return focus?.field ?? null
    },
    isMasked,
    mask,
    unseen: () => unseenAt !== null,
    owe: () => {
      owed = true
    },
    read: async () => {
      for (let i = 0; i < mostQuestions; i += 1) {
        if (!owed) return
        await lookOnce()
      }
    },
    moved: async () => {
      stale = true
      await lookOnce()
      // Whoever was already being asked may have answered of the time before.
      if (stale) await lookOnce()
    },
    stale: () => {
      stale = true
    },
  }
}

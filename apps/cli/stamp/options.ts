import { parseArgs } from 'node:util'
import { z } from 'zod'
import { documentLabel } from '../../../modules/document/contract/document.ts'
import { defaultLocale, isLocale, type Locale } from '../../../kernel/locale.ts'

export type StampOptions = {
  readonly files: readonly string[]
  /** Folder to be watched. */
  readonly watch: string | null
  readonly resume: boolean
  readonly hideName: boolean
  readonly label: string | null
  /** Whether the files are uploaded too, and kept. */
  readonly store: boolean
  /** The deposit that the one file replaces. */
  readonly replaces: string | null
  /** Whether a watched file that changes declares that it replaces what it was. */
  readonly chained: boolean
  /** Folder that proofs go to; null: beside each file. */
  readonly out: string | null
  /** Between two looks at a watched folder. */
  readonly everyMs: number
  /** How long the proofs are waited for. */
  readonly waitMs: number
  readonly json: boolean
  readonly locale: Locale
}

/** A number of seconds, fractions allowed. @returns milliseconds; NaN when it is none, or out of bounds */
function secondsOf(text: string, least: number, most: number): number {
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  return seconds >= least && seconds <= most ? seconds * 1000 : Number.NaN
}

/** @returns null on wrong use */
export function readStampOptions(argv: readonly string[]): StampOptions | null {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        watch: { type: 'string' },
        resume: { type: 'boolean', default: false },
        'hide-name': { type: 'boolean', default: false },
        label: { type: 'string' },
        store: { type: 'boolean', default: false },
        replaces: { type: 'string' },
        'no-replaces': { type: 'boolean', default: false },
        out: { type: 'string' },
        every: { type: 'string', default: '5' },
        wait: { type: 'string', default: '600' },
        json: { type: 'boolean', default: false },
        lang: { type: 'string', default: defaultLocale },
      },
    })
    const everyMs = secondsOf(values.every, 0.1, 86_400)
    const waitMs = secondsOf(values.wait, 0, 86_400)
    const ways = [positionals.length > 0, values.watch !== undefined, values.resume].filter(Boolean).length
    if (ways !== 1 || Number.isNaN(everyMs) || Number.isNaN(waitMs) || !isLocale(values.lang)) return null
    if ([...positionals, values.watch, values.out].includes('')) return null
    if (values.store && values.resume) return null
    if (values['no-replaces'] && values.watch === undefined) return null
    if (values.replaces !== undefined && (positionals.length !== 1 || !z.uuid().safeParse(values.replaces).success)) return null
    if (values.label !== undefined && !documentLabel.safeParse(values.label).success) return null
    return {
      files: positionals,
      watch: values.watch ?? null,
      resume: values.resume,
      hideName: values['hide-name'],
      label: values.label ?? null,
      store: values.store,
      replaces: values.replaces?.toLowerCase() ?? null,
      chained: !values['no-replaces'],
      out: values.out ?? null,
      everyMs,
      waitMs,
      json: values.json,
      locale: values.lang,
    }
  } catch {
    // parseArgs throws on unknown options and missing values.
    return null
  }
}

/** Words that several parts of the report of a live session share. */
import type { ReportWords } from './report-words.ts'

/** Minutes and seconds of the video, to the tenth, rounded down: `7:05.3`, the same in every language, as players show it. */
export function second(ms: number): string {
  const tenths = Math.max(0, Math.floor(ms / 100))
  const rest = tenths % 600
  return `${Math.floor(tenths / 600)}:${String(Math.floor(rest / 10)).padStart(2, '0')}.${rest % 10}`
}

/** @param ms rounded down to the second, as what is printed elsewhere. */
export function lasting({ t, number }: Pick<ReportWords, 't' | 'number'>, ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000)
  return seconds < 60
    ? t('report.session.duration_seconds', { s: number(Math.floor(Math.max(0, ms) / 100) / 10) })
    : t('report.session.duration_value', { m: Math.floor(seconds / 60), s: String(seconds % 60).padStart(2, '0') })
}

/** Words for a code of the facts, or the code itself: nothing that was measured is swallowed. */
export function wordsOf(page: Pick<ReportWords, 'has' | 't'>, prefix: string, code: string): string {
  const id = `${prefix}.${code}`
  return page.has(id) ? page.t(id) : code
}

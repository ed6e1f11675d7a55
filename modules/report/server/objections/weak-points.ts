/**
 * What speaks against a capture, or makes it convince less, as its reader should know it from the first: what the answers to the
 * objections found, and a few facts beside. Pure: what was not measured is no weak point, and neither is what was in favour.
 */
import type { ReportContent } from '../content/report-content.ts'
import { answerObjections } from './answer-objections.ts'
import type { PointResult } from './point.ts'

/** `words`: suffix of `report.weak.<words>`. */
export type WeakPoint = { readonly words: string; readonly values: Readonly<Record<string, string | number>> }

/** Said in another way on the same page: conditions together, what the quality gate found in its own sentences. */
const saidElsewhere = new Set(['condition', 'to_be_checked', 'session_inputs'])
const order: readonly PointResult[] = ['fail', 'weak']

/** Warnings that tell the same as one of these points. */
export const warningsOfPoint: Readonly<Record<string, readonly string[]>> = {
  coverage: ['missing_images', 'height_cut'],
  requests_failed: ['resources_failed'],
  not_isolated: ['isolation_override'],
  certificate_refused: ['certificate_error'],
  video_gaps: ['recording_gaps'],
  absent: ['visitor_absent'],
  session_left_out: ['timeline_full'],
}

type Evidence = Pick<ReportContent, 'facts' | 'pieces' | 'seal' | 'session' | 'subject'>

/** Those that a measurement supports first, then those that convince less, each once. */
export function weakPoints(evidence: Evidence): readonly WeakPoint[] {
  const { facts, subject } = evidence
  const all = answerObjections(evidence).flatMap(({ points }) => points)
  const found = new Map<string, WeakPoint>()
  for (const result of order)
    for (const { result: own, words, values } of all)
      if (own === result && !saidElsewhere.has(words) && !found.has(words)) found.set(words, { words, values })
  // The seal's own date is the weaker word of the two, and says as much.
  if (found.has('seal_embedded')) found.delete('session_embedded')
  const compared = all.filter(({ words }) => words === 'second_different').map(({ values }) => String(values['item']))
  if (compared.length > 0)
    found.set('second_different', { words: 'second_different', values: { items: [...new Set(compared)].join() } })
  return [
    ...found.values(),
    ...(subject.final_url.startsWith('http:') ? [{ words: 'unencrypted', values: {} }] : []),
    ...(facts.operator === undefined || facts.operator === null ? [{ words: 'operator_unstated', values: {} }] : []),
  ]
}

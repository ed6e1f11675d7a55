import type { Evidence, EvidencePreview } from '../../contract/evidence.ts'

/** The button that is put forward of a draft; `none`: of a poor one for which there is nothing to press that would mend it. */
export type StrongAction = 'agree' | 'retry' | 'cookie_option' | 'interactive' | 'none'

/** To agree, unless the capture is judged poor: then what is advised instead, the narrowest remedy first. */
export function strongestAction(
  evidence: Pick<Evidence, 'action' | 'replaced_by'>,
  { quality }: Pick<EvidencePreview, 'quality'>,
): StrongAction {
  if (quality.verdict !== 'poor') return 'agree'
  // One that was captured again leads there by itself; whoever steered himself has no other way to be sent to.
  const remedies = (['cookie_option', 'retry', 'interactive'] as const).filter(
    (one) =>
      quality.advice.includes(one) &&
      (one === 'interactive' || evidence.replaced_by === null) &&
      (one === 'retry' || evidence.action === 'static'),
  )
  return remedies[0] ?? 'none'
}

import type { SessionContent } from './report-content.ts'

/** Whether anybody took control: nothing is said of a visitor's doing otherwise. */
export function wasSteered({ hand_overs: hands }: Pick<SessionContent['facts'], 'hand_overs'>): boolean {
  return hands.length > 0
}

export function totalMs(spans: readonly { readonly from_ms: number; readonly to_ms: number }[]): number {
  return spans.reduce((sum, { from_ms, to_ms }) => sum + Math.max(0, to_ms - from_ms), 0)
}

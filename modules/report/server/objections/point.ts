import type { CaptureFacts } from '../content/report-content.ts'

/** `weak`: measured, but it convinces less than it might; `stated`: a fact that neither helps nor harms. */
export type PointResult = 'pass' | 'fail' | 'weak' | 'not_measured' | 'stated'

export type Annex = {
  /** Path of the piece in the package. */
  readonly path: string
  /** Text whose first line in the piece is meant. */
  readonly text?: string
  /** Member of the piece, where lines say less. */
  readonly field?: string
}

export type Point = {
  readonly result: PointResult
  /** Suffix of `report.point.<words>`; `condition` points to a line of the checklist instead. */
  readonly words: string
  readonly values: Readonly<Record<string, string | number>>
  readonly condition: CaptureFacts['checklist'][number] | null
  readonly annexes: readonly Annex[]
}

/** What a fact says, in words of the catalogue. */
export const point = (result: PointResult, words: string, values: Point['values'] = {}, ...annexes: readonly Annex[]): Point => ({
  result,
  words,
  values,
  condition: null,
  annexes,
})

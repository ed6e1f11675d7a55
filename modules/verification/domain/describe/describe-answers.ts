import type { FileAnswer, ProofOfFile } from '../dossier/linked/answer-files.ts'
import { nameOfAuthority, visible } from './describe-check.ts'
import type { Words } from './describe-check.ts'
import type { Dossier } from '../dossier/dossier.ts'
import type { CheckStatus, Verdict } from '../report/verdict.ts'

export type AnswerLine = {
  readonly verdict: Verdict
  readonly state: CheckStatus
  /** The verdict, in a word. */
  readonly word: string
  readonly sentence: string
  /** What else is about it and holds; empty when the sentence says all. */
  readonly proofs: string
}

const stateOf = { 'TOTAL-PASSED': 'passed', 'TOTAL-FAILED': 'failed', INDETERMINATE: 'indeterminate' } as const

/** What is proven of one file, the same on the page, in `verify.html`, on the command line and in the minutes. */
export function describeAnswer({ name, verdict, dates, proofs }: FileAnswer, words: Words): AnswerLine {
  const [first] = dates
  const said = (id: string, values: Readonly<Record<string, string | number>>): string =>
    words.format(`verification.dossier.answer.${id}`, { name: visible(name), ...values })
  const dated = { at: first === undefined ? '' : words.instant(first.at), by: nameOfAuthority(first?.by ?? '', words) }
  const holding = proofs.filter((proof) => proof.matches && proof.verdict === 'TOTAL-PASSED')
  const rest = holding.length === 0 ? '' : words.format('verification.dossier.answer.proofs', { names: namesOf(holding) })
  const state = stateOf[verdict]
  const word = words.format(`verification.status.${state}`, {})
  const line = (sentence: string): AnswerLine => ({ verdict, state, word, sentence, proofs: rest })
  if (verdict === 'TOTAL-PASSED') return line(said(first === undefined ? 'undated' : 'passed', dated))
  const others = proofs.filter(({ matches }) => !matches)
  if (others.length > 0) return line(said('other_file', { count: others.length, names: namesOf(others) }))
  const wrong = proofs.filter((proof) => proof.verdict === verdict)
  if (verdict === 'TOTAL-FAILED') return line(said('failed', { count: wrong.length, names: namesOf(wrong) }))
  return line(said('open', { ...dated, dated: first === undefined ? 'no' : 'yes', names: namesOf(wrong) }))
}

const mostNames = 12

function namesOf(proofs: readonly ProofOfFile[]): string {
  const names = proofs.slice(0, mostNames).map(({ name }) => visible(name))
  return proofs.length > mostNames ? `${names.join(', ')}…` : names.join(', ')
}

/** How many there were, then file by file, at most so many; what is left out is said. Nothing where no file is spoken about. */
export function answerLines(
  { answers, many }: Pick<Dossier, 'answers' | 'many'>,
  most: number,
  words: Words,
): { readonly count: string; readonly lines: readonly AnswerLine[]; readonly more: string } {
  const left = answers.length - most
  return {
    count: many === null ? '' : words.format('verification.dossier.many', many),
    lines: answers.slice(0, most).map((answer) => describeAnswer(answer, words)),
    more: left > 0 ? words.format('verification.dossier.more_files', { count: left }) : '',
  }
}

import { nameOfAuthority, visible } from './describe-check.ts'
import type { Words } from './describe-check.ts'
import { earliest } from '../dossier/concluded/independence.ts'
import type { Scenario } from '../dossier/concluded/independence.ts'
import { reliancesOf } from '../report/proof-report.ts'
import type { Fact, ProofCheck, ProofReport, ProvenDate, Reliance } from '../report/proof-report.ts'

/** ISO 8601 in UTC, as every instant of a report is written. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z$/

export function showValue(value: string | number, words: Words): string | number {
  if (typeof value === 'number') return value
  // What only looks like an instant, as 2026-99-99T00:00:00Z, shows as it was written.
  return instant.test(value) && !Number.isNaN(Date.parse(value)) ? words.instant(value) : nameOfAuthority(value, words)
}

/**
 * A check in plain words, the same on the page, in `verify.html`, in the command line and in the minutes. `about` names the part of the
 * proof that was checked, and is empty when the words name it.
 */
export function describeProofCheck(
  kind: string,
  check: ProofCheck,
  words: Words,
): { title: string; sentence: string; about: string } {
  const values: Record<string, string | number> = { reason: '' }
  for (const [key, value] of Object.entries(check.data)) if (key !== 'reason') values[key] = showValue(value, words)
  values['subject'] = check.subject === undefined ? '' : visible(check.subject)
  const { reason } = check.data
  // One check out of several on one question: the one that did not pass, by its title.
  const part = check.data['part'] === undefined ? undefined : wordsOf(kind, `${check.data['part']}.title`, words)
  if (part !== undefined) values['part'] = words.format(part, {})
  if (reason !== undefined) values['reason'] = reasonInWords(kind, String(reason), values, words)
  const said = (end: string): string => {
    const id = wordsOf(kind, `${check.id}.${end}`, words)
    // A check of a later format has no words here: it shows as it is, never as an invented sentence.
    return id === undefined ? `${check.id}: ${end}` : words.format(id, values)
  }
  const [title, sentence] = [said('title'), said(check.status)]
  const about = check.subject === undefined ? '' : partInWords(kind, check.subject, words)
  return { title, sentence, about: `${title} ${sentence}`.includes(about) ? '' : about }
}

/** `signature 1`, `document timestamp 2` of a PDF; everything else is the name that the proof itself gives. */
function partInWords(kind: string, subject: string, words: Words): string {
  const [, part = '', number = ''] = /^([a-z ]+) (\d{1,6})$/.exec(subject) ?? []
  const id = `verification.proof.${kind}.part.${part.replaceAll(' ', '_')}`
  return part !== '' && words.has(id) ? words.format(id, { number }) : visible(subject)
}

/** Kinds whose signatures and tokens are read by the code of others: so are the reasons, and checks that have no words of their own. */
const borrowing: Readonly<Record<string, readonly string[]>> = {
  pdf: ['cms', 'timestamp'],
  xades: ['cms', 'timestamp'],
  asic: ['xades', 'cms', 'timestamp', 'evidence_record'],
  evidence_record: ['timestamp'],
}

function reasonInWords(kind: string, reason: string, values: Readonly<Record<string, string | number>>, words: Words): string {
  const id = wordsOf(kind, `reason.${reason}`, words)
  return id === undefined ? visible(reason) : words.format(id, values)
}

/** Id of what a check of that kind says, in its own words or in those of the code that reads it; undefined when it has none. */
export function wordsOf(kind: string, rest: string, words: Words): string | undefined {
  const ids = [kind, ...(borrowing[kind] ?? [])].map((each) => `verification.proof.${each}.${rest}`)
  return ids.find((each) => words.has(each))
}

/** The earliest of the dates, and on whose word. */
export function whatDatesProve(dates: readonly ProvenDate[], words: Words): string {
  const first = earliest(dates)
  if (first === undefined) return words.format('verification.proof.proves.nothing', {})
  return words.format(`verification.proof.proves.${first.kind}`, {
    at: words.instant(first.at),
    by: nameOfAuthority(first.by, words),
  })
}

/** One of those relied upon, what still stands when it is gone, and what when it lied. */
export function describeScenario({ party, name, stands }: Scenario, words: Words): { who: string; gone: string; lied: string } {
  const who = words.format(`verification.independence.party.${party}`, {})
  const first = earliest(stands)
  return {
    who:
      name === null
        ? who
        : words.format('verification.independence.party_named', { party: who, name: nameOfAuthority(name, words) }),
    gone: words.format(`verification.independence.gone.${party}`, {}),
    lied:
      first === undefined
        ? words.format('verification.independence.nothing_stands', {})
        : words.format('verification.independence.stands', {
            count: stands.length,
            at: words.instant(first.at),
            by: nameOfAuthority(first.by, words),
          }),
  }
}

/** Each of those relied upon once, in a sentence; what rests on mathematics alone needs no sentence but that one. */
export function describeReliance(reliances: Iterable<Reliance>, words: Words): string[] {
  const named = [...new Set(reliances)]
  if (named.length === 0) return [words.format('verification.proof.rests_on.nothing', {})]
  return named.map((each) => words.format(`verification.proof.rests_on.${each}`, {}))
}

/** On whose word a conclusion rests. Of what does not hold, and of what proves nothing yet, nothing rests on anyone. */
export function reliancesSaid(report: Pick<ProofReport, 'unusable' | 'verdict' | 'checks' | 'dates'>, words: Words): string[] {
  const reliances = reliancesOf(report)
  const concluded = report.verdict === 'TOTAL-PASSED' || (report.verdict === 'INDETERMINATE' && reliances.length > 0)
  return report.unusable || !concluded ? [] : describeReliance(reliances, words)
}

/** As the standards write it: SHA-256, SHA3-256, RIPEMD160. */
export function algorithmName(algorithm: string): string {
  return algorithm.toUpperCase().replace(/^SHA(?=1$|\d{3}$)/, 'SHA-')
}

export function describeFact(kind: string, fact: Fact, words: Words): { name: string; value: string } {
  const id = wordsOf(kind, `fact.${fact.id}`, words)
  const { value, form } = fact
  const word = `verification.proof.${kind}.word.${value}`
  const shown =
    form === 'instant' && typeof value === 'string'
      ? showValue(value, words)
      : form === 'word' && words.has(word)
        ? words.format(word, {})
        : typeof value === 'string'
          ? visible(value)
          : value
  return { name: id === undefined ? fact.id : words.format(id, {}), value: String(shown) }
}

export function describeStep(operation: string, words: Words): string {
  const id = `verification.proof.step.${operation}`
  return words.has(id) ? words.format(id, {}) : visible(operation)
}

/** Failed first, then without a conclusion, then passed; in each the order of the verifier. */
export function byGravity<T extends { readonly status: ProofCheck['status'] }>(checks: readonly T[]): T[] {
  const order = { failed: 0, indeterminate: 1, passed: 2 }
  return checks.toSorted((a, b) => order[a.status] - order[b.status])
}

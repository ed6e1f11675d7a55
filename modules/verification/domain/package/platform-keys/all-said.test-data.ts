import { describeFact, describeProofCheck } from '../../describe/describe-proof.ts'
import type { Words } from '../../describe/describe-check.ts'
import type { ProofReport } from '../../report/proof-report.ts'
import { proofWords as english } from '../../../messages/proof-words.en.ts'
import { proofWords as french } from '../../../messages/proof-words.fr.ts'

/** Throws where a sentence of a report has no words, or a hole that nothing fills. */
function strictWords(all: Readonly<Record<string, string>>): Words {
  return {
    has: (id) => Object.hasOwn(all, id),
    instant: (iso) => iso,
    format: (id, values) =>
      (all[id] ?? missing(id)).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? missing(`${id} {${name}}`))),
  }
}

function missing(what: string): never {
  throw new Error(`no words: ${what}`)
}

/** The report itself, once everything in it was said in both languages. */
export function allSaid(report: ProofReport): ProofReport {
  for (const words of [strictWords(english), strictWords(french)]) {
    for (const check of report.checks) {
      const { title, sentence } = describeProofCheck(report.kind, check, words)
      if (title === `${check.id}: title` || sentence === `${check.id}: ${check.status}`) missing(check.id)
      const { reason } = check.data
      if (reason !== undefined && !words.has(`verification.proof.${report.kind}.reason.${reason}`)) missing(String(reason))
    }
    for (const fact of report.facts) {
      if (describeFact(report.kind, fact, words).name === fact.id) missing(fact.id)
      if (fact.form === 'word' && !words.has(`verification.proof.${report.kind}.word.${fact.value}`)) missing(String(fact.value))
    }
  }
  return report
}

import { IntlMessageFormat } from 'intl-messageformat'
import { utcInstant } from '../../kernel/utc-instant.ts'
import { proofWords as proofEn } from '../../modules/verification/messages/proof-words.en.ts'
import { proofWords as proofFr } from '../../modules/verification/messages/proof-words.fr.ts'
import type { Words } from '../../modules/verification/server/index.ts'
import type { Messages } from '../../platform/messages/messages.ts'

/** Words of the command line: the product's catalogue, and those of every kind of proof. Instants in UTC. */
export function wordsOf(messages: Messages): Words {
  const tag = messages.locale === 'fr' ? 'fr-FR' : 'en-GB'
  const proofs: Readonly<Record<string, string>> = messages.locale === 'fr' ? proofFr : proofEn
  return {
    // The id is checked at run time: a code that has no words shows as itself, never as an invented sentence.
    format: (id, values) => {
      if (messages.has(id)) return messages.format(id, values)
      const text = proofs[id]
      return text === undefined ? id : String(new IntlMessageFormat(text, tag).format({ ...values }))
    },
    has: (id) => messages.has(id) || Object.hasOwn(proofs, id),
    instant: (iso) => utcInstant(iso, messages.locale),
  }
}

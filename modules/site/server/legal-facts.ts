import type { Locale } from '../../../kernel/locale.ts'
import { createMessages, type MessageId } from '../../../platform/messages/messages.ts'

/** What the operator has said of himself, by settings; null: he has not. */
export type OperatorFacts = {
  readonly operator: string | null
  readonly mail: string | null
  readonly phone: string | null
  /** Director of publication. */
  readonly director: string | null
  /** Who hosts the machines: name, address, telephone. */
  readonly hosting: string | null
  readonly dataOfficer: string | null
  /** Of consumers' disputes. */
  readonly mediator: string | null
  readonly supportDays: number
  readonly identityDays: number
  /** What of third parties is loaded, each by name and origin. */
  readonly outside: readonly { readonly kind: string; readonly origin: string }[]
}

/** Nothing that an operator typed becomes a heading, a link or a list: it is words (CommonMark §2.4). */
const plain = (text: string) => text.replaceAll(/[\\`*_{}[\]()#+\-.!<>|~]/g, '\\$&')

/**
 * What stands for `{{name}}` in texts of the installation. What is not set is said not to be stated: it is never invented.
 */
export function legalFacts(facts: OperatorFacts, locale: Locale): Readonly<Record<string, string>> {
  const messages = createMessages(locale)
  const stated = (name: string, value: string | null) =>
    value === null ? messages.format(`site.legal.unstated.${name}` as MessageId) : plain(value)
  const outside =
    facts.outside.length === 0
      ? messages.format('site.legal.outside.none')
      : [
          messages.format('site.legal.outside.some'),
          ...facts.outside.map(
            ({ kind, origin }) => `- ${messages.format(`site.legal.outside.${kind}` as MessageId)} ${plain(origin)}`,
          ),
        ].join('\n')
  return {
    operator: stated('operator', facts.operator),
    mail: stated('mail', facts.mail),
    phone: stated('phone', facts.phone),
    director: stated('director', facts.director),
    hosting: stated('hosting', facts.hosting),
    data_officer: stated('data_officer', facts.dataOfficer),
    mediator: stated('mediator', facts.mediator),
    support_days: String(facts.supportDays),
    identity_days: String(facts.identityDays),
    outside,
  }
}

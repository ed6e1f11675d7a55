/** Who may register, and how identity is reviewed. */
import { integer, oneOf } from './parsers.ts'
import { setting } from './setting.ts'

export const accounts = {
  registrations: setting({
    name: 'PROBANT_REGISTRATIONS',
    ...oneOf('open', 'invite', 'closed'),
    fallback: 'open',
    fallbackText: '`open`',
    meaning:
      'Who may register: anyone, whoever holds a link made by `probant invite create`, or nobody. Accounts that exist are not touched.',
  }),
  reviewFourEyes: setting({
    name: 'PROBANT_REVIEW_FOUR_EYES',
    ...oneOf('on', 'off'),
    fallback: 'off',
    fallbackText: '`off`',
    meaning:
      'Whether two reviewers must agree before somebody’s identity documents are accepted. A refusal by either is final. Agreements that were given before it was changed still ask for the second.',
  }),
  identityDocumentsDays: setting({
    name: 'PROBANT_IDENTITY_DOCUMENTS_DAYS',
    ...integer(1, 3650, 'days'),
    fallback: 30,
    fallbackText: '30 days',
    meaning:
      'How long the files of identity documents are kept after they were accepted. Then they are erased; which document, when and by whom it was accepted stays. Files that were refused, or never sent, are erased after 180 days in which their owner did nothing.',
  }),
} as const

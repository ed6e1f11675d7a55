import verification from '../../../../modules/verification/messages/en.json'
import page from '../../../../modules/verification/messages/page.en.json'
import { proofWords } from '../../../../modules/verification/messages/proof-words.en.ts'

export const messages: Readonly<Record<string, string>> = { ...verification, ...page, ...proofWords }

import verification from '../../../../modules/verification/messages/fr.json'
import page from '../../../../modules/verification/messages/page.fr.json'
import { proofWords } from '../../../../modules/verification/messages/proof-words.fr.ts'

export const messages: Readonly<Record<string, string>> = { ...verification, ...page, ...proofWords }

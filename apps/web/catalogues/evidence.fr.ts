import account from '../../../modules/evidence/messages/account.fr.json'
import pages from '../../../modules/evidence/messages/pages.fr.json'

export const messages: Readonly<Record<string, string>> = { ...account, ...pages }

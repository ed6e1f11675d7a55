import account from '../../../modules/evidence/messages/account.en.json'
import pages from '../../../modules/evidence/messages/pages.en.json'

export const messages: Readonly<Record<string, string>> = { ...account, ...pages }

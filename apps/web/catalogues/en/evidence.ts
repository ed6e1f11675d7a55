import account from '../../../../modules/evidence/messages/account.en.json'
import ask from '../../../../modules/evidence/messages/en.json'
import pages from '../../../../modules/evidence/messages/pages.en.json'
import lists from '../../../../ui/messages/lists.en.json'

export const messages: Readonly<Record<string, string>> = { ...ask, ...account, ...pages, ...lists }

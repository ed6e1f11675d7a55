import account from '../../../../modules/evidence/messages/account.fr.json'
import ask from '../../../../modules/evidence/messages/fr.json'
import pages from '../../../../modules/evidence/messages/pages.fr.json'
import lists from '../../../../ui/messages/lists.fr.json'

export const messages: Readonly<Record<string, string>> = { ...ask, ...account, ...pages, ...lists }

import account from '../../../../modules/account/messages/fr.json'
import page from '../../../../modules/account/messages/page.fr.json'
import ask from '../../../../modules/evidence/messages/fr.json'
import lists from '../../../../ui/messages/lists.fr.json'

export const messages: Readonly<Record<string, string>> = { ...account, ...page, ...lists, ...ask }

import account from '../../../../modules/account/messages/en.json'
import page from '../../../../modules/account/messages/page.en.json'
import ask from '../../../../modules/evidence/messages/en.json'
import lists from '../../../../ui/messages/lists.en.json'

export const messages: Readonly<Record<string, string>> = { ...account, ...page, ...lists, ...ask }

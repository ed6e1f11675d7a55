import account from '../../../modules/account/messages/fr.json'
import page from '../../../modules/account/messages/page.fr.json'

export const messages: Readonly<Record<string, string>> = { ...account, ...page }

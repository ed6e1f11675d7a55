import account from '../../../modules/account/messages/en.json'
import page from '../../../modules/account/messages/page.en.json'

export const messages: Readonly<Record<string, string>> = { ...account, ...page }

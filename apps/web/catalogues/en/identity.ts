import identity from '../../../../modules/identity/messages/en.json'
import login from '../../../../modules/identity/messages/login.en.json'
import page from '../../../../modules/identity/messages/page.en.json'

export const messages: Readonly<Record<string, string>> = { ...identity, ...login, ...page }

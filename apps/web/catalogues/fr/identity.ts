import identity from '../../../../modules/identity/messages/fr.json'
import login from '../../../../modules/identity/messages/login.fr.json'
import page from '../../../../modules/identity/messages/page.fr.json'

export const messages: Readonly<Record<string, string>> = { ...identity, ...login, ...page }

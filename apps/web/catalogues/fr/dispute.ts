import calls from '../../../../modules/dispute/messages/fr.json'
import pages from '../../../../modules/dispute/messages/pages.fr.json'

export const messages: Readonly<Record<string, string>> = { ...calls, ...pages }

import calls from '../../../modules/document/messages/fr.json'
import pages from '../../../modules/document/messages/pages.fr.json'

export const messages: Readonly<Record<string, string>> = { ...calls, ...pages }

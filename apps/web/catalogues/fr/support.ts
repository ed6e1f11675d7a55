import calls from '../../../../modules/support/messages/fr.json'
import page from '../../../../modules/support/messages/page.fr.json'

export const messages: Readonly<Record<string, string>> = { ...calls, ...page }

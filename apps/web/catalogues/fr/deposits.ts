import calls from '../../../../modules/document/messages/fr.json'
import dating from '../../../../modules/document/messages/dating.fr.json'
import pages from '../../../../modules/document/messages/pages.fr.json'
import lists from '../../../../ui/messages/lists.fr.json'

export const messages: Readonly<Record<string, string>> = { ...calls, ...dating, ...pages, ...lists }

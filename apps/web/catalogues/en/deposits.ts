import calls from '../../../../modules/document/messages/en.json'
import dating from '../../../../modules/document/messages/dating.en.json'
import pages from '../../../../modules/document/messages/pages.en.json'
import lists from '../../../../ui/messages/lists.en.json'

export const messages: Readonly<Record<string, string>> = { ...calls, ...dating, ...pages, ...lists }

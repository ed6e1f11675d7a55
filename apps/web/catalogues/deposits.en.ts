import calls from '../../../modules/document/messages/en.json'
import pages from '../../../modules/document/messages/pages.en.json'
import lists from '../../../ui/messages/lists.en.json'

export const messages: Readonly<Record<string, string>> = { ...calls, ...pages, ...lists }

import calls from '../../../../modules/dispute/messages/en.json'
import pages from '../../../../modules/dispute/messages/pages.en.json'

export const messages: Readonly<Record<string, string>> = { ...calls, ...pages }

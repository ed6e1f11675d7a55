import calls from '../../../../modules/support/messages/en.json'
import page from '../../../../modules/support/messages/page.en.json'

export const messages: Readonly<Record<string, string>> = { ...calls, ...page }

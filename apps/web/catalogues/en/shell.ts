import site from '../../../../modules/site/messages/en.json'
import ui from '../../../../ui/messages/en.json'

export const messages: Readonly<Record<string, string>> = { ...ui, ...site }

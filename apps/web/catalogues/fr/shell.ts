import site from '../../../../modules/site/messages/fr.json'
import ui from '../../../../ui/messages/fr.json'

export const messages: Readonly<Record<string, string>> = { ...ui, ...site }

import ask from '../../../../modules/evidence/messages/fr.json'
import home from '../../../../modules/site/messages/home.fr.json'

export const messages: Readonly<Record<string, string>> = { ...home, ...ask }

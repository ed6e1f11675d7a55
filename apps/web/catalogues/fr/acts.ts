import account from '../../../../modules/account/messages/fr.json'
import billing from '../../../../modules/billing/messages/fr.json'
import servers from '../../../../modules/capture/messages/servers.fr.json'
import evidence from '../../../../modules/evidence/messages/account.fr.json'
import licensing from '../../../../modules/licensing/messages/fr.json'
import page from '../../../../modules/identity/messages/acts.fr.json'
import identity from '../../../../modules/identity/messages/fr.json'
import payout from '../../../../modules/payout/messages/fr.json'
import review from '../../../../modules/review/messages/fr.json'
import support from '../../../../modules/support/messages/fr.json'

/** What the record of acts says, of whichever module. */
export const messages: Readonly<Record<string, string>> = {
  ...account,
  ...billing,
  ...servers,
  ...evidence,
  ...identity,
  ...licensing,
  ...payout,
  ...review,
  ...support,
  ...page,
}

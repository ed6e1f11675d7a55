import account from '../../../../modules/account/messages/en.json'
import billing from '../../../../modules/billing/messages/en.json'
import servers from '../../../../modules/capture/messages/servers.en.json'
import evidence from '../../../../modules/evidence/messages/account.en.json'
import licensing from '../../../../modules/licensing/messages/en.json'
import page from '../../../../modules/identity/messages/acts.en.json'
import identity from '../../../../modules/identity/messages/en.json'
import payout from '../../../../modules/payout/messages/en.json'
import review from '../../../../modules/review/messages/en.json'
import support from '../../../../modules/support/messages/en.json'

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

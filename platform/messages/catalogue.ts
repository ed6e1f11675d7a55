/** Every message of the product, both languages, merged. A folder of messages that is missing here fails catalogue.test.ts. */
import accountEn from '../../modules/account/messages/en.json' with { type: 'json' }
import accountFr from '../../modules/account/messages/fr.json' with { type: 'json' }
import backupEn from '../../modules/backup/messages/en.json' with { type: 'json' }
import backupFr from '../../modules/backup/messages/fr.json' with { type: 'json' }
import billingEn from '../../modules/billing/messages/en.json' with { type: 'json' }
import billingFr from '../../modules/billing/messages/fr.json' with { type: 'json' }
import billingPaymentsEn from '../../modules/billing/messages/payments.en.json' with { type: 'json' }
import billingPaymentsFr from '../../modules/billing/messages/payments.fr.json' with { type: 'json' }
import billingMailEn from '../../modules/billing/messages/mail.en.json' with { type: 'json' }
import billingMailFr from '../../modules/billing/messages/mail.fr.json' with { type: 'json' }
import captureEn from '../../modules/capture/messages/en.json' with { type: 'json' }
import captureFr from '../../modules/capture/messages/fr.json' with { type: 'json' }
import captureServersEn from '../../modules/capture/messages/servers.en.json' with { type: 'json' }
import captureServersFr from '../../modules/capture/messages/servers.fr.json' with { type: 'json' }
import disputeEn from '../../modules/dispute/messages/en.json' with { type: 'json' }
import documentCommandEn from '../../modules/document/messages/command.en.json' with { type: 'json' }
import disputeFr from '../../modules/dispute/messages/fr.json' with { type: 'json' }
import documentCommandFr from '../../modules/document/messages/command.fr.json' with { type: 'json' }
import documentEn from '../../modules/document/messages/en.json' with { type: 'json' }
import documentFr from '../../modules/document/messages/fr.json' with { type: 'json' }
import evidenceAccountEn from '../../modules/evidence/messages/account.en.json' with { type: 'json' }
import evidenceAccountFr from '../../modules/evidence/messages/account.fr.json' with { type: 'json' }
import evidenceEn from '../../modules/evidence/messages/en.json' with { type: 'json' }
import evidenceFr from '../../modules/evidence/messages/fr.json' with { type: 'json' }
import evidenceCallsEn from '../../modules/evidence/messages/calls.en.json' with { type: 'json' }
import evidenceCallsFr from '../../modules/evidence/messages/calls.fr.json' with { type: 'json' }
import liveCallsEn from '../../modules/live/messages/calls.en.json' with { type: 'json' }
import liveCallsFr from '../../modules/live/messages/calls.fr.json' with { type: 'json' }
import licensingEn from '../../modules/licensing/messages/en.json' with { type: 'json' }
import payoutEn from '../../modules/payout/messages/en.json' with { type: 'json' }
import payoutFr from '../../modules/payout/messages/fr.json' with { type: 'json' }
import referralEn from '../../modules/referral/messages/en.json' with { type: 'json' }
import referralFr from '../../modules/referral/messages/fr.json' with { type: 'json' }
import licensingFr from '../../modules/licensing/messages/fr.json' with { type: 'json' }
import notifyEn from '../../modules/evidence/messages/notify.en.json' with { type: 'json' }
import notifyFr from '../../modules/evidence/messages/notify.fr.json' with { type: 'json' }
import identityEn from '../../modules/identity/messages/en.json' with { type: 'json' }
import identityLoginEn from '../../modules/identity/messages/login.en.json' with { type: 'json' }
import identityLoginFr from '../../modules/identity/messages/login.fr.json' with { type: 'json' }
import identityFr from '../../modules/identity/messages/fr.json' with { type: 'json' }
import outsideEn from '../../modules/outside/messages/en.json' with { type: 'json' }
import outsideFr from '../../modules/outside/messages/fr.json' with { type: 'json' }
import reviewEn from '../../modules/review/messages/en.json' with { type: 'json' }
import reviewFr from '../../modules/review/messages/fr.json' with { type: 'json' }
import sealingEn from '../../modules/sealing/messages/en.json' with { type: 'json' }
import sealingFr from '../../modules/sealing/messages/fr.json' with { type: 'json' }
import siteLegalEn from '../../modules/site/messages/legal.en.json' with { type: 'json' }
import siteLegalFr from '../../modules/site/messages/legal.fr.json' with { type: 'json' }
import siteStatusEn from '../../modules/site/messages/status.en.json' with { type: 'json' }
import siteStatusFr from '../../modules/site/messages/status.fr.json' with { type: 'json' }
import siteHomeEn from '../../modules/site/messages/home.en.json' with { type: 'json' }
import siteEn from '../../modules/site/messages/en.json' with { type: 'json' }
import siteHomeFr from '../../modules/site/messages/home.fr.json' with { type: 'json' }
import siteFr from '../../modules/site/messages/fr.json' with { type: 'json' }
import supportEn from '../../modules/support/messages/en.json' with { type: 'json' }
import supportFr from '../../modules/support/messages/fr.json' with { type: 'json' }
import verificationEn from '../../modules/verification/messages/en.json' with { type: 'json' }
import verificationFr from '../../modules/verification/messages/fr.json' with { type: 'json' }
import uiEn from '../../ui/messages/en.json' with { type: 'json' }
import uiFr from '../../ui/messages/fr.json' with { type: 'json' }
import pagesEn from '../../ui/messages/pages.en.json' with { type: 'json' }
import pagesFr from '../../ui/messages/pages.fr.json' with { type: 'json' }
import type { Locale } from '../../kernel/locale.ts'
import doctorEn from './doctor.en.json' with { type: 'json' }
import doctorFr from './doctor.fr.json' with { type: 'json' }
import platformEn from './en.json' with { type: 'json' }
import platformFr from './fr.json' with { type: 'json' }

const en = {
  ...platformEn,
  ...doctorEn,
  ...uiEn,
  ...pagesEn,
  ...accountEn,
  ...billingEn,
  ...billingPaymentsEn,
  ...billingMailEn,
  ...captureEn,
  ...captureServersEn,
  ...backupEn,
  ...disputeEn,
  ...documentEn,
  ...documentCommandEn,
  ...evidenceEn,
  ...liveCallsEn,
  ...evidenceCallsEn,
  ...evidenceAccountEn,
  ...notifyEn,
  ...licensingEn,
  ...payoutEn,
  ...referralEn,
  ...identityEn,
  ...identityLoginEn,
  ...outsideEn,
  ...reviewEn,
  ...sealingEn,
  ...siteEn,
  ...siteHomeEn,
  ...siteLegalEn,
  ...siteStatusEn,
  ...supportEn,
  ...verificationEn,
}
const fr = {
  ...platformFr,
  ...doctorFr,
  ...uiFr,
  ...pagesFr,
  ...accountFr,
  ...billingFr,
  ...billingPaymentsFr,
  ...billingMailFr,
  ...captureFr,
  ...captureServersFr,
  ...backupFr,
  ...disputeFr,
  ...documentFr,
  ...documentCommandFr,
  ...evidenceFr,
  ...liveCallsFr,
  ...evidenceCallsFr,
  ...evidenceAccountFr,
  ...notifyFr,
  ...licensingFr,
  ...payoutFr,
  ...referralFr,
  ...identityFr,
  ...identityLoginFr,
  ...outsideFr,
  ...reviewFr,
  ...sealingFr,
  ...siteFr,
  ...siteHomeFr,
  ...siteLegalFr,
  ...siteStatusFr,
  ...supportFr,
  ...verificationFr,
}

export type MessageId = keyof typeof en

/** How many messages the files hold in all: equals the size of the merged catalogue unless two files share an id. */
export const messageFileCounts = [
  { ...platformEn, ...doctorEn },
  { ...uiEn, ...pagesEn },
  accountEn,
  { ...billingEn, ...billingMailEn, ...billingPaymentsEn },
  { ...captureEn, ...captureServersEn },
  backupEn,
  disputeEn,
  { ...documentEn, ...documentCommandEn },
  { ...evidenceEn, ...liveCallsEn, ...evidenceCallsEn, ...evidenceAccountEn, ...notifyEn },
  licensingEn,
  payoutEn,
  referralEn,
  { ...identityEn, ...identityLoginEn },
  outsideEn,
  reviewEn,
  sealingEn,
  { ...siteEn, ...siteHomeEn, ...siteLegalEn, ...siteStatusEn },
  supportEn,
  verificationEn,
].map((file) => Object.keys(file).length)

export const catalogues: Readonly<Record<Locale, Readonly<Record<string, string>>>> = { en, fr }

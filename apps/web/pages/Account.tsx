import { lazy, Suspense, type ComponentType, type ReactNode } from 'react'
import { AccountPages, type AccountPage, type AccountSection } from '../../../modules/identity/web/pages/AccountPages.tsx'
import { EmailsPage } from '../../../modules/identity/web/pages/EmailsPage.tsx'
import { SecurityPage } from '../../../modules/identity/web/pages/SecurityPage.tsx'
import { useSession } from '../../../ui/api/session.ts'
import { useText } from '../../../ui/intl/text.tsx'
import { loadChunk } from '../../../ui/shell/chunk-failure.ts'
import { prices } from '../../../ui/shell/prices.ts'
import { withMoneyAtEnd } from './with-money-at-end.tsx'
import { withSpending } from './with-spending.tsx'

function Loading(): ReactNode {
  const text = useText()
  return <p role="status">{text('ui.loading')}</p>
}

/** A page that comes when it is opened, with what it alone needs: rules of telephone numbers, say. */
function later(load: () => Promise<ComponentType>): ComponentType {
  const Page = lazy(async () => ({ default: await loadChunk(load) }))
  return () => (
    <Suspense fallback={<Loading />}>
      <Page />
    </Suspense>
  )
}

const profile: AccountPage = {
  slug: 'profile',
  label: 'ui.page.account.profile',
  Page: later(async () => (await import('../../../modules/account/web/pages/ProfilePage.tsx')).ProfilePage),
}

/** Where something is paid for, what it costs comes first. */
const money: readonly AccountSection[] =
  prices === null
    ? []
    : [
        {
          label: 'billing.page.section',
          pages: [
            {
              slug: 'subscription',
              label: 'ui.page.account.subscription',
              Page: later(async () => (await import('../../../modules/billing/web/pages/SubscriptionPage.tsx')).SubscriptionPage),
            },
            {
              slug: 'invoice',
              label: 'ui.page.account.invoice',
              Page: later(async () => (await import('../../../modules/billing/web/pages/InvoicesPage.tsx')).InvoicesPage),
            },
            {
              slug: 'payment-methods',
              label: 'ui.page.account.payment_methods',
              Page: later(
                async () => (await import('../../../modules/billing/web/pages/PaymentMethodsPage.tsx')).PaymentMethodsPage,
              ),
            },
            {
              slug: 'licenses',
              label: 'ui.page.account.licenses',
              Page: later(async () => (await import('../../../modules/licensing/web/pages/OffersPage.tsx')).OffersPage),
            },
            {
              slug: 'payout',
              label: 'ui.page.account.payout',
              Page: later(async () => (await import('../../../modules/payout/web/PayoutPage.tsx')).PayoutPage),
            },
            {
              slug: 'referral',
              label: 'ui.page.account.referral',
              Page: later(async () => (await import('../../../modules/referral/web/RefereesPage.tsx')).RefereesPage),
            },
          ],
        },
      ]

const settings: AccountPage = {
  slug: 'settings',
  label: 'ui.page.account.settings',
  Page: later(async () => (await import('../../../modules/account/web/pages/SettingsPage.tsx')).SettingsPage),
}

const own: readonly [AccountSection, ...AccountSection[]] = [
  {
    label: 'identity.page.section.you',
    pages: [
      profile,
      {
        slug: 'identity',
        label: 'ui.page.account.identity',
        Page: later(async () => (await import('../../../modules/review/web/pages/IdentityPage.tsx')).IdentityPage),
      },
      {
        slug: 'bank',
        label: 'ui.page.account.bank',
        Page: later(async () => (await import('./load-bank-page.tsx')).loadBankPage()),
      },
    ],
  },
  {
    label: 'identity.page.section.access',
    pages: [
      { slug: 'emails', label: 'ui.page.account.emails', Page: EmailsPage },
      { slug: 'security', label: 'ui.page.account.security', Page: SecurityPage },
      {
        slug: 'activity',
        label: 'ui.page.account.activity',
        Page: later(async () => (await (await import('./load-acts.ts')).loadActs()).ActivityPage),
      },
      {
        slug: 'api-keys',
        label: 'ui.page.account.api_keys',
        Page: later(async () => await (await import('./load-api-keys.ts')).loadApiKeys()),
      },
    ],
  },
  {
    label: 'identity.page.section.others',
    pages: [
      {
        slug: 'users',
        label: 'ui.page.account.users',
        Page: later(
          async () => await withSpending((await import('../../../modules/account/web/pages/UsersPage.tsx')).UsersPage, 'member'),
        ),
      },
      {
        slug: 'delegations',
        label: 'ui.page.account.delegations',
        Page: later(
          async () =>
            await withSpending(
              (await import('../../../modules/account/web/pages/DelegationsPage.tsx')).DelegationsPage,
              'delegate',
            ),
        ),
      },
    ],
  },
  {
    label: 'identity.page.section.choices',
    pages: [
      settings,
      {
        slug: 'delete',
        label: 'ui.page.account.delete',
        Page: later(
          async () => await withMoneyAtEnd((await import('../../../modules/account/web/pages/DeletePage.tsx')).DeletePage),
        ),
      },
    ],
  },
]

/** What a delegate is shown of the account that he acts in: all else is each one's own. */
const ofAnother: readonly [AccountSection] = [{ label: 'identity.page.section.theirs', pages: [profile, settings] }]

const withMoney = ([first, ...rest]: readonly [AccountSection, ...AccountSection[]]): readonly [
  AccountSection,
  ...AccountSection[],
] => {
  const [paid] = money
  return paid === undefined ? [first, ...rest] : [paid, first, ...rest]
}
const sections = { own: withMoney(own), ofAnother: withMoney(ofAnother) }

/** the pages of the account, of whichever module. */
export function Account(): ReactNode {
  return <AccountPages sections={sections[(useSession()?.delegation ?? null) === null ? 'own' : 'ofAnother']} />
}

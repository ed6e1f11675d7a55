import type { settings } from '../../../../platform/config/settings/settings.ts'
import type { MessageId } from '../../../../platform/messages/messages.ts'

/** Answers so far, by the name of the variable; what is not there has its default. */
export type Answers = ReadonlyMap<string, string>

export type Question = {
  readonly key: keyof typeof settings
  readonly ask: MessageId
  /** Its few answers in words; absent: as they are typed. */
  readonly words?: Readonly<Record<string, MessageId>>
  /** Whether it is asked at all, after what was answered; absent: always. */
  readonly when?: (answers: Answers) => boolean
}

export type StepId = 'address' | 'tls' | 'database' | 'storage' | 'mail' | 'time' | 'anchors' | 'payments'

/** What is asked together and then tried together. */
export type Step = {
  readonly id: StepId
  readonly title: MessageId
  readonly questions: readonly Question[]
}

const is = (name: string, value: string) => (answers: Answers) => answers.get(name) === value
const endsTlsItself = (answers: Answers): boolean => /^(?:acme|files)$/.test(answers.get('PROBANT_TLS') ?? '')
const isInBucket = is('PROBANT_BLOBS', 's3')

const isSold = is('PROBANT_BILLING', 'on')
const hasProvider = (answers: Answers): boolean => isSold(answers) && !is('PROBANT_PAYMENTS', 'transfer')(answers)
const hasClient = (answers: Answers): boolean => hasProvider(answers) && answers.has('PROBANT_MANGOPAY_CLIENT_ID')

const tlsWords = { proxy: 'setup.page.tls.proxy', acme: 'setup.page.tls.acme', files: 'setup.page.tls.files' } as const

/** What nearly everybody decides. Everything else has a default, and stands in docs/CONFIGURATION.md. */
export const steps: readonly Step[] = [
  {
    id: 'address',
    title: 'setup.address',
    questions: [
      { key: 'publicUrl', ask: 'setup.ask.address' },
      { key: 'operator', ask: 'setup.ask.operator' },
      { key: 'legalMail', ask: 'setup.ask.legal_mail' },
    ],
  },
  {
    id: 'tls',
    title: 'setup.tls',
    questions: [
      { key: 'tls', ask: 'setup.ask.tls', words: tlsWords },
      { key: 'trustedProxies', ask: 'setup.ask.proxies', when: (answers) => !endsTlsItself(answers) },
      { key: 'port', ask: 'setup.ask.port' },
      {
        key: 'acmeTerms',
        ask: 'setup.ask.terms',
        words: { 'i-agree': 'setup.page.terms.agree' },
        when: is('PROBANT_TLS', 'acme'),
      },
      { key: 'acmeContact', ask: 'setup.ask.acme_contact', when: is('PROBANT_TLS', 'acme') },
      { key: 'tlsCertificate', ask: 'setup.ask.certificate', when: is('PROBANT_TLS', 'files') },
      { key: 'tlsKey', ask: 'setup.ask.key', when: is('PROBANT_TLS', 'files') },
    ],
  },
  { id: 'database', title: 'setup.database', questions: [{ key: 'databaseUrl', ask: 'setup.ask.database' }] },
  {
    id: 'storage',
    title: 'setup.storage',
    questions: [
      { key: 'data', ask: 'setup.ask.data' },
      { key: 'blobs', ask: 'setup.ask.blobs', words: { folder: 'setup.page.blobs.folder', s3: 'setup.page.blobs.s3' } },
      { key: 's3Endpoint', ask: 'setup.ask.s3_endpoint', when: isInBucket },
      { key: 's3Region', ask: 'setup.ask.s3_region', when: isInBucket },
      { key: 's3Bucket', ask: 'setup.ask.s3_bucket', when: isInBucket },
      { key: 's3AccessKeyId', ask: 'setup.ask.s3_id', when: isInBucket },
      { key: 's3SecretAccessKey', ask: 'setup.ask.s3_secret', when: isInBucket },
    ],
  },
  {
    id: 'mail',
    title: 'setup.mail',
    questions: [
      { key: 'smtpUrl', ask: 'setup.ask.smtp' },
      { key: 'mailFrom', ask: 'setup.ask.from', when: (answers) => answers.has('SMTP_URL') },
    ],
  },
  { id: 'time', title: 'setup.time', questions: [{ key: 'tsaUrls', ask: 'setup.ask.authorities' }] },
  { id: 'anchors', title: 'setup.anchors', questions: [{ key: 'otsCalendars', ask: 'setup.ask.calendars' }] },
  {
    id: 'payments',
    title: 'setup.payments',
    questions: [
      { key: 'billing', ask: 'setup.ask.billing', words: { off: 'setup.page.billing.off', on: 'setup.page.billing.on' } },
      { key: 'sellerName', ask: 'setup.ask.seller_name', when: isSold },
      { key: 'sellerLegalForm', ask: 'setup.ask.seller_legal_form', when: isSold },
      { key: 'sellerCapital', ask: 'setup.ask.seller_capital', when: isSold },
      { key: 'sellerSiren', ask: 'setup.ask.seller_siren', when: isSold },
      { key: 'sellerVatId', ask: 'setup.ask.seller_vat_id', when: isSold },
      { key: 'sellerRegister', ask: 'setup.ask.seller_register', when: isSold },
      { key: 'sellerAddress', ask: 'setup.ask.seller_address', when: isSold },
      { key: 'sellerZip', ask: 'setup.ask.seller_zip', when: isSold },
      { key: 'sellerCity', ask: 'setup.ask.seller_city', when: isSold },
      { key: 'sellerIban', ask: 'setup.ask.seller_iban', when: isSold },
      { key: 'sellerBic', ask: 'setup.ask.seller_bic', when: isSold },
      {
        key: 'payments',
        ask: 'setup.ask.payments',
        words: { provider: 'setup.page.payments.provider', transfer: 'setup.page.payments.transfer' },
        when: isSold,
      },
      { key: 'mangopayClient', ask: 'setup.ask.mangopay_client', when: hasProvider },
      { key: 'mangopayKey', ask: 'setup.ask.mangopay_key', when: hasClient },
      { key: 'mangopayUser', ask: 'setup.ask.mangopay_user', when: hasClient },
      { key: 'mangopayWallet', ask: 'setup.ask.mangopay_wallet', when: hasClient },
      { key: 'mangopayUrl', ask: 'setup.ask.mangopay_url', when: hasClient },
    ],
  },
]

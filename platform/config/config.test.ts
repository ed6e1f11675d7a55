import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from './config.ts'
import { installationSecret } from './installation-secret.ts'

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

describe('configuration', () => {
  test('needs nothing', () => {
    const config = loadConfig({})
    expect(config).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:8080',
      allowAddresses: [],
    })
    expect(config.captureConcurrency).toBeGreaterThanOrEqual(1)
  })

  test('backups are taken for somebody who can read them, and kept as long as is said', () => {
    expect(loadConfig({}).backup).toMatchObject({ to: undefined, at: '02:30', keep: { days: 7, weeks: 4, months: 12 }, s3: null })
    const PROBANT_BACKUP_TO = '/srv/backup'
    const PROBANT_BACKUP_RECIPIENTS = `age1${'q'.repeat(58)}`
    expect(faultsOf({ PROBANT_BACKUP_TO })).toEqual(['PROBANT_BACKUP_RECIPIENTS is required with PROBANT_BACKUP_TO'])
    const given = { PROBANT_BACKUP_TO, PROBANT_BACKUP_RECIPIENTS }
    expect(loadConfig({ ...given, PROBANT_BACKUP_KEEP: '14d' }).backup.keep).toEqual({ days: 14, weeks: 0, months: 0 })
    expect(loadConfig({ ...given, PROBANT_BACKUP_KEEP: '2w,3m' }).backup.keep).toEqual({ days: 0, weeks: 2, months: 3 })
    for (const PROBANT_BACKUP_KEEP of ['7', ',', '7d,', '7m,4d', 'for ever'])
      expect(faultsOf({ ...given, PROBANT_BACKUP_KEEP })).toHaveLength(1)
    expect(faultsOf({ ...given, PROBANT_BACKUP_AT: '24:00' })).toHaveLength(1)
    // An identity that was given by mistake is not shown.
    const mistaken = faultsOf({ PROBANT_BACKUP_TO, PROBANT_BACKUP_RECIPIENTS: 'AGE-SECRET-KEY-1QQQ' })
    expect([mistaken.length > 0, mistaken.join(' ').includes('QQQ')]).toEqual([true, false])
    expect(faultsOf({ ...given, PROBANT_BACKUP_TO: 's3://b/x' })).toHaveLength(1)
    expect(faultsOf({ ...given, PROBANT_BACKUP_S3_ACCESS_KEY_ID: 'k' })).toHaveLength(1)
  })

  test('nothing is paid for unless it is asked for, and nobody sells without saying who', () => {
    expect(loadConfig({}).seller).toBeNull()
    expect(loadConfig({ PROBANT_BILLING: 'off', PROBANT_SELLER_NAME: 'Example SARL' }).seller).toBeNull()
    const whole = {
      PROBANT_BILLING: 'on',
      PROBANT_SELLER_NAME: 'Example SARL',
      PROBANT_SELLER_LEGAL_FORM: 'SARL',
      PROBANT_SELLER_CAPITAL: '10 000 EUR',
      PROBANT_SELLER_SIREN: '123456782',
      PROBANT_SELLER_VAT_ID: 'FR11123456782',
      PROBANT_SELLER_REGISTER: 'RCS Marseille',
      PROBANT_SELLER_ADDRESS: '1 rue du Port',
      PROBANT_SELLER_ZIP: '13002',
      PROBANT_SELLER_CITY: 'Marseille',
      PROBANT_SELLER_IBAN: 'FR7630006000011234567890189',
    }
    expect(loadConfig(whole).seller).toMatchObject({ name: 'Example SARL', siren: '123456782', country: 'FR' })
    for (const name of Object.keys(whole).filter((each) => each !== 'PROBANT_BILLING'))
      expect(faultsOf({ ...whole, [name]: undefined })).toEqual([`${name} is required with PROBANT_BILLING=on`])
    expect(loadConfig({ ...whole, PROBANT_SELLER_BIC: 'AGRIFRPP' }).seller).toMatchObject({ bic: 'AGRIFRPP' })
    expect(faultsOf({ ...whole, PROBANT_SELLER_BIC: 'AGRI' })).toContain('PROBANT_SELLER_BIC must be a BIC of 8 or 11 characters')
    expect(faultsOf({ ...whole, PROBANT_SELLER_SIREN: '12345678' })).toContain('PROBANT_SELLER_SIREN must be nine digits')
    for (const iban of ['FR7630006000011234567890188', 'FR76 3000 6000 0112 3456 7890 189', 'FR76'])
      expect(faultsOf({ ...whole, PROBANT_SELLER_IBAN: iban })).toContain(
        'PROBANT_SELLER_IBAN must be an IBAN without spaces, with its right check digits',
      )
    // By transfer alone: no provider, and what was earned goes the same way.
    expect(loadConfig(whole)).toMatchObject({ payments: 'provider', payout: { by: 'provider' } })
    const alone = { ...whole, PROBANT_PAYMENTS: 'transfer' }
    expect(loadConfig(alone)).toMatchObject({ payments: 'transfer', mangopay: null, payout: { by: 'transfer' } })
    expect(faultsOf({ ...alone, PROBANT_MANGOPAY_CLIENT_ID: 'client' })).toEqual([
      'PROBANT_PAYMENTS=transfer goes without PROBANT_MANGOPAY_CLIENT_ID',
    ])
  })

  test('T-01 T-02 T-03 T-04 T-05 H-41: services of others are off until they are set up, whole and over TLS', () => {
    expect(loadConfig({}).outside).toEqual({ chat: null, pixel: null, recording: null, errors: null, score: null })
    const whole = {
      PROBANT_CHAT_URL: 'https://chat.example/',
      PROBANT_CHAT_TOKEN: 'inbox-1',
      PROBANT_PIXEL_URL: 'https://stats.example/matomo.php',
      PROBANT_PIXEL_SITE: '3',
      PROBANT_RECORDING_DSN: 'https://0123456789abcdef@watch.example/7',
      PROBANT_ERRORS_DSN: 'http://0123456789abcdef@127.0.0.1:9000/8',
      PROBANT_SCORE_SITE_KEY: 'site-key',
      PROBANT_SCORE_SECRET: 'secret',
    }
    expect(loadConfig(whole).outside).toMatchObject({
      chat: { address: 'https://chat.example', token: 'inbox-1' },
      pixel: { address: 'https://stats.example/matomo.php', site: 3 },
      recording: { address: 'https://watch.example/api/7/envelope/?sentry_key=0123456789abcdef&sentry_version=7' },
      errors: { address: 'http://127.0.0.1:9000/api/8/envelope/?sentry_key=0123456789abcdef&sentry_version=7' },
      score: {
        siteKey: 'site-key',
        least: 0.5,
        sources: ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
      },
    })
    for (const [one, other] of [
      ['PROBANT_CHAT_URL', 'PROBANT_CHAT_TOKEN'],
      ['PROBANT_PIXEL_URL', 'PROBANT_PIXEL_SITE'],
      ['PROBANT_SCORE_SITE_KEY', 'PROBANT_SCORE_SECRET'],
    ] as const)
      expect(faultsOf({ ...whole, [other]: '' })).toEqual([`${one} and ${other} are given together`])
    expect(faultsOf({ ...whole, PROBANT_CHAT_URL: 'http://chat.example' })).toEqual([
      'PROBANT_CHAT_URL must start with https://, except on the machine itself',
    ])
    expect(faultsOf({ PROBANT_ERRORS_DSN: 'https://errors.example' })).toEqual([
      'PROBANT_ERRORS_DSN must be https://KEY@host/PROJECT',
    ])
    expect(faultsOf({ PROBANT_SCORE_SOURCES: "https://ok.example,'unsafe-inline'" })).toEqual([
      'PROBANT_SCORE_SOURCES must list https://host or https://host/folder/',
    ])
  })

  test('names every fault at once', () => {
    expect(
      faultsOf({ PORT: '80a', PROBANT_BILING: 'on', PROBANT_BILLING: 'yes', PROBANT_BLOBS: 's3', DATABASE_URL: 'mysql://x' }),
    ).toEqual([
      'PROBANT_BILING is not a setting (PROBANT_BILLING is)',
      'PORT must be a whole number from 0 to 65535',
      'DATABASE_URL must be an address starting with postgres:// or postgresql://',
      'PROBANT_BILLING must be off or on',
      'S3_BUCKET is required with PROBANT_BLOBS=s3',
      'S3_ACCESS_KEY_ID is required with PROBANT_BLOBS=s3',
      'S3_SECRET_ACCESS_KEY is required with PROBANT_BLOBS=s3',
    ])
  })

  test('whoever moves money is named whole or not at all, and spoken to over TLS', () => {
    expect(loadConfig({}).mangopay).toBeNull()
    const whole = {
      PROBANT_MANGOPAY_CLIENT_ID: 'client',
      PROBANT_MANGOPAY_API_KEY: 'key',
      PROBANT_MANGOPAY_USER: 'user_m_1',
      PROBANT_MANGOPAY_WALLET: 'wlt_m_1',
    }
    expect(loadConfig(whole).mangopay).toEqual({
      clientId: 'client',
      apiKey: 'key',
      baseUrl: 'https://api.mangopay.com',
      seller: { user: 'user_m_1', wallet: 'wlt_m_1' },
      cardAddresses: ['https://*.payline.com', 'https://*.mangopay.com'],
    })
    for (const name of Object.keys(whole))
      expect(faultsOf({ ...whole, [name]: '' })).toEqual([
        'PROBANT_MANGOPAY_CLIENT_ID, PROBANT_MANGOPAY_API_KEY, PROBANT_MANGOPAY_USER and PROBANT_MANGOPAY_WALLET are given together',
      ])
    expect(faultsOf({ PROBANT_MANGOPAY_URL: 'http://api.example' })).toEqual([
      'PROBANT_MANGOPAY_URL must start with https://, except on the machine itself',
    ])
    expect(loadConfig({ ...whole, PROBANT_MANGOPAY_URL: 'http://127.0.0.1:8123/' }).mangopay).toMatchObject({
      baseUrl: 'http://127.0.0.1:8123',
      cardAddresses: ['http://127.0.0.1:8123'],
    })
    const handedIn = (list: string) => faultsOf({ ...whole, PROBANT_MANGOPAY_CARD_ADDRESSES: list })
    expect(handedIn('https://cards.example, https://*.cards.example:8443')).toEqual([])
    for (const list of ["'unsafe-inline'", 'https://a.example; script-src *', 'http://cards.example', '*'])
      expect(handedIn(list)).toEqual(['PROBANT_MANGOPAY_CARD_ADDRESSES must list https://host or https://*.host'])
  })

  test('live sessions: on this machine alone unless told, and reached where it is announced', () => {
    expect(loadConfig({}).interactive).toMatchObject({
      perAddress: 1,
      perAccount: 2,
      seconds: 600,
      graceSeconds: 60,
      maxLoadPerCore: 2,
      listen: { host: '127.0.0.1', port: 0 },
      address: undefined,
      warm: 1,
    })
    expect(loadConfig({}).interactive.sessions).toBeGreaterThanOrEqual(2)
    for (const [listen, host, port] of [
      ['10.0.0.5', '10.0.0.5', 0],
      ['10.0.0.5:0', '10.0.0.5', 0],
      ['[::1]:7000', '::1', 7000],
      ['::1', '::1', 0],
      ['capture-1.internal:1', 'capture-1.internal', 1],
      ['capture-1.internal:2', 'capture-1.internal', 2],
      ['capture-1.internal', 'capture-1.internal', 0],
    ] as const)
      expect(loadConfig({ PROBANT_LIVE_LISTEN: listen, PROBANT_LIVE_ADDRESS: listen }).interactive).toMatchObject({
        listen: { host, port },
        address: { host, port },
      })
    expect(loadConfig({ PROBANT_WARM_BROWSERS: '0' }).interactive.warm).toBe(0)
    expect(loadConfig({ PROBANT_INTERACTIVE_SESSIONS: '0', PROBANT_WARM_SESSIONS: '3' }).interactive.warm).toBe(0)
    expect(
      faultsOf({ PROBANT_LIVE_LISTEN: '0.0.0.0:7000', PROBANT_INTERACTIVE_MAX_LOAD: '-1', PROBANT_INTERACTIVE_SECONDS: '601' }),
    ).toEqual([
      'PROBANT_INTERACTIVE_MAX_LOAD must be a number from 0.1 to 1000',
      'PROBANT_INTERACTIVE_SECONDS must be a whole number from 10 to 600',
      'PROBANT_LIVE_ADDRESS is required when PROBANT_LIVE_LISTEN is every address of the machine',
    ])
    for (const wrong of [' ', 'a b', 'x:99999', 'x:', 'http://x'])
      expect(faultsOf({ PROBANT_LIVE_LISTEN: wrong })).toHaveLength(1)
  })

  test('tells what was probably meant by a name that is no setting', () => {
    expect(faultsOf({ PROBANT_PORT: '80', PROBANT_PUBLC_URL: 'x', PROBANT_COLOUR: 'red' })).toEqual([
      'PROBANT_COLOUR is not a setting',
      'PROBANT_PORT is not a setting (PORT is)',
      'PROBANT_PUBLC_URL is not a setting (PROBANT_PUBLIC_URL is)',
    ])
  })

  test('leaves the variables of test runs alone, and only those', () => {
    expect(faultsOf({ PROBANT_E2E_SITE: 'x', PROBANT_KILLS: '25', PROBANT_WHOLE: '1', PROBANT_KILLSX: '1' })).toEqual([
      'PROBANT_KILLSX is not a setting',
    ])
  })

  test('accepts an address of PostgreSQL by socket, and treats empty as absent', () => {
    expect(loadConfig({ DATABASE_URL: 'postgresql://probant@/probant?host=/run/x', PORT: '' })).toMatchObject({ port: 8080 })
  })

  test.each(['127.0.0.1:8123', '[::1]:80', '10.0.0.1:1,192.168.1.1:65535', '172.31.0.1:9'])('allows %s to captures', (value) => {
    expect(loadConfig({ PROBANT_ALLOW_ADDRESSES: value }).allowAddresses).toEqual(value.split(','))
  })

  test.each([
    '8.8.8.8:53',
    '127.1:80',
    '0x7f000001:80',
    '127.0.0.1',
    '127.0.0.1:0',
    '127.0.0.1:070',
    '127.0.0.1:65536',
    'localhost:80',
    '169.254.169.254:80',
    '172.32.0.1:1',
    '010.0.0.1:1',
    '[::ffff:127.0.0.1]:80',
    '127.0.0.1:80,',
    '::1:80',
  ])('refuses to allow %s to captures', (value) => {
    expect(faultsOf({ PROBANT_ALLOW_ADDRESSES: value })).toHaveLength(1)
  })

  test('another browser is named by its whole path', () => {
    expect(faultsOf({ PROBANT_CHROMIUM: '/opt/chromium-150/chromium' })).toEqual([])
    expect(faultsOf({ PROBANT_CHROMIUM: 'chromium' })).toEqual(['PROBANT_CHROMIUM must be an absolute path'])
  })

  test('refuses in production what only suits development', () => {
    const faults = faultsOf({
      PROBANT_ENV: 'production',
      PROBANT_ALLOW_ADDRESSES: '127.0.0.1:80',
      PROBANT_UNJAILED_BROWSER: 'i-accept-unisolated-captures',
    })
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
      'PROBANT_PUBLIC_URL',
      'PROBANT_ALLOW_ADDRESSES',
      'PROBANT_UNJAILED_BROWSER',
    ])
  })

  test('ASVS 4.4.1 12.2.1 refuses visitors without TLS in production, except on the machine itself or by explicit consent', () => {
    const production = (publicUrl: string, more = {}) =>
      faultsOf({ PROBANT_ENV: 'production', PROBANT_PUBLIC_URL: publicUrl, ...more })
    for (const plain of [
      'http://probant.example',
      'http://localhost.example',
      'http://10.0.0.1:8080',
      'http://127.0.0.1.example',
    ])
      expect(production(plain)).toEqual([expect.stringContaining('must start with https://')])
    for (const good of ['https://probant.example', 'http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:80'])
      expect(production(good)).toEqual([])
    expect(production('http://probant.example', { PROBANT_PLAIN_HTTP: 'i-accept-unencrypted-visitors' })).toEqual([])
    expect(production('http://probant.example', { PROBANT_PLAIN_HTTP: 'yes' })).toHaveLength(2)
  })

  test.each([
    ['mailto:security@probant.example', true],
    ['https://probant.example/report, mailto:a@b.example,tel:+33-1-23', true],
    ['http://probant.example/report', false],
    ['security@probant.example', false],
    ['mailto:a@b.example\nExpires: never', false],
    ['javascript:alert(1)', false],
    ['', true],
  ])('security contact %j', (value, good) => {
    expect(faultsOf({ PROBANT_SECURITY_CONTACT: value })).toHaveLength(good ? 0 : 1)
  })

  test('makes one secret, readable by its owner alone', () => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'probant-config-'))
    const secret = installationSecret({ secret: undefined, dataFolder })
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(installationSecret({ secret: undefined, dataFolder })).toBe(secret)
    expect(statSync(join(dataFolder, 'secret')).mode & 0o777).toBe(0o600)
    rmSync(dataFolder, { recursive: true })
  })
})

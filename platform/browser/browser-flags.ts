/** Where Debian keeps the browser itself. Its wrapper /usr/bin/chromium would enable remote extensions. */
export const installedChromium = '/usr/lib/chromium/chromium'
/** The browser of this process: the installed one, unless PROBANT_CHROMIUM names another (platform/config/settings/settings.ts). */
export const chromiumPath = process.env['PROBANT_CHROMIUM'] || installedChromium
/** Address of the relay inside the jail's own network namespace. */
export const relayPort = 3128

/**
 * What drops down below the address bar is two web pages of the browser's own, which it loads with each window, in a process of theirs, before
 * anybody could look at them.
 */
export const ownPagesOfWindows = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

const headlessFlags = [
  '--headless=new',
  '--mute-audio',
  '--hide-scrollbars',
  // Its dialog, which a page may ask for and nobody would ever close, would keep us from printing the page (decision 0495).
  '--disable-print-preview',
]

const disabledFeatures = [
  'MediaRouter',
  'DialMediaRouteProvider',
  'AsyncDns',
  'DnsOverHttps',
  'WebTransport',
  'DirectSockets',
  'OptimizationHints',
  'Translate',
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  ...ownPagesOfWindows,
]

/** Decision 0203. */
const headfulFlags = [
  '--ozone-platform=x11',
  '--kiosk',
  '--window-position=0,0',
  '--force-device-scale-factor=1',
  // Drawn by the processor, as there is no other; WebGL too, which it would else refuse.
  '--disable-gpu',
  // Over the page: a page is laid out as wide as its picture, and as wide while a screenshot, which hides them, is drawn (decision 0305).
  '--enable-features=OverlayScrollbar',
  // Begun anew as often as a page keeps it busy: else the browser would end after a few times.
  '--disable-gpu-process-crash-limit',
  '--enable-unsafe-swiftshader',
  '--deny-permission-prompts',
]

/**
 * Second layer under the jail (design/security.md §1): by flags alone, too, nothing leaves but through the tunnel.
 * Both WebRTC flags are needed: one serves full Chromium, the other the headless shell.
 */
export function browserFlags(options: {
  /** Else in a window that fills the display, without bars of its own. */
  readonly headless: boolean
  readonly proxyPort: number
  readonly profile: string
  readonly keyLogFile: string | null
  readonly locale: string
  readonly window: { readonly width: number; readonly height: number }
  readonly userAgent: string | null
  readonly ownSandbox: boolean
}): readonly string[] {
  return [
    ...(options.headless ? headlessFlags : headfulFlags),
    '--remote-debugging-pipe',
    `--user-data-dir=${options.profile}`,
    `--proxy-server=http://127.0.0.1:${options.proxyPort}`,
    '--proxy-bypass-list=<-loopback>',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    '--dns-prefetch-disable',
    '--disable-background-networking',
    '--disable-component-update',
    // Components that Chromium fetches on demand at each start (lists of its language models) heed neither that flag nor the
    // policies. They would stand in the record beside the page's connections; a port that browsers refuse ends them inside.
    '--component-updater=url-source=https://127.0.0.1:1/',
    // So does what registers each new profile for messages that are pushed to it.
    '--gcm-checkin-url=https://127.0.0.1:1/',
    '--gcm-registration-url=https://127.0.0.1:1/',
    '--disable-sync',
    '--disable-domain-reliability',
    '--no-pings',
    `--disable-features=${disabledFeatures.join(',')}`,
    '--disable-extensions',
    '--disable-component-extensions-with-background-pages',
    '--disable-default-apps',
    '--disable-client-side-phishing-detection',
    '--disable-breakpad',
    '--disable-crash-reporter',
    '--disable-search-engine-choice-screen',
    '--no-first-run',
    '--no-default-browser-check',
    '--no-service-autorun',
    '--metrics-recording-only',
    '--password-store=basic',
    '--use-mock-keychain',
    // Pages shall be shown what people are shown: `navigator.webdriver` is false, as in a browser nobody drives (decision 0041).
    '--disable-blink-features=AutomationControlled',
    '--force-color-profile=srgb',
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    // Nothing may come from a cache: each response of the capture was on the wire.
    '--disk-cache-size=1',
    '--disable-gpu-shader-disk-cache',
    `--lang=${options.locale}`,
    `--accept-lang=${options.locale}`,
    `--window-size=${options.window.width},${options.window.height}`,
    ...(options.userAgent === null ? [] : [`--user-agent=${options.userAgent}`]),
    ...(options.keyLogFile === null ? [] : [`--ssl-key-log-file=${options.keyLogFile}`]),
    ...(options.ownSandbox ? [] : ['--no-sandbox']),
    'about:blank',
  ]
}

/**
 * Managed policies. `*` in a block list does not cover chrome://, and `DeveloperToolsAvailability: 2` or
 * `RemoteDebuggingAllowed: false` would cut our own connection, so schemes are named.
 */
export const browserPolicies = {
  URLBlocklist: ['file://*', 'view-source:*', 'devtools://*', 'chrome://*', 'filesystem:*'],
  // The browser's own list of its extensions: the checklist is measured by it. Pages cannot go to such addresses.
  URLAllowlist: ['chrome://extensions-internals'],
  ExtensionInstallBlocklist: ['*'],
  DownloadRestrictions: 3,
  DefaultNotificationsSetting: 2,
  DefaultGeolocationSetting: 2,
  AudioCaptureAllowed: false,
  VideoCaptureAllowed: false,
  ScreenCaptureAllowed: false,
  DefaultWebUsbGuardSetting: 2,
  DefaultWebBluetoothGuardSetting: 2,
  DefaultSerialGuardSetting: 2,
  DefaultWebHidGuardSetting: 2,
  DefaultSensorsSetting: 2,
  DefaultFileSystemReadGuardSetting: 2,
  DefaultFileSystemWriteGuardSetting: 2,
  DefaultLocalFontsSetting: 2,
  PasswordManagerEnabled: false,
  AutofillAddressEnabled: false,
  AutofillCreditCardEnabled: false,
  SafeBrowsingProtectionLevel: 0,
  SearchSuggestEnabled: false,
  NetworkPredictionOptions: 2,
  BrowserSignin: 0,
  SyncDisabled: true,
  DnsOverHttpsMode: 'off',
  QuicAllowed: false,
  PrintingEnabled: false,
  ComponentUpdatesEnabled: false,
  // Asks clients2.google.com for the time at each start.
  BrowserNetworkTimeQueriesEnabled: false,
  GenAILocalFoundationalModelSettings: 1,
  MetricsReportingEnabled: false,
  TranslateEnabled: false,
  BackgroundModeEnabled: false,
  // Chromium 150 greets its search engine before each navigation.
  DefaultSearchProviderEnabled: false,
  SpellCheckServiceEnabled: false,
  SharedClipboardEnabled: false,
  LensRegionSearchEnabled: false,
  EnableMediaRouter: false,
  DesktopSharingHubEnabled: false,
  PromotionsEnabled: false,
} as const

/**
 * What a browser with a display must be kept from besides: its own windows. File choosers and passwords are asked for by our
 * page (decision 0203); downloads are let through by the session alone, into its folder.
 */
export const headfulPolicies = {
  ...browserPolicies,
  DownloadRestrictions: 0,
  AllowFileSelectionDialogs: false,
  PromptForDownloadLocation: false,
  // A bar over the page about flags of ours.
  CommandLineFlagSecurityWarningsEnabled: false,
  // A certificate that does not hold is shown as what it is; whoever steers may go on, as anybody may (decision 0043).
  SSLErrorOverrideAllowed: true,
  IncognitoModeAvailability: 1,
  BrowserGuestModeEnabled: false,
  BrowserAddPersonEnabled: false,
  DefaultClipboardSetting: 2,
  DefaultWindowManagementSetting: 2,
  EditBookmarksEnabled: false,
  HardwareAccelerationModeEnabled: false,
} as const

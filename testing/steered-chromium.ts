import { chromiumPath, ownPagesOfWindows } from '../platform/browser/browser-flags.ts'

/** What Playwright switches off by itself. Chromium hears the last list alone, so ours has to say it all. */
export const switchedOffByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
]

/** Debian's Chromium as Playwright launches it for a test: each window is its page alone, without the pages that the browser would load beside it. */
export const steeredChromium = (...more: readonly string[]): { readonly executablePath: string; readonly args: string[] } => ({
  executablePath: chromiumPath,
  args: [
    // Chromium refuses to run as root with its sandbox.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    `--disable-features=${[...switchedOffByPlaywright, ...ownPagesOfWindows].join(',')}`,
    ...more,
  ],
})

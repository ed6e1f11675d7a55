/** What a page is told of the device that shows it. */
import type { CdpSession } from '../../../../../platform/browser/cdp-connection.ts'
import { viewport } from '../../../../capture/server/index.ts'
import type { Device } from './tab.ts'

/**
 * A common phone: CSS pixels of its browser's page area, which is as high as it fits the picture unscaled, and its pixel ratio.
 * Its own name stands in the facts, so that nobody takes the page for one that a desktop was sent.
 */
export const phoneOf = (product: string): Extract<Device, { readonly kind: 'mobile' }> => ({
  kind: 'mobile',
  name: 'Pixel 7',
  width: 412,
  height: 785,
  scale: 2.625,
  major: /(\d+)/.exec(product)?.[1] ?? '',
})

/** Height of that phone's whole screen. */
const phoneScreen = { screenWidth: 412, screenHeight: 915 } as const

/**
 * @param kind `part`: a frame of another site or a worker, which have no size of their own
 * @param zoom percent; the picture stays as large, the page has the fewer pixels of its own, as with a browser's zoom
 */
export function emulateDevice(
  session: CdpSession,
  device: Device,
  kind: 'page' | 'part',
  zoom = 100,
): readonly Promise<unknown>[] {
  const factor = zoom / 100
  if (device.kind === 'desktop')
    return kind === 'part'
      ? []
      : [
          session.send('Emulation.setDeviceMetricsOverride', {
            width: Math.round(viewport.width / factor),
            height: Math.round(viewport.height / factor),
            deviceScaleFactor: factor,
            scale: factor,
            mobile: false,
            screenWidth: 1920,
            screenHeight: 1080,
            // Else the picture of the page shrinks with it.
            dontSetVisibleSize: true,
          }),
        ]
  const version = device.major
  const agent = session.send('Emulation.setUserAgentOverride', {
    userAgent: `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Mobile Safari/537.36`,
    platform: 'Linux armv81',
    userAgentMetadata: {
      brands: [
        { brand: 'Chromium', version },
        { brand: 'Not?A_Brand', version: '24' },
      ],
      platform: 'Android',
      platformVersion: '13.0.0',
      architecture: '',
      model: device.name,
      mobile: true,
    },
  })
  if (kind === 'part') return [agent]
  return [
    agent,
    session.send('Emulation.setDeviceMetricsOverride', {
      width: Math.round(device.width / factor),
      height: Math.round(device.height / factor),
      deviceScaleFactor: device.scale * factor,
      scale: factor,
      mobile: true,
      ...phoneScreen,
    }),
    session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 }),
  ]
}

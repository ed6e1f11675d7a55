/** What of Debian an image holds beside the program. Nobody logs in: no shell of comfort, no manuals, no init. */

export const suite = 'bookworm'
export const sources = [
  `deb http://deb.debian.org/debian ${suite} main`,
  `deb http://deb.debian.org/debian ${suite}-updates main`,
  `deb http://deb.debian.org/debian-security ${suite}-security main`,
]

/** Pages, jobs, and pictures of the files that people send, which are drawn in a jail. */
const everywhere = ['bubblewrap', 'ca-certificates', 'ffmpeg', 'libatomic1', 'poppler-utils', 'procps', 'socat', 'util-linux']

/** As the set-up installs them on a machine (tools/set-up.mjs), which a test compares. */
const ofCaptures = [
  'chromium',
  'chromium-l10n',
  'fonts-liberation',
  'fonts-noto-cjk',
  'fonts-noto-color-emoji',
  'fonts-noto-core',
  'pulseaudio',
  'traceroute',
  'xclip',
  'xdotool',
  'xvfb',
]

export const roots = { server: everywhere, capture: [...everywhere, ...ofCaptures] } as const
export type RootName = keyof typeof roots

/** Each role is an image; those that browsers are no part of share their layers. */
export const images = { web: 'server', worker: 'server', capture: 'capture' } as const satisfies Record<string, RootName>
export type ImageRole = keyof typeof images

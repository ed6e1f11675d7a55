import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { isLoopback } from '../../../../platform/http/request/address-prefix.ts'
import { hostName } from '../../../../platform/http/request/host-name.ts'

const cookie = 'probant_setup'
const digest = (text: string) => createHash('sha256').update(text).digest()
const secret = () => randomBytes(32).toString('base64url')

export type Doors = {
  /** Opens the page once; whoever reads it reads the log of this machine. */
  readonly token: string
  /** @returns the cookie of whoever opened it; null: not the token, or used before */
  exchange(token: string): string | null
  isOpenTo(cookies: string | undefined): boolean
}

/** One link, one browser. What opens the page after that is a cookie that only this browser has. */
export function createDoors(): Doors {
  const token = secret()
  let holder: Buffer | null = null
  return {
    token,
    exchange(given) {
      if (holder !== null || !timingSafeEqual(digest(given), digest(token))) return null
      const value = secret()
      holder = digest(value)
      return `${cookie}=${value}; Path=/; HttpOnly; SameSite=Strict`
    },
    isOpenTo(cookies = '') {
      if (holder === null) return false
      const value = cookies.split(/;\s*/).find((each) => each.startsWith(`${cookie}=`))
      return value !== undefined && timingSafeEqual(digest(value.slice(cookie.length + 1)), holder)
    },
  }
}

/** Whether a request was meant for this machine: a name of somebody else that leads here shares its origin with his pages (DNS rebinding). */
export function isMeantForUs(host: string | undefined, origin: string | undefined): boolean {
  const name = hostName(host ?? '')
  if (name === null || (name !== 'localhost' && !isLoopback(name.replace(/^\[|\]$/g, '')))) return false
  return origin === undefined || origin === `http://${host}`
}

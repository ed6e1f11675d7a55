/**
 * Has PostgreSQL ask whether this end of a connection is still there: a machine that lost its power or its network says nothing, and by the system’s own
 * defaults (tcp(7)) its locks, and so the jobs of its worker, would be held for more than two hours. Seconds, and milliseconds for what was sent and not
 * acknowledged. Over a Unix socket they mean nothing, and PostgreSQL leaves them out.
 */
const settings = ['tcp_keepalives_idle=10', 'tcp_keepalives_interval=5', 'tcp_keepalives_count=3', 'tcp_user_timeout=25000']

/** @param url whose own `options`, where the operator set some, stay as they are */
export function withKeepAlive(url: string): string {
  if (/[?&]options=/.test(url)) return url
  const options = encodeURIComponent(settings.map((each) => `-c ${each}`).join(' '))
  return `${url}${url.includes('?') ? '&' : '?'}options=${options}`
}

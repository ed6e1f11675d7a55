declare module 'autocannon' {
  type Request = { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: string }
  type Client = { setRequests(requests: Request[]): void }
  type Result = {
    requests: { total: number }
    /** Seconds. */
    duration: number
    /** Milliseconds. */
    latency: { p50: number; p99: number }
    errors: number
    timeouts: number
    non2xx: number
  }
  export default function autocannon(options: {
    url: string
    connections: number
    /** Seconds. */
    duration: number
    /** Called with each connection before its first request. */
    setupClient(client: Client): void
  }): Promise<Result>
}

import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../../../kernel/clock.ts'
import { readHops, traceRoute } from './trace-route.ts'

/** A router and a server behind it, in network namespaces of a user namespace: any user may make them. */
const behindRouter = `set -e
mount -t tmpfs none /run
mkdir /run/netns
ip netns add router
ip netns add server
ip link add name near type veth peer name left netns router
ip -n router link add name right type veth peer name far netns server
ip address add 10.9.1.1/24 dev near
ip -n router address add 10.9.1.2/24 dev left
ip -n router address add 10.9.2.1/24 dev right
ip -n server address add 10.9.2.2/24 dev far
ip link set dev near up
ip -n router link set dev left up
ip -n router link set dev right up
ip -n server link set dev far up
ip route add default via 10.9.1.2
ip -n server route add default via 10.9.2.1
nsenter --net=/run/netns/router sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'
exec "$@"`
const prefix = ['unshare', '--user', '--map-root-user', '--net', '--mount', 'sh', '-c', behindRouter, 'sh']
const deps = { clock: systemClock, signal: new AbortController().signal, timeoutMs: 20_000, prefix }

describe('K-33 route to the server', () => {
  test('hop by hop through a router to the server', async () => {
    const route = await traceRoute(deps, '10.9.2.2')
    expect(route).toMatchObject({ reached: true, tool: 'traceroute', error: null })
    expect(route.hops.map(({ hop, address }) => [hop, address])).toEqual([
      [1, '10.9.1.2'],
      [2, '10.9.2.2'],
    ])
    expect(route.raw).toContain('10.9.1.2')
  }, 180_000)

  test('a network that the router does not know: its word, and not reached', async () => {
    const route = await traceRoute(deps, '10.77.0.1')
    expect(route).toMatchObject({ reached: false, error: null })
    expect(route.hops).toMatchObject([{ hop: 1, address: '10.9.1.2', note: '!N' }])
  }, 180_000)

  test('a server that is not there: the hops that answered, and not reached', async () => {
    const route = await traceRoute(deps, '10.9.2.99')
    expect(route).toMatchObject({ reached: false, error: null })
    expect(route.hops.map(({ address }) => address)).toEqual(['10.9.1.2'])
  }, 180_000)

  test('without any network nobody answers, which is said', async () => {
    const alone = { ...deps, prefix: ['unshare', '--user', '--map-root-user', '--net'] }
    expect(await traceRoute(alone, '10.9.2.2')).toMatchObject({
      reached: false,
      hops: [],
      error: expect.stringMatching(/./) as string,
    })
  }, 180_000)

  test('time that runs out ends the program; no program is no route; what is no address is not asked', async () => {
    const late = await traceRoute({ ...deps, prefix: ['sh', '-c', 'exec sleep 60', 'sh'], timeoutMs: 20 }, '10.9.2.2')
    expect(late).toMatchObject({ reached: false, error: 'timeout' })
    expect(await traceRoute({ ...deps, prefix: ['/nonexistent/tool'] }, '10.9.2.2')).toMatchObject({
      tool: null,
      error: 'ENOENT',
    })
    for (const target of ['--help', '10.9.2.2; id', 'example.org', ''])
      expect((await traceRoute(deps, target)).error).toBe('not_an_address')
  }, 180_000)

  test('lines that are no hops are passed over', () => {
    expect(
      readHops(
        'traceroute to 192.0.2.9 (192.0.2.9), 24 hops max\n 1  192.0.2.1  0.493 ms\n 2  *\n 3  evil.example  1 ms\n12  2001:DB8::1  10.5 ms !X\nxyz\n',
      ),
    ).toEqual([
      { hop: 1, address: '192.0.2.1', ms: 0.493, note: null },
      { hop: 2, address: null, ms: null, note: null },
      { hop: 12, address: '2001:db8::1', ms: 10.5, note: '!X' },
    ])
  }, 180_000)
})

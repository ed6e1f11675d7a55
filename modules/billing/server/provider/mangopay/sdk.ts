import type { Agent } from 'node:https'
import { createRequire } from 'node:module'
import type MangoPay from 'mangopay4-nodejs-sdk'

export type MangopaySettings = {
  readonly clientId: string
  readonly apiKey: string
  /** Without a path. */
  readonly baseUrl: string
  /** Milliseconds that an answer may take. */
  readonly timeout: number
}

export type Sdk = InstanceType<typeof MangoPay>

type SdkAxios = {
  readonly interceptors: {
    readonly request: { use(each: (config: { httpsAgent?: Agent; baseURL?: string; maxRedirects?: number }) => object): void }
    readonly response: { use(each: undefined, failed: (error: { code?: string; response?: object }) => never): void }
  }
}

/** Which address an SDK speaks to, told by the agent that it alone has. */
const addresses = new WeakMap<Agent, string>()

let loaded: typeof MangoPay | undefined

/** Some two hundred files, read when somebody is to be paid: every process starts without them. */
function loadSdk(): typeof MangoPay {
  if (loaded !== undefined) return loaded
  const require = createRequire(import.meta.url)
  // The client that the SDK itself loads, whichever version that is.
  const axios = createRequire(require.resolve('mangopay4-nodejs-sdk'))('axios') as SdkAxios
  // The SDK sets one address for the whole process.
  axios.interceptors.request.use((config) => {
    const address = config.httpsAgent === undefined ? undefined : addresses.get(config.httpsAgent)
    if (address === undefined) return config
    return Object.assign(config, { baseURL: address, maxRedirects: 0 })
  })
  // The SDK reads `error.response.data` of an error that has no response, inside a promise that nobody awaits: the process would end.
  axios.interceptors.response.use(undefined, (error) => {
    error.response ??= { status: 0, statusText: '', data: { cut: error.code ?? 'UNKNOWN' }, headers: {} }
    throw error
  })
  loaded = require('mangopay4-nodejs-sdk') as typeof MangoPay
  return loaded
}

export function openSdk({ clientId, apiKey, baseUrl, timeout }: MangopaySettings): Sdk {
  const Client = loadSdk()
  const sdk = new Client({
    clientId,
    clientApiKey: apiKey,
    baseUrl,
    connectionTimeout: timeout,
    responseTimeout: timeout,
    // It prints bodies otherwise.
    errorHandler: () => undefined,
  })
  addresses.set((sdk as unknown as { httpsAgent: Agent }).httpsAgent, baseUrl)
  // Shared by all SDKs of the process otherwise, with the token in it.
  const { path, headers } = sdk.requestOptions
  Object.assign(sdk, { requestOptions: { path: { ...path, clientId }, headers: { ...headers, Authorization: undefined } } })
  return sdk
}
